/** The manual: `dtp help --man DIR` writes a page for each command, which groff renders without a warning. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { manualOf } from '../../src/commands/help/manual.ts';
import { isTopic, topics } from '../../src/describe/help/topics.ts';
import { escapeRoff, manualPage } from '../../src/describe/man.ts';
import { allBelow, rootCommand } from '../../src/tree/tree.ts';
import { dtp, temporaryFolder } from '../support/context.ts';

const pages = manualOf();

const hasGroff = spawnSync('groff', ['--version']).status === 0;
if (!hasGroff) process.stderr.write('the rendering of the manual is not tested: groff is not installed\n');

test('there is a page for the tool and for each command, noun and topic', () => {
  expect(pages.map(({ file }) => file).sort()).toEqual(
    [
      ...allBelow(rootCommand).map((command) => `${['dtp', ...command.words].join('-')}.1`),
      ...Object.keys(topics)
        .filter(isTopic)
        .map((topic) => `dtp-${topic}.7`),
    ].sort(),
  );
});

test('the build has written exactly these pages into man/', async () => {
  const [built, cwd] = [resolve(import.meta.dirname, '../../man'), temporaryFolder()];
  await dtp(['help', '--man', 'now'], { cwd });
  const names = readdirSync(join(cwd, 'now')).sort();
  expect(readdirSync(built).sort()).toEqual(names);
  const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');
  for (const name of names) expect(read(built, name), name).toBe(read(join(cwd, 'now'), name));
});

test('pages are written into a new or existing folder, and the result names it', async () => {
  const cwd = temporaryFolder();
  const ended = await dtp(['help', '--man', 'share/man'], { cwd });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(ended.stdout)).toEqual({ folder: join(cwd, 'share/man'), pages: pages.length });
  expect(readdirSync(join(cwd, 'share/man'))).toHaveLength(pages.length);
  const file = join(cwd, 'share/man', 'dtp-ws-tokens-create.1');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('.TH "DTP\\-WS\\-TOKENS\\-CREATE" 1 ""');
  expect(text).toContain('createWorkspaceToken: POST /v1/workspace/{workspace_id}/tokens');
  writeFileSync(file, 'an older one');
  expect((await dtp(['help', '--man', 'share/man'], { cwd })).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a folder that cannot be created is an error, and so is --man with a command', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'taken'), '');
  const taken = await dtp(['help', '--man', 'taken'], { cwd });
  expect(taken).toMatchObject({ code: 2, stdout: '' });
  expect(taken.stderr).toContain('--man: cannot create taken');
  expect(await dtp(['help', 'ws', '--man', 'x'], { cwd })).toMatchObject({ code: 2, stdout: '' });
});

test.each([
  ['a-b', 'a\\-b'],
  ['.PP', '\\&.PP'],
  ["'quoted'", '\\(aqquoted\\(aq'],
  ['C:\\new', 'C:\\enew'],
  ['say "no"', 'say \\(dqno\\(dq'],
  ['^`~', '\\(ha\\(ga\\(ti'],
  ['…é🎈', '\\[u2026]\\[u00E9]\\[u1F388]'],
  ['two\nlines', 'two lines'],
])('roff: %j is %s', (text, roff) => {
  expect(escapeRoff(text)).toBe(roff);
});

test('no string becomes a roff request or ends an argument', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(escapeRoff(text)).toMatch(/^(?![.'])[\x20-\x7e]*$/);
      expect(escapeRoff(text)).not.toMatch(/"/);
    }),
  );
});

test.skipIf(!hasGroff)('groff renders every page without a warning', () => {
  const folder = temporaryFolder();
  for (const { file, text } of pages) writeFileSync(join(folder, file), text);
  const all = pages.map(({ file }) => join(folder, file));
  const { status, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z', ...all], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test.skipIf(!hasGroff)('groff prints special characters unchanged', () => {
  const odd = `a\\b "c" 'd' \`e\` ^f~ -g --h … é .i`;
  const page = {
    name: 'dtp odd',
    usage: 'dtp odd',
    summary: odd,
    paragraphs: [odd, '.SH NOT A HEADING'],
    sections: [{ title: 'Odd', rows: [{ term: odd, text: odd }], examples: [{ says: odd, command: odd }] }],
    facts: [],
  };
  const input = manualPage(page, 1, '1.0', []).text;
  const shown = execFileSync('groff', ['-man', '-Tutf8', '-ww', '-P-cbou', '-rLL=200n'], {
    input,
    encoding: 'utf8',
  });
  expect(shown.split(odd)).toHaveLength(7);
  expect(shown).toMatch(/^ +\.SH NOT A HEADING$/m);
});

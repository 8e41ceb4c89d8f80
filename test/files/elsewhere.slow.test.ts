/** A repository from somebody else, if the command is started somewhere else. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { attacks, canary, type HostileFolder, hostileFolder, inside } from '../support/hostile-folder.ts';
import { run } from '../support/hostile-run.ts';
import { filesSent, filesWritten } from '../support/path-table.ts';

/** Folders from which a user may name a file of the repository. The boundary is still the repository. */
const elsewhere: Readonly<Record<string, (folder: HostileFolder) => string>> = {
  'the home folder, which contains it': ({ home }) => home,
  'a folder next to it': ({ home }) => join(home, 'beside'),
  'another repository': ({ home }) => {
    mkdirSync(join(home, 'beside', '.git'));
    return join(home, 'beside');
  },
};

describe.each(Object.keys(elsewhere))('from %s', (name) => {
  async function start() {
    const folder = await hostileFolder();
    mkdirSync(join(folder.home, 'beside'));
    const cwd = elsewhere[name]?.(folder) ?? '';
    copyFileSync(join(folder.cwd, 'real.json'), join(cwd, 'real.json'));
    // A link to another repository does not change the boundary.
    mkdirSync(join(folder.outside, '.git'));
    return { ...folder, cwd, repository: folder.cwd };
  }

  test.each(Object.entries(filesSent))('%s sends nothing outside', async (_, use) => {
    const folder = await start();
    for (const [attack, path, words] of attacks) {
      const { code, stdout, stderr, sent } = await run(folder, use(join(folder.repository, path)));
      expect([code, stdout], `${attack}: ${stderr}`).toEqual([2, '']);
      expect(stderr.replaceAll('\\"', '"')).toMatch(words);
      expect(sent + stdout + stderr).not.toContain(canary);
    }
  });

  test.each(Object.entries(filesWritten))('%s writes nothing outside', async (name, use) => {
    const folder = await start();
    if (name === 'data export file') await run(folder, { argv: ['ws', 'list', '--base-url', 'local:'] });
    const before = folder.snapshot();
    for (const path of ['link-out.json', 'link-link.json', 'dangling', 'up/outside/new.json', 'link-own.json'])
      await run(folder, use(join(folder.repository, path)));
    expect(folder.snapshot()).toBe(before);
    const { stderr } = await run(folder, use(join(folder.repository, 'new.json')));
    expect(existsSync(join(folder.repository, 'new.json')), stderr).toBe(true);
  });

  test('a file of it, a link inside, and a file of no repository are sent', async () => {
    const folder = await start();
    writeFileSync(join(folder.home, 'plain.json'), readFileSync(join(folder.repository, 'real.json')));
    for (const path of ['repository/real.json', 'repository/link-in.json', 'plain.json']) {
      const argv = ['ws', 'create', '--body', `@${join(folder.home, path)}`];
      expect((await run(folder, { argv })).sent, path).toContain(inside);
    }
  });
});

test.each([
  ['the home folder', ({ home }: HostileFolder) => home],
  ['the root of the disk', () => '/'],
])('from %s, a body can only name files of its repository', async (_, from) => {
  const folder = await hostileFolder();
  const upload = (file: string) => {
    const body = join(folder.cwd, 'body.json');
    writeFileSync(body, JSON.stringify({ data: { type: 'linting' }, file }));
    return run({ ...folder, cwd: from(folder) }, { argv: ['reports', 'upload', '--body', `@${body}`] });
  };
  for (const path of [join(folder.outside, 'secret.json'), join(folder.cwd, 'link-out.json')])
    expect(await upload(path), path).toMatchObject({ code: 2, sent: '' });
  expect((await upload(join(folder.cwd, 'real.json'))).sent).toContain(inside);
});

/** The pages for agents: short, complete, made from the command table, and every command line in them works. */
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { Stop } from '../../src/cli/commander.ts';
import { openProgram } from '../../src/cli/program.ts';
import { agentPage } from '../../src/describe/agent/command-page.ts';
import { shortestLine } from '../../src/describe/agent/tool-page.ts';
import { operations } from '../../src/operations/index.ts';
import { allBelow, rootCommand, runnableBelow } from '../../src/tree/tree.ts';
import { dtp, temporaryFolder } from '../support/context.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../llms.txt'), 'utf8');
const commands = runnableBelow(rootCommand);
const below = allBelow(rootCommand).filter((entry) => entry !== rootCommand);

test('llms.txt is the page of dtp help --agent, and smaller than 8,000 bytes', async () => {
  expect(page).toBe(agentPage(rootCommand));
  expect(await dtp(['help', '--agent'])).toEqual({ code: 0, stdout: page, stderr: '' });
  expect(Buffer.byteLength(page)).toBeLessThan(8000);
});

test('the page of ws tokens create names the fields of the new token, which the command looks up', async () => {
  const { stdout } = await dtp(['help', '--agent', 'ws', 'tokens', 'create']);
  expect(stdout).toContain('\nResult: {id, name, key, …}\n');
});

/** The commands on the lines of the page: `- dtp ws tokens: create --name X; list`. */
const listed = [...page.matchAll(/^- (dtp[a-z -]*): (.*)$/gm)].flatMap(([, noun = '', verbs = '']) =>
  verbs.split('; ').map((verb) => `${noun} ${verb}`),
);

test('the page has one line for each command, and so for each operation', () => {
  expect(listed.map((line) => line.replace(/ (\[?[A-Z]|--).*/, '')).sort()).toEqual(
    commands.map(({ words }) => ['dtp', ...words].join(' ')).sort(),
  );
  expect(commands.filter(({ operation }) => operation).length).toBe(Object.keys(operations).length);
});

/** A word of a shortest line as somebody would type it. */
const typed: Readonly<Record<string, string>> = {
  'OWNER/NAME': 'acme/sdk',
  SHELL: 'bash',
  FILE: 'openapi.yaml',
  '@FILE': '@events.json',
  TIME: '2030-01-31T00:00:00Z',
  N: '7',
  JSON: '{"a":1}',
};

const wordsOf = (line: string): readonly string[] =>
  line
    .split(' ')
    .filter((word) => !word.startsWith('['))
    .map((word) => typed[word] ?? word.split('|')[0] ?? '');

test.each(commands.filter(({ operation }) => operation).map((entry) => [entry.words.join(' '), entry] as const))(
  'the shortest line of %s is enough for a request',
  async (_, entry) => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'openapi.yaml'), 'openapi: 3.1.0\npaths: {}\n');
    writeFileSync(join(home, 'events.json'), '{"id":"e"}\n');
    const env = {
      ...{ DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k', DTP_WORKSPACE_ID: 'w_1' },
      ...{ DTP_ORGANIZATION_SLUG: 'o', DTP_WORKSPACE_SLUG: 'w' },
    };
    const run = (words: readonly string[]) => dtp([...words, '--dry-run', '-o', 'json'], { home, env, own: 'w_1' });
    const before = entry.words.slice(0, -1);
    const line = wordsOf(shortestLine(entry)).filter((word) => word !== '--yes');
    const whole = await run([...before, ...line]);
    expect(whole.code, whole.stderr).toBe(0);
    if (line.length > 1) expect((await run(entry.words)).code).toBe(2);
  },
);

/** Why the tool refuses a command line. Undefined if it accepts it, or asks for a missing value. */
async function faultOf(line: string): Promise<string | undefined> {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const end = words.findIndex((word) => /^(\d?[<>]|[|#]$|&&)/.test(word));
  const argv = words.slice(1, end === -1 ? undefined : end).map((word) => word.replace(/^(['"])(.*)\1$/s, '$2'));
  const run = async () => undefined;
  return openProgram(argv, { operation: run, local: run, answer: run }, () => undefined)
    .parse()
    .then(() => undefined)
    .catch((error: unknown) => (error instanceof Stop ? error.why.is : String(error)));
}

test('the tool accepts every command line in the pages of commands', async () => {
  const lines = below.flatMap((entry) => {
    const text = agentPage(entry).replaceAll('\\\n', ' ');
    const shortest = text.match(/(?<=^(Usage|Next): )dtp .*|^dtp .*(?= {2}#)/gm) ?? [];
    return [...shortest.map((line) => wordsOf(line).join(' ')), ...(text.match(/^dtp (?!.* {2}#).*/gm) ?? [])];
  });
  expect(lines.length).toBeGreaterThan(400);
  const faults = await Promise.all(lines.map(async (line) => [line, await faultOf(line)] as const));
  expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([]);
});

test('the page of a command is smaller than 2,000 bytes, except that of dtp serve', () => {
  const sizes = below.map((entry) => [Buffer.byteLength(agentPage(entry)), entry.words.join(' ')] as const);
  const largest = sizes.sort(([one], [other]) => other - one).slice(0, 5);
  process.stdout.write(
    `the largest pages for agents: ${largest.map(([size, name]) => `${name} ${size}`).join(', ')}\n`,
  );
  expect(sizes.filter(([size]) => size >= 2000).map(([, name]) => name)).toEqual(['serve']);
});

test('the page of a command says what it needs, what it does and what to run next', async () => {
  const { stdout } = await dtp(['help', '--agent', 'ws', 'tokens', 'delete']);
  expect(stdout).toContain('\nUsage: dtp ws tokens delete TOKEN-ID --yes\nEffect: destroy; needs --yes; ');
  expect(stdout).toContain('list: dtp ws tokens list');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('Next: dtp ws tokens list');
  expect((await dtp(['ws', 'tokens', 'delete', '--help', '--agent'])).stdout).toBe(stdout);
  expect(JSON.parse((await dtp(['help', '--agent', 'ws', '-o', 'json'])).stdout)).toMatchObject({ kind: 'group' });
});

test.each([
  ['ws tokens create', '{id, name, key, …}', ['--name', 'ci']],
  ['ws team grant', '{relationship, invite_link}', ['ann@example.com']],
])('the page of %s names what its result has', async (command, fields, values) => {
  const words = command.split(' ');
  expect((await dtp(['help', '--agent', ...words])).stdout).toContain(`\nResult: ${fields}\n`);
  const { stdout, stderr } = await dtp([...words, ...values, '-o', 'json'], {
    home: temporaryFolder(),
    env: { DTP_BASE_URL: 'local:' },
  });
  expect(stderr).toBe('');
  expect(Object.keys(JSON.parse(stdout))).toEqual(expect.arrayContaining(fields.match(/\w+/g) ?? []));
});

test('a skill is written once, and a changed one only with --force', async () => {
  const home = temporaryFolder();
  const file = join(home, '.agents/skills/dtp/SKILL.md');
  const first = await dtp(['help', '--skill', '-o', 'json'], { home });
  expect([first.code, JSON.parse(first.stdout)]).toEqual([0, { skill: 'dtp', file }]);
  const text = readFileSync(file, 'utf8');
  const [, head = '', body] = /^---\n(.*?)---\n\n(.*)$/s.exec(text) ?? [];
  expect(body).toBe(page);
  const { name, description } = parse(head);
  expect([name, description.length < 1024]).toEqual(['dtp', true]);
  expect((await dtp(['help', '--skill'], { home })).code).toBe(0);
  writeFileSync(file, 'mine');
  const refused = await dtp(['help', '--skill'], { home });
  expect([refused.code, readFileSync(file, 'utf8')]).toEqual([2, 'mine']);
  expect(refused.stderr).toContain('--force');
  expect((await dtp(['help', '--skill', '--force'], { home })).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(text);
  // A file without content, which is larger than any memory.
  truncateSync(file, 2 ** 40);
  expect((await dtp(['help', '--skill'], { home })).code).toBe(2);
});

test('a skill can be written to another folder, and not in place of a file', async () => {
  const home = temporaryFolder();
  expect((await dtp(['help', '--skill', '.claude/skills'], { home })).code).toBe(0);
  expect(readFileSync(join(home, '.claude/skills/dtp/SKILL.md'), 'utf8')).toContain(page);
  mkdirSync(join(home, 'other'));
  writeFileSync(join(home, 'other/dtp'), '');
  expect((await dtp(['help', '--skill', 'other'], { home })).code).toBe(2);
  expect((await dtp(['help', 'ws', '--skill=other'], { home })).code).toBe(2);
});

/** No page is written before the flags are checked. */
test.each([
  ['--man', 'pages', '--skill'],
  ['--skill=skills', '--man', 'pages'],
  ['--man', 'pages', '--all'],
  ['--skill', '--all'],
  ['--man', 'pages', '--skill', '--all'],
])('help refuses flags that contradict each other: %s %s %s', async (...flags) => {
  const home = temporaryFolder();
  const { code, stdout, stderr } = await dtp(['help', ...flags], { home });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('--all, --man and --skill cannot be combined');
  expect(readdirSync(home)).toEqual([]);
});

test('help --all shows every field of a command to an agent too', async () => {
  const pageWith = async (...flags: string[]) => (await dtp(['help', 'events', 'post', ...flags])).stdout;
  expect(await pageWith('--agent', '--all')).toBe(await pageWith('--all'));
  expect(await pageWith('--agent')).not.toBe(await pageWith());
});

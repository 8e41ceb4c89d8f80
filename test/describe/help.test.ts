/** The help: every page fits the terminal, describes its command, and is the same however it is requested. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pageFor } from '../../src/commands/help/pages.ts';
import { describe as describeCommand, exitCodeRows, globalFlagRecords } from '../../src/describe/describe.ts';
import { helpTextOf } from '../../src/describe/help/print.ts';
import { isTopic, listedTopics, topicFor, topics } from '../../src/describe/help/topics.ts';
import type { HelpPage } from '../../src/describe/page.ts';
import { eventFields } from '../../src/operations/event-fields.ts';
import { operations } from '../../src/operations/index.ts';
import { records } from '../../src/operations/records.ts';
import { formats } from '../../src/render/formats.ts';
import { visibleBelow } from '../../src/tree/entry.ts';
import { allBelow, rootCommand, runnableBelow } from '../../src/tree/tree.ts';
import { wordOf } from '../../src/tree/vocabulary.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { workspaceKinds } from '../support/recorded-workspaces.ts';

const pages: readonly HelpPage[] = [
  ...allBelow(rootCommand).map((command) => pageFor(command)),
  ...Object.keys(topics)
    .filter(isTopic)
    .map((topic) => topicFor(topic)),
];
const plain = (page: HelpPage, width: number) => helpTextOf(page, { width, heading: (text) => text });

test('the words of the tool are explained on one screen', () => {
  const text = plain(topicFor('concepts'), 80);
  expect(text.trim().split('\n').length).toBeLessThanOrEqual(24);
  for (const word of ['workspace', 'credential', 'target', 'lock id', 'namespace', 'revision', 'queue'])
    expect(text).toMatch(new RegExp(`^  ${word} +\\S`, 'm'));
});

test('wherever a command for the credential is taught, a sentence warns of a key in it', () => {
  const docs = ['machines.md', 'many-machines.md', 'scripts-and-ci.md'].map((name) =>
    readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8'),
  );
  const teaching = [...docs, ...pages.map((page) => plain(page, 80))].filter((text) =>
    text.includes('config set credential_command'),
  );
  expect(teaching.length).toBe(2);
  for (const text of teaching)
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(/Do not write a key into .{2,20}: other users can see the arguments/);
});

/** The sentence of a page about its workspace, by the kind of the operation in the hand-typed list. */
const sentences: Readonly<Record<string, string>> = {
  named: 'Needs a workspace',
  credential: "Acts on the credential's workspace, and exits with 2 if -w selects another",
  none: 'About no workspace, so -w has no effect',
};

test.each(runnableBelow(rootCommand).flatMap((entry) => (entry.operation ? [[entry.title, entry] as const] : [])))(
  '%s says which workspace it acts on',
  (_, entry) => {
    const kind = workspaceKinds.get(entry.operation?.id ?? '') ?? '';
    const said = pageFor(entry).facts.filter((fact) => /\bworkspace\b/.test(fact) && !fact.includes('/v1/'));
    expect(said.map((fact) => fact.replace(', but no credential', ''))).toEqual([sentences[kind]]);
  },
);

test('there is a page for each noun, command and topic', () => {
  expect(pages.length).toBeGreaterThan(130);
});

describe.each([[40], [60], [80], [120]])('at %i columns', (width) => {
  test.each(pages.map((page) => [page.name, page] as const))('%s fits', (_, page) => {
    const lines = plain(page, width).split('\n');
    // Examples are shell commands for 80 columns, and are not wrapped.
    const shell = page.sections.flatMap(({ examples = [] }) => examples.flatMap(({ command }) => command.split('\n')));
    // Neither a path nor a command is broken, so that they can be copied.
    const isWhole = (line: string) => /^ *(?:\S*\/\S*|"dtp [^"]*"|dtp .*)$/.test(line);
    const broken = (line: string) =>
      line.length > width && !isWhole(line) && !(width < 80 && shell.includes(line.slice(2)));
    expect(lines.filter(broken)).toEqual([]);
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
  });
});

test.each(pages.map((page) => [page.name, page] as const))('%s has no column of single words', (_, page) => {
  // Such a column would be too narrow.
  for (const width of [80, 120]) {
    const lines = plain(page, width).split('\n');
    const thin = lines.filter((line, index) => /^ {10,}\S+$/.test(line) && /^ {10,}\S+$/.test(lines[index + 1] ?? ''));
    expect(thin).toEqual([]);
  }
});

test.each(Object.values(operations))('the page of $id has its id, method and path, and two examples', (operation) => {
  const command = runnableBelow(rootCommand).find((one) => one.words.join(' ') === operation.command.join(' '));
  const page = pageFor(command as NonNullable<typeof command>);
  expect(page.facts).toContain(`${operation.id}: ${operation.method} ${operation.path}`);
  const text = plain(page, 200);
  expect(text).toContain(`${operation.id}: ${operation.method} ${operation.path}\n`);
  expect(text).toMatch(/^Global flags: -o FORMAT.* and others; see dtp help flags$/m);
  if ('simplified' in operation) expect(text).toContain(`With the embedded service: ${operation.simplified}`);
  if ('deprecated' in operation)
    expect(text).toContain(
      operation.deprecated === true ? 'Deprecated.' : `Deprecated: use dtp ${operation.deprecated} instead.`,
    );
  expect(page.sections[0]?.title).toBe('Examples');
  expect(page.sections[0]?.examples).toHaveLength(2);
});

/** A description that is more than a type. */
const saying =
  /^(?!(a |an )?(text|string|number|integer|whole number|true or false|boolean|date and time|time|json|file)\b[^a-z]*$).{4,}/i;

test('every flag and argument has a description, and is on the page of its command', () => {
  for (const command of runnableBelow(rootCommand)) {
    const text = plain(pageFor(command, true), 120);
    const record = describeCommand(command);
    for (const { name, help, negatable } of record.flags) {
      expect(help, `${record.command} ${name}`).toMatch(saying);
      expect(text).toContain(negatable ? name.replace('--', '--[no-]') : name);
    }
    for (const { name, help } of record.arguments) {
      expect(help, `${record.command} <${name}>`).toMatch(saying);
      expect(text).toContain(`<${name}`);
    }
  }
});

test.each([[['events', 'post', '--help']], [['help', 'events', 'post']]])(
  'dtp %j shows a dozen fields, or all fields with --all',
  async (argv) => {
    const fieldsIn = (text: string) => text.split('\nFields')[1]?.match(/^ {2}--/gm)?.length;
    const { stdout } = await dtp(argv);
    expect(fieldsIn(stdout.split('\nDelivery')[0] ?? '')).toBe(12);
    expect(stdout).toContain('\n68 more fields: dtp events post --help --all\n');
    const whole = (await dtp([...argv, '--all'])).stdout;
    for (const name of Object.keys(eventFields))
      expect(whole).toMatch(new RegExp(`^  --(\\[no-\\])?${wordOf(name)}( |$)`, 'm'));
    expect(whole).not.toContain('more fields');
  },
);

test('a field that the service sets is not in the help, but its flag works', async () => {
  const hidden = Object.values(records).flatMap((fields) =>
    Object.entries(fields).flatMap(([name, [, , setBy]]) => (setBy === 'service' ? [name] : [])),
  );
  expect(hidden.length).toBeGreaterThan(10);
  const { stdout } = await dtp(['ws', 'create', '--help', '--all']);
  expect(stdout).toContain('--name <string>');
  for (const name of ['--created-at', '--verified', '--id']) expect(stdout).not.toContain(name);
  const argv = ['ws', 'create', '--name', 'a', '--created-at', '2026-01-01T00:00:00Z', '--dry-run'];
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1' };
  const request = JSON.parse((await dtp(argv, { env })).stdout);
  expect(request.body).toEqual({ name: 'a', created_at: '2026-01-01T00:00:00Z' });
});

test('every field of a record has a description that is more than its type', () => {
  const kinds = /^(text|string|number|integer|whole number|true or false|boolean|date and time|JSON.*)$/i;
  for (const [record, fields] of Object.entries(records))
    for (const [name, [, meaning]] of Object.entries(fields)) {
      expect(meaning, `${record}.${name}`).toMatch(/^\S.{3,}/);
      expect(meaning, `${record}.${name}`).not.toMatch(kinds);
    }
});

test('inputs are grouped into required ones, filters and the body', () => {
  const titles = (...words: string[]) => {
    const found = runnableBelow(rootCommand).find((one) => one.words.join(' ') === words.join(' '));
    return pageFor(found as NonNullable<typeof found>).sections.map(({ title }) => title);
  };
  expect(titles('events', 'search')).toEqual(['Examples', 'Filters', 'Flags', 'Settings']);
  expect(titles('publishing-tokens', 'update')).toEqual(['Examples', 'Arguments', 'Required', 'Body (required)']);
  expect(titles('artifacts', 'revisions', 'list')).toEqual(['Examples', 'Arguments', 'Filters', 'Pages']);
  const post = titles('events', 'post');
  expect(post).toEqual(['Examples', 'Body (required)', 'Fields', 'Delivery', 'Settings']);
});

describe('each way to request a page', () => {
  const first = plain(pageFor(rootCommand), 80);

  test.each([[[]], [['-h']], [['--help']], [['help']]])('dtp %j prints the first page', async (argv) => {
    expect(await dtp(argv)).toEqual({ code: 0, stdout: first, stderr: '' });
  });

  test('the first page has each command and each topic, in at most 25 lines', () => {
    const words = first.split(/[\s,]+/);
    for (const one of visibleBelow(rootCommand)) if (one.name !== 'help') expect(words).toContain(one.name);
    for (const topic of listedTopics) expect(words.map((word) => word.replace(';', ''))).toContain(topic);
    // Shortcuts such as `dtp tokens` are not listed.
    expect(first).not.toMatch(/^ {2}tokens\b/m);
    expect(first.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
  });

  test('dtp help flags lists the global flags with their variables', () => {
    const flags = plain(topicFor('flags'), 80);
    for (const { name } of globalFlagRecords) expect(flags).toContain(name);
    expect(flags).toContain('DTP_BASE_URL');
  });

  test('help, -h and --help of a command print the same page', async () => {
    const page = await dtp(['ws', 'tokens', 'create', '--help']);
    expect(page).toMatchObject({ code: 0, stderr: '' });
    expect(page.stdout).toContain('Usage: dtp ws tokens create [flags]');
    expect(await dtp(['ws', 'tokens', 'create', '-h'])).toEqual(page);
    expect(await dtp(['help', 'ws', 'tokens', 'create'])).toEqual(page);
    // Mistakes in the rest of the line are ignored, because the user is looking for help.
    expect(await dtp(['ws', 'tokens', 'create', '--nam', 'x', '--help'])).toEqual(page);
  });

  test('a noun alone prints its page on stderr, and exits with 2', async () => {
    const page = await dtp(['ws', '--help']);
    const ended = await dtp(['ws'], { env: { DTP_ERROR_FORMAT: 'text' } });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(page.stdout);
    expect(ended.stderr).toMatch(/\nerror: dtp ws needs a command\n/);
    const json = await dtp(['ws', '-o', 'json']);
    expect(json.stderr.split('\n')).toHaveLength(2);
    expect(JSON.parse(json.stderr).error).toMatchObject({
      message: 'dtp ws needs a command',
      next: [{ command: 'dtp ws --help' }],
    });
  });

  test('headings are bold on a terminal, and nowhere else', async () => {
    const bold = '\u001b[1mUsage:\u001b[22m';
    expect((await dtp(['ws', '--help'], { tty: true })).stdout).toContain(bold);
    for (const world of [{}, { tty: true, env: { NO_COLOR: '1' } }, { tty: true, env: { TERM: 'dumb' } }])
      expect((await dtp(['ws', '--help'], world)).stdout).not.toContain('\u001b');
    expect((await dtp(['ws', '--help', '--color', 'always'])).stdout).toContain(bold);
  });

  test('a page is as wide as the terminal, up to a limit', async () => {
    const longest = async (columns: number) =>
      Math.max(
        ...(await dtp(['events', 'post', '-h'], { tty: true, columns })).stdout.split('\n').map((line) => line.length),
      );
    expect(await longest(80)).toBeLessThanOrEqual(80 + 10);
    expect(await longest(300)).toBeLessThanOrEqual(120 + 10);
    expect(await longest(120)).toBeGreaterThan(80);
  });

  test('a page shows the aliases of its command', () => {
    const ws = rootCommand.commands.find((one) => one.name === 'ws');
    expect(plain(pageFor(ws as NonNullable<typeof ws>), 80)).toContain('Alias: dtp workspaces, dtp workspace');
    expect(plain(pageFor(rootCommand), 80)).toMatch(/^ {2}events +Post, search and follow events$/m);
  });
});

describe('the topics', () => {
  const text = (topic: keyof typeof topics) => plain(topicFor(topic), 200);

  test('exit-codes has each code with its name', async () => {
    for (const { code, name, when } of exitCodeRows)
      expect(text('exit-codes')).toMatch(new RegExp(`^ +${code}  ${name} +${when.replace(/[()]/g, '\\$&')}$`, 'm'));
    const json = await dtp(['help', 'exit-codes', '-o', 'json']);
    expect(JSON.parse(json.stdout)).toEqual(exitCodeRows);
  });

  test('formats has each format, and the flags that shape a result', () => {
    for (const name of formats) expect(text('formats')).toMatch(new RegExp(`^  ${name} `, 'm'));
    for (const flag of ['--query', '--fields', '--raw-output', '--no-headers', '--output-file'])
      expect(text('formats')).toContain(flag);
  });

  test('bodies has each way to pass a body', () => {
    for (const way of ['--body', '@FILE', '--field <name=value>', '--raw-field', '--skeleton', 'tags[]=x'])
      expect(text('bodies')).toContain(way);
  });

  test.each(Object.keys(topics))('dtp help %s prints it, and -o json is JSON', async (topic) => {
    const ended = await dtp(['help', topic]);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toBe(plain(topicFor(topic as keyof typeof topics), 80));
    JSON.parse((await dtp(['help', topic, '-o', 'json'])).stdout);
  });
});

test('-O writes a page to a file, and does not overwrite an existing one', async () => {
  const home = temporaryFolder();
  for (const argv of [
    ['ws', 'list', '--help'],
    ['help', 'formats'],
  ]) {
    const { stdout } = await dtp(argv, { home });
    const file = `${argv[0]}.txt`;
    expect(await dtp([...argv, '-O', file], { home, tty: true })).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(join(home, file), 'utf8')).toBe(stdout);
    expect(await dtp([...argv, '-O', file], { home })).toMatchObject({ code: 2, stdout: '' });
  }
});

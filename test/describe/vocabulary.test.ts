/** One word for each thing: `test/flags.tsv` says what each flag means, and the names of the API stay valid. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { bodyExamples } from '../../src/describe/help/topics.ts';
import { localCommands } from '../../src/local/index.ts';
import { examples, examplesIn } from '../../src/operations/examples.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { globalNames } from '../../src/settings/global-flags.ts';
import { readLine } from '../../src/tree/line.ts';
import { argumentsOf, type Flag, flagsOf, isRequired } from '../../src/tree/operation-flags.ts';
import { rootCommand, runnableBelow } from '../../src/tree/tree.ts';
import { frozenClock } from '../support/clocks.ts';
import { dtp, temporaryFolder } from '../support/context.ts';

const rows = readFileSync(resolve(import.meta.dirname, '../flags.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t') as [noun: string, flag: string, thing: string]);

test('every flag that a command shows is in the table, and no other', () => {
  const shown = runnableBelow(rootCommand).flatMap(({ words, flags }) =>
    flags.filter(({ isHidden, isEarlier }) => !isHidden && !isEarlier).map(({ name }) => `${words[0]} ${name}`),
  );
  const listed = rows.map(([noun, flag]) => `${noun} ${flag}`);
  expect(listed).toEqual([...new Set(shown)].sort());
});

test('no thing has two flags, and no flag of a noun stands for two things', () => {
  const flags = new Map<string, Set<string>>();
  for (const [, flag, thing] of rows) flags.set(thing, (flags.get(thing) ?? new Set()).add(flag));
  expect([...flags].filter(([, names]) => names.size > 1)).toEqual([]);
  const things = new Map(rows.map(([noun, flag, thing]) => [`${noun} ${flag}`, thing]));
  expect(things.size).toBe(rows.length);
});

const all: readonly Operation[] = Object.values(operations);

/** A request as it would be sent, at a fixed time. */
function dryRun(argv: readonly string[]) {
  const home = temporaryFolder();
  writeFileSync(join(home, 'openapi.yaml'), 'openapi: 3.1.0\npaths: {}\n');
  const env = {
    ...{ DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k', DTP_WORKSPACE_ID: 'w_1' },
    ...{ DTP_ORGANIZATION_SLUG: 'o', DTP_WORKSPACE_SLUG: 'w' },
  };
  return dtp([...argv, '--dry-run', '-o', 'json'], { home, clock: frozenClock, random: () => 0.5, env, own: 'w_1' });
}

const values: Readonly<Record<Flag['kind'], string>> = {
  string: 'some value',
  integer: '7',
  boolean: 'true',
  datetime: '2026-01-31T00:00:00Z',
  json: '{"a":1}',
  file: 'openapi.yaml',
};

/** A valid value. */
const sampleOf = (flag: Flag) => (flag.is === 'enum' ? (flag.values[0] ?? '') : values[flag.kind]);

/** The command line with its required values, where `replaced` are the words for one flag. */
function lineOf(operation: Operation, flag: Flag, replaced: readonly string[]): readonly string[] {
  const others = flagsOf(operation).filter(
    (one) =>
      one.field !== flag.field ||
      (one.member !== undefined && one.member !== flag.member && one.required && one.setBy === undefined),
  );
  const needed = others.filter((one) =>
    one.member === undefined
      ? isNeeded(operation, one)
      : one.required && (one.field === flag.field || operation.input[one.field]?.required === true),
  );
  return [
    ...operation.command,
    ...argumentsOf(operation).map(() => 'x'),
    ...needed.filter(({ kind }) => kind !== 'boolean').flatMap((one) => [`--${one.name}`, sampleOf(one)]),
    ...replaced,
  ];
}

const isNeeded = (operation: Operation, { field }: Flag): boolean =>
  field !== 'body' && (isRequired(operation, field) || operation.input[field]?.wanted === true);

const names = all.flatMap((operation) =>
  flagsOf(operation).flatMap((flag) =>
    flag.earlier === undefined ? [] : [[operation.id, flag.earlier, flag.name, operation, flag] as const],
  ),
);

test('the API has other names for many things', () => {
  expect(names.length).toBeGreaterThan(30);
});

test.each(names)('%s takes --%s like --%s', async (_, earlier, name, operation, flag) => {
  const request = (...replaced: readonly string[]) => dryRun(lineOf(operation, flag, replaced));
  const value = flag.kind === 'boolean' ? [] : [sampleOf(flag)];
  const present = await request(`--${name}`, ...value);
  expect(present.code, present.stderr).toBe(0);
  expect(await request(`--${earlier}`, ...value)).toEqual(present);
  // The name of a global flag is replaced by the other name, so both are the same flag twice.
  if (globalNames.has(name)) return;
  const both = await request(`--${name}`, ...value, `--${earlier}`, ...value);
  if (flag.many) expect(both.code).toBe(present.code);
  else expect([both.code, both.stderr]).toEqual([2, expect.stringContaining(`pass either --${name} or --${earlier}`)]);
});

/** Each line has the same request as the one below it, which was the only way before. */
test.each<readonly [string, string]>([
  ['codehost access check -R acme/sdk', 'codehost access check --org acme --repo sdk'],
  ...[
    ...['https://code.example/acme/sdk', 'https://code.example/acme/sdk/', 'https://code.example/acme/sdk.git'],
    ...['https://ann:secret@code.example:8443/acme/sdk.git', 'git://code.example/acme/sdk.git'],
    ...['ssh://git@code.example/acme/sdk.git', 'ssh://git@[::1]:22/acme/sdk.git', 'acme/sdk.git'],
    ...['git@code.example:acme/sdk.git', 'git@code.example:/acme/sdk', 'code-host:acme/sdk.git'],
  ].map(
    (remote) =>
      [`codehost access check -R ${remote}`, 'codehost access check --org acme --repo sdk'] as [string, string],
  ),
  ['codehost access check -R acme/sdk.js', 'codehost access check --org acme --repo sdk.js'],
  ['codehost access check -R ~acme/.github', 'codehost access check --org ~acme --repo .github'],
  ['codehost access check --repo sdk --org acme', 'codehost access check --org acme --repo sdk'],
  ['codehost actions get -R acme/sdk', 'codehost actions get --org acme --repo sdk'],
  ['codehost configure target -R acme/sdk', 'codehost configure target --org acme --repo-name sdk'],
  [
    'codehost actions trigger -R acme/sdk -f gen_lock_id=l',
    'codehost actions trigger --org acme --repo-name sdk -f gen_lock_id=l',
  ],
  ['artifacts tags add pets:v1 --tag new', 'artifacts tags add pets --revision-digest v1 --tags new'],
  ['artifacts manifests get pets:v1', 'artifacts manifests get pets v1'],
  ['artifacts manifests get pets@sha256:abcdef', 'artifacts manifests get pets sha256:abcdef'],
  ['artifacts blobs get pets@sha256:abcdef', 'artifacts blobs get pets sha256:abcdef'],
  ['suggest registry pets:v1', 'suggest registry pets v1'],
  ['suggest openapi openapi.yaml', 'suggest openapi --schema openapi.yaml'],
  ['suggest from-summary openapi.yaml', 'suggest from-summary --schema openapi.yaml'],
  ['code-samples preview openapi.yaml --language go', 'code-samples preview --schema-file openapi.yaml --language go'],
  ['reports upload openapi.yaml --type linting', 'reports upload --type linting --file openapi.yaml'],
  ['events search -L 3', 'events search --limit 3'],
])('dtp %s', async (line, other) => {
  const words = [line, other].map((one) => one.split(' '));
  const [present, before] = await Promise.all(words.map(dryRun));
  expect(present).toMatchObject({ code: 0 });
  const bare = (text = '') => text.replace(/boundary=dtp-[\w-]+/, '');
  expect(bare(present?.stdout)).toBe(bare(before?.stdout));
});

/** A value stays whole where its parts have another meaning. */
test.each([
  ['an owner is given', 'codehost access check --org acme --repo a/b', 'repo=a%2Fb'],
  ['the name of the API is used', 'codehost configure target --repo-name a/b -f org=acme', '"repo_name": "a/b"'],
  ['the owner is a field', 'codehost configure target --repo a/b -f org=acme', '"repo_name": "a/b"'],
  ['there is another argument', 'artifacts manifests get pets:v1 v2', 'pets%3Av1'],
  ['a revision is given', 'artifacts tags add pets:v1 --revision v2 --tag new', 'pets%3Av1'],
  ['no revision follows', 'artifacts tags list pets:v1', 'pets%3Av1'],
])('if %s, dtp %s sends it as it is', async (_, line, sent) => {
  const { code, stdout } = await dryRun(line.split(' '));
  expect([code, stdout]).toEqual([0, expect.stringContaining(sent)]);
});

test.each([
  ['suggest openapi openapi.yaml --schema openapi.yaml', 'pass either "openapi.yaml" or --schema'],
  ['suggest from-summary openapi.yaml --schema openapi.yaml', 'pass either "openapi.yaml" or --schema'],
  ['artifacts push openapi.yaml pets:v1 --namespace pets', 'pass either "pets:v1" or --namespace'],
  ['artifacts push openapi.yaml pets@sha256:abcdef', 'the digest of a new revision cannot be chosen'],
  ['codehost access check -R sdk', '--repo must be OWNER/NAME, not "sdk"'],
  ...[
    ...['a/b/c', '../sdk', './sdk', '/acme/sdk', '//acme/sdk', 'acme/..', 'acme\\x/sdk', 'C:/acme/sdk', 'C:acme/sdk'],
    ...['https://code.example/acme', 'https://code.example/a/b/sdk.git', 'https://code.example/acme/sdk?tab=x'],
    ...['git@code.example:sdk.git', 'git@code.example:a/b/sdk.git', 'git@acme/sdk', 'file:///srv/sdk.git'],
    ...['ftp://acme/sdk', 'git@code.example:acme/sdk.git\t(fetch)'],
  ].map((text) => [`codehost access check -R ${text}`, `--repo must be OWNER/NAME, not "${text}"`]),
  ['codehost access check -R https://ann:secret@code.example/acme', 'not "https://***@code.example/acme"'],
])('dtp %s is refused', async (line, message) => {
  const { code, stderr } = await dryRun(line.split(' '));
  expect([code, stderr]).toEqual([2, expect.stringContaining(JSON.stringify(message).slice(1, -1))]);
});

/** The flags in `text` that its commands have, but do not show. */
function hiddenFlagsIn(text: string): readonly string[] {
  const lines = text.replace(/\\\n/g, ' ').match(/\bdtp [^\n`|;)]*/g) ?? [];
  return lines.flatMap((line) => {
    const words = line.split(/\s+/).slice(1);
    const { command } = readLine(words);
    const hidden = command.flags.filter(({ isHidden, name }) => isHidden && !name.startsWith('--no-'));
    return hidden.some(({ name }) => words.some((word) => word.split('=')[0] === name)) ? [line] : [];
  });
}

test('no example, page or template uses a hidden flag', () => {
  expect(hiddenFlagsIn('run `dtp reports upload --type linting --file a.html`')).toHaveLength(1);
  const files = ['docs', 'templates', 'examples', 'action'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name)),
  );
  const texts = ['README.md', 'CONTRIBUTING.md', ...files].map((file) => readFileSync(file, 'utf8'));
  const shown = [
    ...Object.values(examples).flat(),
    ...localCommands.flatMap((one) => examplesIn(one.examples)),
    ...bodyExamples,
  ].map(({ command }) => command);
  expect([...texts, ...shown].flatMap(hiddenFlagsIn)).toEqual([]);
});

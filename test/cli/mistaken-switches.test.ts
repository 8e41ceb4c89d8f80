/** Switches with a value: suggestions never do the opposite, and never drop --dry-run. */
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { likeness, nearest } from '../../src/render/nearest.ts';
import { argumentsOf, flagsOf } from '../../src/tree/operation-flags.ts';
import { dtp } from '../support/context.ts';

const env = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: '',
  DTP_ERROR_FORMAT: 'json',
};

/** The suggested commands. Nothing may be sent. */
async function tried(argv: readonly string[]) {
  const { code, stdout, stderr } = await dtp(argv, { env });
  expect([code, stdout], stderr).toEqual([2, '']);
  const { message, next = [] } = JSON.parse(stderr).error;
  const commands: readonly string[] = next.map(({ command }: { readonly command: string }) => command);
  return { message, commands };
}

const all: readonly Operation[] = Object.values(operations);
const valuesOf = (operation: Operation) => argumentsOf(operation).map(([name]) => `a-${name.toLowerCase()}`);

/** Each operation switch that has an opposite, with a valid command line. */
const switches = all.flatMap((operation) =>
  flagsOf(operation)
    .filter(({ kind }) => kind === 'boolean')
    .map(({ name }) => ({ name, words: operation.command, args: valuesOf(operation) })),
);

test('the list of switches is not empty', () => {
  expect(switches.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['public', 'archived', 'success', 'passive']),
  );
});

/** Drops a letter in the middle. */
const mistyped = (word: string) => word.slice(0, 2) + word.slice(3);

describe.each(switches.map((one) => [`${one.words.join(' ')} --${one.name}`, one] as const))(
  'dtp %s',
  (_, { name, words, args }) => {
    const wrong = [...words.slice(0, -1), `${words.at(-1)}x`];
    const ways: readonly (readonly [string, readonly string[]])[] = [
      ['the flag', [...words, ...args, `--${mistyped(name)}`]],
      ['the command', [...wrong, ...args, `--${name}`]],
      ['both', [...wrong, ...args, `--${mistyped(name)}`]],
      ['nothing', [...words, ...args, `--${name}`]],
    ];
    test.each(ways)('suggests the right switch if %s is mistyped', async (_way, line) => {
      const right = ['dtp', ...words, ...args].join(' ');
      for (const [value, meant] of [
        ['false', `${right} --no-${name}`],
        ['no', `${right} --no-${name}`],
        ['true', `${right} --${name}`],
        ['maybe', `dtp ${words.join(' ')} --help`],
        ['', `dtp ${words.join(' ')} --help`],
      ] as const) {
        const given = [...line.slice(0, -1), `${line.at(-1)}=${value}`];
        const joined = (await tried(given)).commands;
        expect(joined.length, given.join(' ')).toBeGreaterThan(0);
        if (joined.includes(meant)) expect(joined).toEqual([meant]);
        // The mistyped name may be like no flag or like several.
        else for (const command of joined) expect(command).toMatch(value === 'true' ? /--/ : /--help$|--no-/);
        if (value === 'false' || value === 'true') expect((await tried([...line, value])).commands).toEqual(joined);
      }
    });
  },
);

const ofOne = switches.filter(({ args }) => args.length === 1);

test.each(ofOne.map((one) => [`${one.words.join(' ')} --${one.name}`, one] as const))(
  'the value of dtp %s is never the only argument',
  async (_, { name, words }) => {
    for (const value of ['false', 'true', 'no', '0', 'FALSE']) {
      const { message, commands } = await tried([...words, `--${name}`, value, '--yes']);
      expect(message).toBe(`--${name} does not take a value (its opposite is --no-${name})`);
      const flag = /false|no|0/i.test(value) ? `--no-${name}` : `--${name}`;
      expect(commands[0]).toMatch(new RegExp(`^dtp ${words.join(' ')} ${flag} [A-Z-]+$`));
    }
  },
);

describe('--dry-run is never dropped', () => {
  const writing = all.filter(({ method }) => method !== 'GET');
  test.each(writing.map((one) => [one.command.join(' '), one] as const))('dtp %s', async (_, operation) => {
    const line = [...operation.command, ...valuesOf(operation)];
    for (const given of ['--dry-run=client', '--dry-run=', '--dry-run=1y', '--curl=bash', '--dry-rn=server'])
      for (const one of (await tried([...line, given])).commands) expect(one).toMatch(/ --(dry-run|curl|help)( |$)/);
  });

  test.each([
    'api -X DELETE /v1/x --dry-run=server',
    'artifacts push spec.yaml --namespace pets --dry-run=client',
    'config delete staging --dry-run=client',
  ])('dtp %s', async (line) => {
    for (const one of (await tried(line.split(' '))).commands) expect(one).toMatch(/ --(dry-run|help)( |$)/);
  });
});

test.each([
  ['artifacts namespaces archive pets --unarchive', 'dtp artifacts namespaces archive --help'],
  ['artifacts namespaces archive pets --unarchived', 'dtp artifacts namespaces archive pets --no-archived'],
  ['artifacts namespaces unarchive pets', 'dtp artifacts namespaces --help'],
  ['artifacts namespaces archive pets --archive disabled', 'dtp artifacts namespaces archive --help'],
  ['--public false artifacts namespaces set-visibility pets', '… artifacts namespaces set-visibility pets --no-public'],
  ['--limit=5 events search', 'dtp events search --limit=5'],
  ['artifacts namespaces set-visibility --dry-run true', '… artifacts namespaces set-visibility --dry-run NAMESPACE'],
  // A surplus word is not dropped.
  ['ws team revoke u1 u2 -w w_1', 'dtp ws team revoke --help'],
  ['ws team revoke u1 u2', 'dtp ws team revoke --help'],
  ['events post ev.json -w w_1', 'dtp events post -w w_1 --body @ev.json'],
  ['ws get -w w_1 -- x', 'dtp ws get --help'],
  ['ws get -- x', 'dtp ws get -w ID'],
  ['ws get x --workspace-slug shop', 'dtp ws get --workspace-slug shop -w ID'],
  ['artifacts namespaces set-visibility pets extra --public false', 'dtp artifacts namespaces set-visibility --help'],
] as const)('dtp %s', async (line, next) => {
  expect((await tried(line.split(' '))).commands).toEqual([next.replace('…', 'dtp')]);
});

test.each([
  ['events search --execution-id -- -w w_1', '--execution-id needs a value, not --'],
  ['events search -vfalse', '-v does not take a value'],
  ['events search -vx', 'dtp events search has no flag -x'],
  ['ws list -y=false', '-y does not take a value'],
  ['ws list -r=false', '-r does not take a value'],
  ['ws list -rvfalse', 'dtp ws list has no flag -f'],
  ['--limit=5 events search', '--limit must come after the command'],
])('dtp %s: %s', async (line, message) => {
  expect((await tried(line.split(' '))).message).toBe(message);
});

test('a name such as "true" can be passed before the switch', async () => {
  const line = ['artifacts', 'namespaces', 'set-visibility', 'false', '--public', '--dry-run', '-o', 'json'];
  const { stdout, stderr } = await dtp(line, { env });
  expect(stdout, stderr).toContain('/v1/artifacts/namespaces/false/visibility');
  const tagged = await dtp(['artifacts', 'manifests', 'get', 'pets', '--json', '1'], { env });
  expect(tagged.stderr).not.toContain('does not take a value');
});

test('joined letters are read like commander reads them', async () => {
  const { stdout, stderr } = await dtp(['ws', 'get', '-rvw', 'w_7', '--dry-run', '-o', 'json'], { env });
  expect(stdout, stderr).toContain('/v1/workspace/w_7');
  expect((await tried(['ws', 'get', '-vw', 'w_7', '--frobnicate'])).commands).toEqual(['dtp ws get --help']);
  expect((await tried(['ws', 'get', '-vw', 'w_7', '--dryrun'])).commands).toEqual(['dtp ws get -vw w_7 --dry-run']);
});

test.each([
  ['unarchive', 'archive'],
  ['unarchived', 'archived'],
  ['unarchivd', 'archived'],
  ['set', 'unset'],
  ['inactive', 'active'],
  ['deactivate', 'activate'],
  ['nopublic', 'public'],
])('%s is not like %s', (word, other) => {
  expect([likeness(word, other), likeness(word.toUpperCase(), other)]).toEqual([0, 0]);
});

test.each([
  ['descripton', ['description', 'script']],
  ['nopublic', ['public', 'no-public']],
  ['unsett', ['set', 'unset']],
  ['intput', ['output', 'input']],
] as const)('%s still has a similar word in %j', (word, candidates) => {
  expect(nearest(word, candidates)).toBe(candidates.find((one) => one[0] === word[0]));
});

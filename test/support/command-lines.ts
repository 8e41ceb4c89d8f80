/** Command lines that nobody would type, generated from the existing commands and flags. */
import fc from 'fast-check';
import type { FlagEntry } from '../../src/tree/entry.ts';
import { needsValue } from '../../src/tree/line.ts';
import { allBelow, rootCommand } from '../../src/tree/tree.ts';
import { word } from './property.ts';

interface Entry {
  readonly words: readonly string[];
  readonly flags: readonly FlagEntry[];
  readonly takes: number;
}

const entries: readonly Entry[] = allBelow(rootCommand).map((command) => ({
  words: command.words,
  flags: command === rootCommand ? [] : command.flags,
  takes: command.arguments.length,
}));
const aliases = allBelow(rootCommand).flatMap((command) => command.aliases);

/** Invalid or reserved URLs that belong to nobody: nothing may leave this machine, whoever runs the line. */
const addresses = [
  'local:',
  'http://127.0.0.1:1',
  'http://[::1]:1/x/',
  'https://127.0.0.1:1',
  'ftp://x',
  'x',
  '',
  'https://',
  'http://me:pa55@127.0.0.1:1',
];

const values = [
  ...[
    'w_1',
    'id-1',
    'pets',
    'pets:v1',
    `pets@sha256:${'0'.repeat(64)}`,
    'sha256:x',
    '0',
    '1',
    '-1',
    '5',
    '1e9',
    '3.5',
    '99999999999999999999',
  ],
  ...['2026-01-31T12:00:00Z', '2026-02-30T12:00:00Z', 'yesterday', '90s', '5m', '0s', 'true', 'false', 'null'],
  ...[
    '{}',
    '[]',
    '{"name":"x"}',
    '[{"id":"1"}]',
    '{"a":',
    '[1,2',
    '"x"',
    'a: 1',
    '- a',
    '@',
    '@missing.json',
    '@body.json',
    '@events.ndjson',
    '@.',
    'body.json',
    '.',
    '..',
  ],
  ...[
    '-',
    '--',
    '---',
    '-x',
    '--x',
    '--=',
    '-=',
    '=',
    'a=b',
    'a.b[]=1',
    '=x',
    'a=@missing',
    'a[b=1',
    '__proto__=1',
    'constructor.prototype.x=1',
  ],
  ...[
    '',
    ' ',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '\u001b[31m',
    '\u202e',
    '\r\n',
    '\t',
    '漢字',
    '👩‍💻',
    'x'.repeat(20_000),
  ],
  ...[
    'items[].id',
    '][',
    'length(@)',
    'nope(@)',
    'id,name',
    ',',
    'a..b',
    '%2e%2e',
    '../../x',
    '/v1/user',
    'v1/user',
    'https://other.test/v1/user',
    'GET',
    'json',
    'yaml',
    'table',
    'auto',
    'bash',
    'POST=503',
    '*=500@20%',
  ],
];

const value = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: word });

const globals = rootCommand.flags;

const valueFor = ({ name, choices }: FlagEntry) => {
  if (/^--(base-url|proxy)$/.test(name)) return fc.constantFrom(...addresses);
  return choices ? fc.oneof(fc.constantFrom(...choices), value) : value;
};

/** A flag with a value, without one, with the value attached, or repeated. */
const flagOf = (flags: readonly FlagEntry[]): fc.Arbitrary<readonly string[]> =>
  flags.length === 0
    ? fc.constant([])
    : fc.constantFrom(...flags).chain((entry) => {
        const name = fc.constantFrom<string>(...[entry.name, entry.short].filter((one) => one !== undefined));
        return fc.tuple(name, valueFor(entry), fc.nat({ max: 9 })).map(([flag, given, how]) => {
          if (how === 0) return [flag];
          if (how === 1) return [`${flag}=${given}`];
          if (how === 2) return flag.startsWith('--') ? [flag, given, flag, given] : [flag + given];
          return needsValue(entry) ? [flag, given] : [flag];
        });
      });

const stray = fc.oneof(
  { weight: 3, arbitrary: value.map((one) => [one]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...aliases, ...entries.flatMap(({ words }) => words)).map((one) => [one]),
  },
);

/** These would run until somebody stops them. */
const isLasting = (word = '') => ['serve', 'dev', 'tail'].includes(word) || word.startsWith('--watch');

/** A value that is often valid, chosen by its placeholder in the help. */
function rightValue({ name, value: kind = '', choices }: FlagEntry): string {
  if (/--(base-url|proxy)/.test(name)) return 'http://127.0.0.1:1';
  if (/time-?out|interval/.test(name)) return '90s';
  return choices?.[0] ?? right[kind] ?? 'x';
}
const right: Readonly<Record<string, string>> = {
  number: '5',
  json: '{"name":"x"}',
  time: '2026-01-31T12:00:00Z',
  file: 'body.json',
  expression: '@',
  names: 'id',
};

const rightFlag = (flags: readonly FlagEntry[]): fc.Arbitrary<readonly string[]> =>
  fc.constantFrom(...flags).map((flag) => [flag.name, ...(needsValue(flag) ? [rightValue(flag)] : [])]);

const runnable = entries.filter(({ words }) => words.length > 0 && !words.some(isLasting));

/** A line that is often valid, or has one mistake. */
const plausible = fc.constantFrom(...runnable).chain(({ words, flags: own, takes }) => {
  const flags = fc.oneof(rightFlag(own.length > 0 ? own : globals), rightFlag(globals));
  const args = fc.array(fc.constantFrom('w_1', 'pets', 'pets:v1', 'workspace', 'bash', '/v1/user', 'body.json'), {
    minLength: takes,
    maxLength: takes,
  });
  const slip = fc.option(fc.tuple(fc.nat({ max: 12 }), fc.constantFrom(0, 1), value), { freq: 2 });
  return fc.tuple(args, fc.array(flags, { maxLength: 4 }), slip).map(([given, some, wrong]) => {
    const argv = [...words, ...given, ...some.flat()];
    return wrong === null ? argv : argv.toSpliced(Math.min(wrong[0], argv.length), wrong[1], wrong[2]);
  });
});

/** A line that is mostly invalid. */
const wild = fc.constantFrom(...entries).chain(({ words, flags: own }) => {
  const more = fc.oneof(
    { weight: 4, arbitrary: flagOf(own) },
    { weight: 3, arbitrary: flagOf(globals) },
    { weight: 2, arbitrary: value.map((one) => [one]) },
    { weight: 1, arbitrary: stray },
  );
  const end = fc.oneof(
    { weight: 9, arbitrary: fc.constant(words.length) },
    { weight: 1, arbitrary: fc.nat({ max: words.length }) },
  );
  const place = fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 9 }) });
  return fc
    .tuple(end, fc.array(more, { maxLength: 2 }), fc.array(more, { maxLength: 5 }), place)
    .map(([until, before, after, at]) => {
      const named = words.slice(0, until);
      if (at === 0) return [...named, ...after.flat()];
      const [within = []] = before;
      return [...before.flat(), ...named.slice(0, at), ...within, ...named.slice(at), ...after.flat()];
    });
});

export const commandLine: fc.Arbitrary<readonly string[]> = fc
  .oneof(plausible, wild)
  .filter((argv) => !argv.some(isLasting));

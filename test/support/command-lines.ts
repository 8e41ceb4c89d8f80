/** Command lines that nobody would type, generated from the existing commands and flags. */
import type { Command, Option } from 'commander';
import fc from 'fast-check';
import { allBelow } from '../../src/describe/describe.ts';
import { programOf } from './program.ts';
import { word } from './property.ts';

const program = programOf();

interface Entry {
  readonly words: readonly string[];
  readonly options: readonly Option[];
  readonly takes: number;
}

const namesOf = (command: Command): readonly string[] =>
  command.parent ? [...namesOf(command.parent), command.name()] : [];

const entries: readonly Entry[] = allBelow(program).map((command) => ({
  words: namesOf(command),
  options: command === program ? [] : command.options,
  takes: command.registeredArguments.length,
}));
const aliases = allBelow(program).flatMap((command) => command.aliases());

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
  ...[
    '2026-01-31T12:00:00Z',
    '2026-02-30T12:00:00Z',
    'yesterday',
    '90s',
    '5m',
    '0s',
    'true',
    'false',
    'null',
  ],
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

const globals = program.options;

const valueFor = (option: Option) => {
  if (/^--(base-url|proxy)$/.test(option.long ?? '')) return fc.constantFrom(...addresses);
  return option.argChoices ? fc.oneof(fc.constantFrom(...option.argChoices), value) : value;
};

/** A flag with a value, without one, with the value attached, or repeated. */
const flagOf = (options: readonly Option[]): fc.Arbitrary<readonly string[]> =>
  options.length === 0
    ? fc.constant([])
    : fc.constantFrom(...options).chain((option) => {
        const name = fc.constantFrom(...[option.long, option.short].filter((one) => one !== undefined));
        return fc.tuple(name, valueFor(option), fc.nat({ max: 9 })).map(([flag, given, how]) => {
          if (how === 0) return [flag];
          if (how === 1) return [`${flag}=${given}`];
          if (how === 2) return flag.startsWith('--') ? [flag, given, flag, given] : [flag + given];
          return option.required ? [flag, given] : [flag];
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
function rightValue({ flags, argChoices }: Option): string {
  if (/--(base-url|proxy)/.test(flags)) return 'http://127.0.0.1:1';
  if (/time-?out|interval/.test(flags)) return '90s';
  const [, kind = ''] = /<(\w+)>/.exec(flags) ?? [];
  return argChoices?.[0] ?? right[kind] ?? 'x';
}
const right: Readonly<Record<string, string>> = {
  number: '5',
  json: '{"name":"x"}',
  time: '2026-01-31T12:00:00Z',
  file: 'body.json',
  expression: '@',
  names: 'id',
};

const rightFlag = (options: readonly Option[]): fc.Arbitrary<readonly string[]> =>
  fc
    .constantFrom(...options)
    .map((option) => [option.long ?? '', ...(option.required ? [rightValue(option)] : [])]);

const runnable = entries.filter(({ words }) => words.length > 0 && !words.some(isLasting));

/** A line that is often valid, or has one mistake. */
const plausible = fc.constantFrom(...runnable).chain(({ words, options, takes }) => {
  const flags = fc.oneof(rightFlag(options.length > 0 ? options : globals), rightFlag(globals));
  const args = fc.array(
    fc.constantFrom('w_1', 'pets', 'pets:v1', 'workspace', 'bash', '/v1/user', 'body.json'),
    {
      minLength: takes,
      maxLength: takes,
    },
  );
  const slip = fc.option(fc.tuple(fc.nat({ max: 12 }), fc.constantFrom(0, 1), value), { freq: 2 });
  return fc.tuple(args, fc.array(flags, { maxLength: 4 }), slip).map(([given, some, wrong]) => {
    const argv = [...words, ...given, ...some.flat()];
    return wrong === null ? argv : argv.toSpliced(Math.min(wrong[0], argv.length), wrong[1], wrong[2]);
  });
});

/** A line that is mostly invalid. */
const wild = fc.constantFrom(...entries).chain(({ words, options }) => {
  const more = fc.oneof(
    { weight: 4, arbitrary: flagOf(options) },
    { weight: 3, arbitrary: flagOf(globals) },
    { weight: 2, arbitrary: value.map((one) => [one]) },
    { weight: 1, arbitrary: stray },
  );
  const end = fc.oneof(
    { weight: 9, arbitrary: fc.constant(words.length) },
    { weight: 1, arbitrary: fc.nat({ max: words.length }) },
  );
  const place = fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.nat({ max: 9 }) },
  );
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

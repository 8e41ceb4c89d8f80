/** Command lines as nobody would type them, of the words and flags that there are, and worlds to run them in. */
import type { Command, Option } from 'commander';
import fc from 'fast-check';
import type { Clock } from '../../src/clock.ts';
import type { Context } from '../../src/context.ts';
import { DtpError } from '../../src/errors.ts';
import { allBelow } from '../../src/generate/describe.ts';
import type { World } from './context.ts';
import { programOf } from './program.ts';
import { word } from './property.ts';

const program = programOf();

interface Entry {
  readonly words: readonly string[];
  readonly options: readonly Option[];
}

const namesOf = (command: Command): readonly string[] =>
  command.parent ? [...namesOf(command.parent), command.name()] : [];

const entries: readonly Entry[] = allBelow(program).map((command) => ({
  words: namesOf(command),
  options: command === program ? [] : command.options,
}));
const aliases = allBelow(program).flatMap((command) => command.aliases());

/** Addresses, of which none is anybody's: nothing may leave this machine, whoever runs the line. */
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

/** A flag with a value, without one, joined to it, or repeated. */
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

/** What `serve` and `dev` would start stays up until somebody ends it. */
const isLasting = (words: readonly string[]) => ['serve', 'dev'].includes(words[0] ?? '');

export const commandLine: fc.Arbitrary<readonly string[]> = fc
  .constantFrom(...entries.filter(({ words }) => !isLasting(words)))
  .chain(({ words, options }) => {
    const more = fc.oneof(
      { weight: 4, arbitrary: flagOf(options) },
      { weight: 3, arbitrary: flagOf(globals) },
      { weight: 2, arbitrary: value.map((one) => [one]) },
      { weight: 1, arbitrary: stray },
    );
    const cut = fc.oneof(
      { weight: 9, arbitrary: fc.constant(words.length) },
      { weight: 1, arbitrary: fc.nat({ max: words.length }) },
    );
    const place = fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.nat({ max: 9 }) },
    );
    return fc
      .tuple(cut, fc.array(more, { maxLength: 2 }), fc.array(more, { maxLength: 6 }), place)
      .map(([end, before, after, at]) => {
        const named = words.slice(0, end);
        // Mostly the command stands first.
        return at === 0
          ? [...named, ...after.flat()]
          : [
              ...before.flat(),
              ...named.slice(0, at),
              ...(before[0] ?? []),
              ...named.slice(at),
              ...after.flat(),
            ];
      });
  })
  .filter((argv) => !argv.some((one) => isLasting([one])));

/** What a service says: what is plausible, and what is not. */
export interface Said {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly lost: boolean;
}

const bodies = [
  ...[
    '{}',
    '[]',
    '[{"id":"w_1","name":"Pets"}]',
    '{"id":"w_1","name":"Pets"}',
    '{"items":[{"name":"pets"}]}',
    '{"items":[{}],"next_page_token":"t"}',
  ],
  ...[
    '{"auth_token":"t-1"}',
    '{"url":"https://127.0.0.1:1/x"}',
    '{"status":"pending"}',
    '{"message":"no","status_code":400}',
    '{"access_token":"x"}',
  ],
  ...[
    '',
    '<html>no</html>',
    'null',
    '5',
    '"text"',
    '{"a":',
    '\ufffd\u0000\u001b[2J',
    'true',
    '{"__proto__":{"x":1},"constructor":2}',
    '[[[]]]',
    '{"items":5}',
  ],
];

export const said: fc.Arbitrary<Said> = fc.record({
  status: fc.oneof(
    fc.constant(200),
    fc.constantFrom(200, 201, 202, 204, 301, 302, 400, 401, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504),
  ),
  body: fc.constantFrom(...bodies),
  headers: fc.constantFrom(
    {},
    { location: '/x' },
    { 'content-type': 'text/html' },
    { 'retry-after': '1', 'x-request-id': 'r-1' },
    { 'docker-content-digest': 'sha256:x' },
  ),
  lost: fc.nat({ max: 9 }).map((one) => one === 0),
});

/** Waits up to some seconds pass at once; a deadline is a longer one, and does not come. */
function quickClock(): Clock {
  let time = Date.UTC(2026, 0, 31, 12);
  return {
    now: () => time,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      if (ms > 5000)
        return new Promise((_, failed) => {
          signal?.addEventListener('abort', () => failed(signal.reason), { once: true });
        });
      time += ms;
    },
  };
}

/** A world without a network, a browser, a shell and programs. */
export function closedWorld({ status, body, headers, lost }: Said): World {
  const gone = () => new DtpError('network', 'a.test refused the connection', { retryable: true });
  const openSend: Context['openSend'] = async () => ({
    send: async () => {
      if (lost) throw gone();
      const bytes = (async function* () {
        yield Buffer.from(body);
      })();
      return { status, headers, body: bytes };
    },
    close: async () => undefined,
  });
  return {
    openSend,
    clock: quickClock(),
    openProbe: async () => ({
      lookUp: () => Promise.reject(gone()),
      reachProxy: () => Promise.reject(gone()),
      reach: () => Promise.reject(gone()),
    }),
    spawn: async () => 0,
    openBrowser: async () => undefined,
    exec: async () => 'k-1',
    runAside: async () => undefined,
  };
}

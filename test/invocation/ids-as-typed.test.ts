/** What is typed for an id is what is sent, whatever the lists of the service contain, and whether they can be read. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { readAll } from '../../src/request/http.ts';
import { argumentsOf, flagsOf } from '../../src/tree/operation-flags.ts';
import { dtp, temporaryFolder, type World, wallClock } from '../support/context.ts';
import { firsts } from '../support/subjects.ts';
import type { Row } from '../support/wire.ts';

/** Values that are ids for the platform. Some are also the name, or the beginning of the id, of a thing in `full`. */
const values = [
  'acme-id',
  '1',
  'user@host',
  'A1B2C3D4-E5F6-4A7B-8C9D-0E1F2A3B4C5D',
  'x'.repeat(200),
  'abcdef12',
  'is both',
  'null',
  '0123456789abcdef0123456789abcdef',
  'café/крот',
] as const;

const digest = `sha256:${'234b85'.padEnd(64, '0')}`;
const whole = 'abcdef12-0000-4000-8000-000000000000';

/** A row that is a thing of every list. */
const row = (id: string, name: string) => ({
  ...{ id, name, slug: name, email: name, token_name: name },
  ...{ digest: id.startsWith('sha256:') ? id : `sha256:${id}`, tags: [name], generate_gen_lock_id: id },
});
const rows = [
  row(whole, 'first'),
  row('is both', 'second'),
  row('other', 'is both'),
  row(digest, 'one-name'),
];

/** What every list of the service answers. */
const lists = {
  empty: [200, '[]', '{"items":[],"users":[]}'],
  null: [200, 'null', '{"items":null,"users":null}'],
  full: [200, JSON.stringify(rows), JSON.stringify({ items: rows, users: rows })],
  forbidden: [403, '{"message":"no"}'],
  broken: [500, '{"message":"no"}'],
  'an HTML page': [200, '<html><body>Sign in</body></html>'],
} as const;

type List = keyof typeof lists;

const isList =
  /^GET \/v1\/(workspaces|organizations|publishing-tokens|.*\/(team|tokens|revisions|tags|targets))$/;

interface Sent {
  readonly line: string;
  readonly url: URL;
  readonly body: string;
}

/** Runs a command, and returns its requests except those for lists. */
async function sentBy(argv: readonly string[], list: List, world: World = {}) {
  const [status, plain, wrapped = plain] = lists[list];
  const sent: Sent[] = [];
  const openSend: World['openSend'] = async () => ({
    send: async ({ method, url, body }) => {
      const one = new URL(url);
      const line = `${method} ${one.pathname}`;
      const bytes = body && ('open' in body ? await readAll(body.open(), 1e6) : body);
      sent.push({ line, url: one, body: Buffer.from(bytes ?? []).toString() });
      if (line.endsWith('/preflight')) return reply(200, '{"auth_token":"t-1"}');
      if (line.endsWith('/validate'))
        return reply(200, '{"workspace_id":"w_1","org_slug":"o","workspace_slug":"w"}');
      if (!isList.test(line)) return reply(200, '{}');
      return reply(status, /team|revisions|tags/.test(one.pathname) ? wrapped : plain);
    },
    close: async () => undefined,
  });
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
  const ended = await dtp(argv, { own: 'w_1', ...world, openSend, env: { ...env, ...world.env } });
  return { ...ended, sent };
}

const reply = (status: number, text: string) => ({
  status,
  headers: { 'content-type': text.startsWith('<') ? 'text/html' : 'application/json' },
  body: (async function* () {
    yield Buffer.from(text);
  })(),
});

/** The requests of an operation: those with its method, and a path of the form of its own. */
const ofOperation = (sent: readonly Sent[], { method, path }: Operation) => {
  const form = new RegExp(`^${method} ${path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
  return sent.filter(({ line }) => form.test(line));
};

const isIdField = /(^|_)id$|I[dD]$|digest$|slug$|reference$|Checksum$|^execution/;

/** A parameter of a command that takes an id, with the command line for a value of it. */
interface Parameter {
  readonly operation: Operation;
  readonly row: Row;
  readonly name: string;
  readonly isMember?: boolean;
  readonly argv: (value: string) => readonly string[];
  /** The values of the parameter in a request. */
  readonly valuesIn: (sent: Sent) => readonly unknown[];
}

const withoutFlag = (argv: readonly string[], flag: string) => {
  const at = argv.indexOf(flag);
  return at < 0 ? argv : argv.toSpliced(at, 2);
};

const parameters: readonly Parameter[] = firsts.flatMap((first) => {
  const operation: Operation = operations[first.id as keyof typeof operations];
  const { command, path, input } = operation;
  const base = [...withoutFlag(withoutFlag(first.argv, '-w'), '--workspace'), '--yes'];
  const segment = (name: string) => path.split('/').indexOf(`{${name}}`);
  const place = (name: string) => (sent: Sent) =>
    segment(name) < 0
      ? sent.url.searchParams.getAll(name)
      : [decodeURIComponent(sent.url.pathname.split('/')[segment(name)] ?? '')];
  const args = argumentsOf(operation).map(
    ([name], at): Parameter => ({
      ...{ operation, row: first, name },
      argv: (value) => base.with(command.length + at, value),
      valuesIn: place(name),
    }),
  );
  const flags = flagsOf(operation)
    .filter(
      ({ field, member = field, kind, is, many }) =>
        kind === 'string' && is === 'plain' && !many && isIdField.test(member),
    )
    .map(
      (flag): Parameter => ({
        ...{ operation, row: first, name: flag.member ?? flag.field, isMember: flag.member !== undefined },
        argv: (value) => [...withoutFlag(base, `--${flag.name}`), `--${flag.name}`, value],
        valuesIn:
          input[flag.field]?.in === 'query'
            ? place(flag.field)
            : ({ body }) => inBody(body, flag.member ?? flag.field),
      }),
    );
  const workspace = 'workspace_id' in input ? ['workspace_id'] : [];
  return [
    ...workspace.map(
      (name): Parameter => ({
        ...{ operation, row: first, name },
        argv: (value) => [...base, '-w', value],
        valuesIn: place(name),
      }),
    ),
    ...args,
    ...flags,
  ];
});

function inBody(text: string, name: string): readonly unknown[] {
  const body: unknown = JSON.parse(text);
  return [body].flat().map((one) => (one as Record<string, unknown>)[name]);
}

/** The parameters that a unique name may stand for. In a body, the workspace is none of them. */
const named = ['workspace_id', 'organizationID', 'organization_id', 'userId', 'tokenID', 'revision_digest'];
const isNamed = ({ name, isMember }: Parameter) =>
  named.includes(name) && (name !== 'workspace_id' || !isMember);

function folderWith(files: Row['files'] = {}): string {
  const home = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return home;
}

test('every parameter in a path is in the table, and all that a name may stand for', () => {
  const names = new Set(parameters.map(({ name }) => name));
  for (const name of named) expect(names).toContain(name);
  const inPaths = firsts.flatMap(({ id }) => {
    const { path } = operations[id as keyof typeof operations];
    return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => `${id} ${name}`);
  });
  const covered = parameters.map(({ operation, name }) => `${operation.id} ${name}`);
  expect(inPaths.filter((one) => !covered.includes(one) && !/_slug$/.test(one))).toEqual([]);
  expect(parameters.length).toBeGreaterThan(70);
});

const table = parameters.map((one) => [`${one.operation.id} ${one.name}`, one] as const);

describe.each(Object.keys(lists) as readonly List[])('if every list is %s', (list) => {
  // Elsewhere no list is read, so one state of the lists is enough.
  const some = table.filter(([, one]) => list === 'full' || isNamed(one));
  test.each(some)(
    '%s',
    async (_, one) => {
      const { operation, argv, valuesIn } = one;
      const home = folderWith(one.row.files);
      // The fields of bodies are many, and all treated alike.
      for (const value of one.isMember && !isNamed(one) ? values.slice(5, 8) : values) {
        const { sent, stderr } = await sentBy(argv(value), list, { home });
        const own = ofOperation(sent, operation);
        const texts = own.flatMap(valuesIn);
        // A flag for a string that may be null takes the word null.
        const expected = value === 'null' && texts.includes(null) ? null : value;
        expect(texts.length, `${value}: ${stderr}`).toBeGreaterThan(0);
        expect(new Set(texts), `${value}: ${stderr}`).toEqual(new Set([expected]));
      }
    },
    60_000,
  );
});

test.each(table.filter(([, one]) => isNamed(one)))(
  'a name that one thing has stands for its id: %s',
  async (_, { operation, row: first, name, argv, valuesIn }) => {
    const { sent, stderr } = await sentBy(argv('one-name'), 'full', { home: folderWith(first.files) });
    const own = ofOperation(sent, operation).flatMap(valuesIn);
    expect(new Set(own), `${name}: ${stderr}`).toEqual(new Set([digest]));
  },
);

describe('--body, -F and -f', () => {
  /** The fields of JSON bodies that hold ids. */
  const fields = [
    ...parameters.filter(({ operation, name }) => !(name in operation.input)),
    ...parameters.filter(({ operation, name }) => operation.input[name]?.in === 'member'),
  ].filter(({ operation }) => operation.id !== 'postWorkspaceEvents');
  const ways: Readonly<Record<string, (name: string, value: string) => readonly string[]>> = {
    '--body': (name, value) => ['--body', JSON.stringify({ [name]: value })],
    '-F': (name, value) => ['-F', `${name}=${value}`],
    '-f': (name, value) => ['-f', `${name}=${value}`],
  };

  test('there are some', () => {
    for (const name of [
      'target_id',
      'organization_id',
      'revision_digest',
      'generate_gen_lock_id',
      'gen_lock_id',
    ])
      expect(fields.map((one) => one.name)).toContain(name);
  });

  test.each(fields.map((one) => [`${one.operation.id} ${one.name}`, one] as const))(
    '%s',
    async (_, { operation, name }) => {
      const args = argumentsOf(operation).map(() => '00000000-0000-4000-8000-000000000001');
      for (const [way, words] of Object.entries(ways))
        for (const value of [...values, 'one-name', digest.slice(0, 13)]) {
          // -F makes a number of 1, and null of null.
          if (way === '-F' && /^(1|null)$/.test(value)) continue;
          const others = flagsOf(operation).flatMap((flag) =>
            flag.required && (flag.member ?? flag.field) !== name && flag.field !== 'body'
              ? [`--${flag.name}`, flag.kind === 'datetime' ? '90d' : 'x']
              : [],
          );
          const all = [...operation.command, ...args, ...words(name, value), ...others, '--yes'];
          const { sent, stderr } = await sentBy(all, 'full');
          const own = ofOperation(sent, operation);
          expect(own.length, `${way} ${value}: ${stderr}`).toBe(1);
          expect(new Set(inBody(own[0]?.body ?? '', name)), `${way} ${value}`).toEqual(new Set([value]));
          expect(sent.filter(({ line }) => isList.test(line))).toEqual([]);
        }
    },
    60_000,
  );
});

describe('dtp api', () => {
  test.each(Object.keys(lists) as readonly List[])('{workspace_id}, if every list is %s', async (list) => {
    for (const value of values) {
      const path = ['/v1/workspace/{workspace_id}', '/v1/later/{workspace_id}/more'];
      for (const one of path) {
        const { sent, stderr } = await sentBy(['api', one, '-w', value], list);
        expect(sent.at(-1)?.url.pathname, stderr).toBe(
          one.replace('{workspace_id}', encodeURIComponent(value)),
        );
      }
    }
  });

  test('ids in the path and the query are never looked up', async () => {
    for (const path of [
      '/v1/organization/one-name',
      '/v1/publishing-tokens/one-name?organization_id=one-name',
    ]) {
      const { sent } = await sentBy(['api', path], 'full');
      expect(sent.map(({ url }) => url.pathname + url.search)).toEqual([path]);
    }
  });
});

test.each([[['ws', 'get', '-w', 'acme-id']], [['publishing-tokens', 'get', 'acme-id']]])(
  'a list that never answers leaves time for the operation: %j',
  async (argv) => {
    const openSend: World['openSend'] = async () => ({
      send: async ({ method, url }, { signal }) => {
        if (isList.test(`${method} ${new URL(url).pathname}`))
          await new Promise((_, failed) => signal.addEventListener('abort', () => failed(signal.reason)));
        return reply(200, '{}');
      },
      close: async () => undefined,
    });
    const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1' };
    // The time of a list is over at once.
    const sleep: typeof wallClock.sleep = (ms, signal) => wallClock.sleep(ms === 10_000 ? 1 : ms, signal);
    const ended = await dtp(argv, { own: 'w_1', openSend, env, clock: { now: Date.now, sleep } });
    expect([ended.code, ended.stdout], ended.stderr).toEqual([0, '{}\n']);
  },
);

/** A service whose lists have any state, and every parameter of an operation that takes an id. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { readAll } from '../../src/request/http.ts';
import { argumentsOf, flagsOf } from '../../src/tree/operation-flags.ts';
import { dtp, temporaryFolder, type World } from './context.ts';
import type { Row } from './wire.ts';
import { firstRows } from './wire-subjects.ts';

/** Values that are ids for the platform. Some are also the name, or the beginning of the id, of a thing in `full`. */
export const values = [
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

export const digest = `sha256:${'234b85'.padEnd(64, '0')}`;
const whole = 'abcdef12-0000-4000-8000-000000000000';

/** A row that is a thing of every list. */
const row = (id: string, name: string) => ({
  ...{ id, name, slug: name, email: name, token_name: name },
  ...{ digest: id.startsWith('sha256:') ? id : `sha256:${id}`, tags: [name], generate_gen_lock_id: id },
});
const rows = [row(whole, 'first'), row('is both', 'second'), row('other', 'is both'), row(digest, 'one-name')];

/** What every list of the service answers. */
export const lists = {
  empty: [200, '[]', '{"items":[],"users":[]}'],
  null: [200, 'null', '{"items":null,"users":null}'],
  full: [200, JSON.stringify(rows), JSON.stringify({ items: rows, users: rows })],
  forbidden: [403, '{"message":"no"}'],
  broken: [500, '{"message":"no"}'],
  'an HTML page': [200, '<html><body>Sign in</body></html>'],
} as const;

export type List = keyof typeof lists;

export const isList =
  /^GET \/v1\/(workspaces|organizations|publishing-tokens|.*\/(team|tokens|revisions|tags|targets))$/;

export interface Sent {
  readonly line: string;
  readonly url: URL;
  readonly body: string;
}

/** Runs a command, and returns its requests except those for lists. */
export async function sentBy(argv: readonly string[], list: List, world: World = {}) {
  const [status, plain, wrapped = plain] = lists[list];
  const sent: Sent[] = [];
  const openSend: World['openSend'] = async () => ({
    send: async ({ method, url, body }) => {
      const one = new URL(url);
      const line = `${method} ${one.pathname}`;
      const bytes = body && ('open' in body ? await readAll(body.open(), 1e6) : body);
      sent.push({ line, url: one, body: Buffer.from(bytes ?? []).toString() });
      if (line.endsWith('/preflight')) return reply(200, '{"auth_token":"t-1"}');
      if (line.endsWith('/validate')) return reply(200, '{"workspace_id":"w_1","org_slug":"o","workspace_slug":"w"}');
      if (!isList.test(line)) return reply(200, '{}');
      return reply(status, /team|revisions|tags/.test(one.pathname) ? wrapped : plain);
    },
    close: async () => undefined,
  });
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
  const ended = await dtp(argv, { own: 'w_1', ...world, openSend, env: { ...env, ...world.env } });
  return { ...ended, sent };
}

export const reply = (status: number, text: string) => ({
  status,
  headers: { 'content-type': text.startsWith('<') ? 'text/html' : 'application/json' },
  body: (async function* () {
    yield Buffer.from(text);
  })(),
});

/** The requests of an operation, by its method and the form of its path. */
export const ofOperation = (sent: readonly Sent[], { method, path }: Operation) => {
  const form = new RegExp(`^${method} ${path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
  return sent.filter(({ line }) => form.test(line));
};

const isIdField = /(^|_)id$|I[dD]$|digest$|slug$|reference$|Checksum$|^execution/;

/** A parameter of a command that takes an id, with the command line for a value of it. */
export interface Parameter {
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

export const parameters: readonly Parameter[] = firstRows.flatMap((first) => {
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
        argv: (value) => [
          ...withoutFlag(withoutFlag(base, `--${flag.name}`), `--${flag.earlier}`),
          `--${flag.name}`,
          value,
        ],
        valuesIn:
          input[flag.field]?.in === 'query' ? place(flag.field) : ({ body }) => inBody(body, flag.member ?? flag.field),
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

export function inBody(text: string, name: string): readonly unknown[] {
  const body: unknown = JSON.parse(text);
  return [body].flat().map((one) => (one as Record<string, unknown>)[name]);
}

/** The parameters that a unique name may stand for. In a body, the workspace never is. */
export const named = ['workspace_id', 'organizationID', 'organization_id', 'userId', 'tokenID', 'revision_digest'];
export const isNamed = ({ name, isMember }: Parameter) =>
  named.includes(name) && (name !== 'workspace_id' || !isMember);

export function folderWith(files: Row['files'] = {}): string {
  const home = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return home;
}

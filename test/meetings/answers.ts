/** What the service may answer to a command, and what is then the whole answer. */
import type { Command } from './commands.ts';
import type { Reply, Request, Script } from './scripted.ts';

export type Row = Readonly<Record<string, unknown>>;

/** An integer that JavaScript would round: it is a string that starts so until it is written. */
const big = (digits: string): string => `big:${digits}`;
export const jsonOf = (value: unknown): string => JSON.stringify(value).replace(/"big:(\d+)"/g, '$1');

/** Parses JSON whose integers keep all digits, in the form that `jsonOf` writes. */
export const exactly = (text: string): unknown =>
  JSON.parse(
    text.replace(
      /("(?:[^"\\]|\\.)*")|(?<![\d.eE+-])(\d{16,})(?![\d.eE])/g,
      (_, string, digits) => string ?? `"${big(digits)}"`,
    ),
  );

/** Strings of an id or a name that some format, shell or terminal could take for something else. */
const odd = ['-x', '{a,--base-url=http://127.0.0.1:1}', 'é\t"\n,', 'no', '007', '\u001b[31mred', '../up', "it's #1"];

const minutes = 60_000;
/** The newest row was created then. */
export const newest = Date.parse('2026-03-09T10:00:00Z');
export const time = (at: number): string => new Date(newest - at * minutes).toISOString();

/** A row with the fields of the operation, and others of each kind of value. */
const rowOf = (first: Row, at: number, isOdd: boolean): Row => ({
  ...Object.fromEntries(
    Object.entries(first).map(([key, value]) => [key, typeof value === 'string' ? `${value}-${at}` : value]),
  ),
  id: isOdd ? `${odd[at % odd.length]}${at}` : `id-${at}`,
  name: isOdd ? odd[at % odd.length] : `name ${9 - (at % 10)}`,
  created_at: time(at),
  success: at % 2 === 0,
  ...('operationId' in first && { operationId: 'x-1', language: 'go', method: 'get', path: '/pets' }),
  n: [9, 10, 100, 1.5, -3][at % 5],
  trace: big(`12345678901234567${String(890 + (at % 100))}`),
  note: at % 3 === 0 ? null : { text: `a, "b"\n${at}`, list: [at, 'x'] },
});

const rowsOf = (first: Row, count: number, isOdd = false): readonly Row[] =>
  Array.from({ length: count }, (_, at) => rowOf(first, at, isOdd));

/** Where the rows of an answer are: at the top, or in a field. Undefined if it is not a list. */
interface Shape {
  readonly field: string | undefined;
  readonly first: Row;
  readonly rest: Row;
}

export function shapeOf({ reply: { body }, result, command }: Command): Shape | undefined {
  if (result !== 'list' && !body.startsWith('[') && !/^\{"\w+":\[/.test(body)) return undefined;
  if (command.startsWith('suggest')) return undefined;
  const value: unknown = body === '' ? [] : JSON.parse(body);
  const [field, rows] = Array.isArray(value)
    ? [undefined, value]
    : (Object.entries(Object(value)).find(([, one]) => Array.isArray(one)) ?? [undefined, []]);
  const [first = command.startsWith('code-samples') ? { operationId: '' } : {}] = rows as readonly unknown[];
  if (typeof first !== 'object' || first === null) return undefined;
  const rest =
    field === undefined
      ? {}
      : (Object.fromEntries(Object.entries(Object(value)).filter(([key]) => key !== field)) as Row);
  return { field, first: first as Row, rest };
}

const wrapped = ({ field, rest }: Shape, rows: readonly Row[], more: Row = {}) =>
  field === undefined ? rows : { ...rest, [field]: rows, ...more };

const json = (value: unknown, status = 200): Reply => ({
  status,
  body: jsonOf(value),
  headers: { 'content-type': 'application/json' },
});

const message = (status: number, headers = {}): Reply => ({
  status,
  body: '{"message":"what the service says"}',
  headers: { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers },
});

export interface Answer {
  /** The value that is the whole answer, if it is JSON and whole. */
  readonly value?: unknown;
  readonly rows?: readonly Row[];
  readonly script: Script;
}

/** The answers of an hour whose clock is an hour ahead of ours: its time counts, not ours. */
const ahead = (ms: number) => new Date(Date.now() + 3_600_000 + ms).toUTCString();

/** How many rows the answer `deep` has: more than a client reads that does not search the whole period. */
const deepRows = 200_000;

/** The answers that a command may get. The first is the usual one. */
export function answersOf(command: Command): Readonly<Record<string, () => Answer>> {
  const { reply, request, argv } = command;
  if (request === undefined) return { none: () => ({ script: () => message(404) }) };
  const shape = shapeOf(command);
  const always =
    (one: Reply): Script =>
    () =>
      one;
  const usual: Reply = {
    ...reply,
    headers: { ...(/^[[{"]/.test(reply.body) && { 'content-type': 'application/json' }), ...reply.headers },
  };
  const failures: Record<string, () => Answer> = {
    404: () => ({ script: always(message(404)) }),
    500: () => ({ script: always(message(500)) }),
    cut: () => ({ script: always({ ...usual, isCut: true }) }),
    slow: () => ({ script: always({ ...usual, afterMs: 100 }) }),
    never: () => ({ script: always({ ...usual, afterMs: 60_000 }) }),
    null: () => ({ script: always(json(null)) }),
    'again in 1 s by the clock of the service': () => ({
      script: (_, { length }) => (length === 0 ? message(429, { date: ahead(0), 'retry-after': ahead(1000) }) : usual),
    }),
  };
  if (command.operation === 'postWorkspaceEvents') failures['a full disk'] = failures['500'] as () => Answer;
  if (!shape) {
    const value = (): Pick<Answer, 'value'> =>
      command.result === 'record' && /^\{/.test(reply.body) ? { value: exactly(reply.body) } : {};
    return {
      usual: () => ({ ...value(), script: always(usual) }),
      ...failures,
      204: () => ({ script: always({ status: 204 }) }),
    };
  }
  const list =
    (count: number, isOdd = false) =>
    (): Answer => {
      const rows = rowsOf(shape.first, count, isOdd);
      const last = 'next_page_token' in shape.rest ? { next_page_token: '' } : {};
      const script: Script = ({ url }) => json(wrapped(shape, rows.slice(0, limitIn(url)), last), reply.status);
      return { rows, value: wrapped(shape, rows, last), script };
    };
  const pages = (): Answer => {
    const rows = rowsOf(shape.first, 9);
    const script: Script = ({ url }) => {
      const at = Number(/next_page_token=(\d+)/.exec(url)?.[1] ?? 0);
      return json(wrapped(shape, rows.slice(at, at + 3), { next_page_token: at + 3 < 9 ? String(at + 3) : '' }));
    };
    return { rows, script };
  };
  const deep = (): Answer => {
    const rows = Array.from({ length: deepRows }, (_, at) => ({ id: `id-${at}`, created_at: time(at) }));
    return { rows, script: ({ url }) => json(rows.slice(0, limitIn(url))) };
  };
  const isPaged = 'next_page_token' in shape.rest;
  const isEvents = argv[0] === 'events' && argv[1] === 'search';
  return {
    three: list(3),
    empty: list(0),
    one: list(1),
    odd: list(odd.length, true),
    many: list(command.flags.some(({ name }) => name === '--out-dir') ? 300 : 10_001),
    ...failures,
    ...(isPaged && { pages }),
    ...(isEvents && { deep }),
    ...(reply.status !== 202 && { 202: () => ({ script: always({ ...usual, status: 202 }) }) }),
  };
}

const limitIn = (url: string): number => Number(/[?&]limit=(\d+)/.exec(url)?.[1] ?? Number.POSITIVE_INFINITY);

/** Answers to the other requests of a command, which ask for the workspace, a token of a namespace, or a name. */
export const beside = ({ url, method }: Request): Reply =>
  /\/auth\/validate/.test(url)
    ? json({ workspace_id: 'w_1', workspace_slug: 'w', org_slug: 'o' })
    : /\/preflight/.test(url) && method === 'POST'
      ? json({ auth_token: 'a.b' })
      : json([]);

/** Defines the shape of an operation and its types, the fields that several share, and its effect on data. */
import type { ErrorCode } from '../errors.ts';
import { fieldsOf, isRecord } from '../json-object.ts';

/** Where a field is sent: `body` is the whole JSON body, `member` a field of it, `part` a part of a multipart body. */
export type FieldPlace = 'path' | 'query' | 'header' | 'body' | 'member' | 'part';

/** `datetime` is an RFC 3339 string. A `file` in a JSON body is a string that the user passes as a file. */
export type Kind = 'string' | 'integer' | 'boolean' | 'datetime' | 'json' | 'file';

/** Which way a duration counts from now: `--since 1h` is in the past, `--valid-until 90d` in the future. */
export type Direction = 'past' | 'future';

export interface Field {
  readonly in: FieldPlace;
  readonly kind: Kind;
  readonly help: string;
  readonly required?: true;
  /** Whether the field is required in an otherwise empty body, although the API document allows an empty body. */
  readonly wanted?: true;
  readonly many?: true;
  /** The only values that the API document allows. */
  readonly oneOf?: readonly string[];
  /** The record or enum of records.ts that describes the value. Other fields and values are allowed. */
  readonly record?: string;
  /** The field with the document whose format this field is (`json` or `yaml`). It is detected by default. */
  readonly formatOf?: string;
  /** Sent if the user passes no value. */
  readonly default?: string | boolean;
  /** Whether the value is an API document. It is sent as one document that includes the files it refers to. */
  readonly document?: true;
  /** Whether the value is a list of methods and paths, such as `{"method":"get","path":"/pets"}`. */
  readonly isMethodPaths?: true;
  /** Whether a duration given for a time counts back from now (default), or forward. */
  readonly direction?: Direction;
  /** The name of the value in parsed flags, if it is not derived from the field. Only for `dtp api`. */
  readonly flag?: string;
}

/** A policy of exponential backoff. All times are in milliseconds. */
export interface RetryPolicy {
  readonly initialMs: number;
  readonly maxMs: number;
  readonly elapsedMs: number;
  readonly exponent: number;
  /** The statuses that are retried. A 429 with Retry-After is also retried (see `isRetried`). */
  readonly statuses: readonly number[];
}

/** A field, or a column that shows the first of several fields that has a value. `a/b` joins two fields. */
export type ScreenColumn =
  | string
  | {
      readonly title: string;
      readonly from: readonly string[];
      /** Whether the column is omitted first if the table is too wide. */
      readonly isLesser?: true;
    };

export interface Operation {
  readonly id: string;
  readonly command: readonly [noun: string, ...rest: string[]];
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/v1/${string}`;
  /** The query that the user typed for `dtp api`, which is sent as it is. Like the path, it may have placeholders. */
  readonly query?: string;
  readonly input: Readonly<Record<string, Field>>;
  /** The content of a 2XX response. `bytes` are streamed. `none` means no body, but a body that comes is shown. */
  readonly result: 'none' | 'record' | 'list' | 'text' | 'bytes';
  /** The field of the response that contains the rows. If it is not set, the response itself is the list. */
  readonly rows?: string;
  readonly columns?: readonly string[];
  /** The columns of the table on a terminal, if they differ from `columns`. The first one identifies the row. */
  readonly screen?: readonly ScreenColumn[];
  /** A field that is not in the path, but may be passed as an argument instead of a flag. */
  readonly operand?: string;
  /** What `-o name` prints without an id: `workspace.id`, or `missing_secrets[]` for a list. False without any name. */
  readonly names?: string | false;
  readonly retry?: RetryPolicy;
  /**
   * Why the command does more than send one request. `wait`: the operation starts a job, or reports with 202 that a job
   * is still running (States and transitions 1 to 3). `run`: it starts a run, whose status another operation shows.
   * `pages`: the list has pages. `spool`: events are queued on the disk and sent in batches. `summary`: the body
   * contains a summary of a document. `upload` and `link`: the response contains a signed URL.
   */
  readonly flow?: 'wait' | 'run' | 'pages' | 'spool' | 'summary' | 'upload' | 'link';
  readonly auth?: 'none';
  /**
   * `credential`: the operation acts on the credential's workspace, or on its organization, registry, code host, reports
   * or jobs. If another workspace is selected, the operation is not sent. Other operations name a workspace in their
   * input, or are about no workspace.
   */
  readonly workspace?: 'credential';
  /** The command that replaces this deprecated one. True if the API document names no other operation. */
  readonly deprecated?: string | true;
  /** What the operation does to the user's data (default: `read` for a GET, else `write`). */
  readonly effect?: 'read' | 'write' | 'destroy' | 'bill';
  /** The status with which the service says that the job is still running (States and transitions 2). */
  readonly pending?: 202;
  /** Whether the response is the latest run of a workflow, which may end while it is watched. */
  readonly isRun?: true;
  /** Whether the rows are events, of which a terminal shows only the newest. */
  readonly hasNewest?: true;
  /** Whether the rows are workspaces, of which a terminal marks the selected one. */
  readonly areWorkspaces?: true;
  /** The field with the digest of the response's content, and what the content is called. */
  readonly digest?: { readonly field: string; readonly what: string };
  /** Whether the response may be anything, even empty or a web page. Its digest is checked instead. */
  readonly isAnyContent?: true;
  /** Whether the response has one string per item of the request, so that it must be complete before it is shown. */
  readonly isPerItem?: true;
  /** What a user must know besides the flags, one paragraph each. */
  readonly notes?: readonly string[];
  /** The errors with which the command may end, besides those of its requests and its flow. */
  readonly ends?: readonly ErrorCode[];
  /** Seconds after which the command fails with a timeout (default: 60). */
  readonly timeout?: number;
  /** The limitation of the embedded service. The help and the header `dtp-simplified` show it. */
  readonly simplified?: string;
}

/**
 * A file from the user or from a request. Each call of `open` starts at the beginning, so that every attempt sends the
 * whole file. The memory of a piece is reused after two more pieces, so copy any piece that is needed for longer.
 */
export interface FileValue {
  readonly name: string;
  /** The path that the user passed; `-` for standard input. */
  readonly path?: string;
  /** In bytes. */
  readonly size: number;
  /** The names of other files that are bundled into this one. */
  readonly holds?: readonly string[];
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** Whether a value is a FileValue. A decoded JSON value cannot be one, because it contains no functions. */
export const isFile = (value: unknown): value is FileValue => isRecord(value) && typeof value.open === 'function';

/** Returns a field. Throws an internal error if the operation has no such field. */
export function fieldNamed({ id, input }: Operation, name: string): Field {
  const field = input[name];
  if (field === undefined) throw new Error(`${id} has no field ${name}`);
  return field;
}

type Names<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | Names<R> : never;
type PathFields<I> = { [K in keyof I]: I[K] extends { in: 'path' } ? K : never }[keyof I];

/** Checks that every {name} of the path is a path field, and that every path field is in the path. */
type PathMatches<P extends string, I> = [Names<P>] extends [PathFields<I>]
  ? [PathFields<I>] extends [Names<P>]
    ? unknown
    : { input: `no {name} for: ${Exclude<PathFields<I>, Names<P>> & string}` }
  : { input: `no path field for: ${Exclude<Names<P>, PathFields<I>> & string}` };

/** The type (see field-types.ts), the meaning, and who sets the field if the user does not (`filled`: the command). */
export type RecordField = readonly [type: string, meaning: string, setBy?: 'service' | 'filled'];
export type RecordFields = Readonly<Record<string, RecordField>>;

/** An example of a command. Help shows the examples, and a test runs them. */
export interface Example {
  /** What the example does, without a period at the end. */
  readonly says: string;
  /** The shell command. No line is longer than 78 characters. */
  readonly command: string;
  readonly exit?: number;
}

/** The two examples of each operation: what an example does, and its command. */
export type Examples = Readonly<Record<string, Readonly<Record<string, string | Omit<Example, 'says'>>>>>;

/** An operation without its id, which is the name that its area exports it by. */
export type DefinedOperation = Omit<Operation, 'id'>;

/** The values of the fields that a declaration may leave out. */
const usual = { input: {}, result: 'record' } as const;
type Declared = Omit<DefinedOperation, 'method' | 'path' | 'input' | 'result'> &
  Partial<Pick<Operation, 'input' | 'result'>>;
type Usual<T extends Declared> = T & Omit<typeof usual, keyof T>;

/** Returns a function that defines operations with these fields. The compiler checks them, and keeps literal types. */
export const definingWith =
  <const Shared extends Partial<Declared>>(shared: Shared) =>
  <M extends Operation['method'], P extends Operation['path'], const T extends Declared>(
    request: `${M} ${P}`,
    rest: T & PathMatches<P, Usual<T>['input']>,
  ): Usual<T> & Shared & { readonly method: M; readonly path: P } => {
    const [method, path] = request.split(' ') as [M, P];
    return { ...usual, ...shared, ...rest, method, path };
  };

export const defineOperation = definingWith({});

/** Defines an operation that acts on the credential's workspace, or on its organization. */
export const defineOwn = definingWith({ workspace: 'credential' });

type One<F extends Field> = F extends { oneOf: readonly (infer V)[] }
  ? V
  : F['kind'] extends 'integer'
    ? number
    : F['kind'] extends 'boolean'
      ? boolean
      : F['kind'] extends 'json'
        ? unknown
        : F extends { kind: 'file'; in: 'part' }
          ? FileValue
          : string;
type ValueOf<F extends Field> = F extends { many: true } ? readonly One<F>[] : One<F>;
type RequiredOf<I> = { [K in keyof I]: I[K] extends { required: true } ? K : never }[keyof I];
type Show<T> = { [K in keyof T]: T[K] } & {};

/** The input of an operation, with the type of each of its fields. */
export type InputOf<T extends Pick<Operation, 'input'>> = Show<
  { readonly [K in RequiredOf<T['input']>]: ValueOf<T['input'][K] & Field> } & {
    readonly [K in Exclude<keyof T['input'], RequiredOf<T['input']>>]?: ValueOf<T['input'][K] & Field>;
  }
>;

/** The input of an operation that is only known at run time. Separate fields override the fields of `body`. */
export type Input = Readonly<Record<string, unknown>>;

/** Returns the declared effect of an operation, or the default for its method. */
export const effectOf = ({ effect, method }: Operation): NonNullable<Operation['effect']> =>
  effect ?? (method === 'GET' ? 'read' : 'write');

/** Whether an operation reads a list at once, not in pages. Its rows can then be written as they arrive. */
export const readsList = (operation: Operation): boolean =>
  (operation.result === 'list' || operation.rows !== undefined) &&
  effectOf(operation) === 'read' &&
  operation.flow !== 'pages';

/** Why an operation needs confirmation: it removes data or access, costs money, or makes something public. */
export type Harm = 'destroy' | 'bill' | 'publish';

/** Returns why an operation needs confirmation. Undefined if it never does. */
export function harmOf({ id, effect }: Pick<Operation, 'id' | 'effect'>): Harm | undefined {
  if (effect === 'destroy' || effect === 'bill') return effect;
  // These are the only operations that publish, so their records need no word for it.
  return id === 'setVisibility' || id === 'createSchemaStoreItem' ? 'publish' : undefined;
}

/** Whether a body leaves nothing to confirm: it makes a namespace private, or restores it. */
export const isHarmless = ({ id }: Pick<Operation, 'id'>, body: unknown): boolean =>
  (id === 'setVisibility' && fieldsOf(body).public === false) ||
  (id === 'archiveNamespace' && fieldsOf(body).archived === false);

export const inPath = (help: string) => ({ in: 'path', kind: 'string', required: true, help }) as const;

export const inQuery = (help: string) => ({ in: 'query', kind: 'string', help }) as const;

export const inRequiredQuery = (help: string) => ({ ...inQuery(help), required: true }) as const;

export const inMember = (help: string) => ({ in: 'member', kind: 'string', required: true, help }) as const;

/** The whole JSON body, which is required. `record` describes it. */
export const inBody = (record: string, help: string) =>
  ({ in: 'body', kind: 'json', required: true, record, help }) as const;

/** The whole JSON body, which may be empty in the API document. */
export const inWantedBody = (record: string, help: string) =>
  ({ in: 'body', kind: 'json', wanted: true, record, help }) as const;

/** An API document, which is sent as one document that includes the files it refers to. */
export const apiDocument = { kind: 'file', document: true, help: 'API document, with the files it refers to' } as const;

/** The path parameter of most operations (Endpoints, conventions). Its flag defaults to the profile's workspace. */
export const workspace = inPath('workspace: id, name or slug (default: the current workspace)');

export const namespace = inPath('namespace name');

export const publishingToken = inPath('publishing token: id or name');

export const session = {
  in: 'header',
  kind: 'string',
  required: true,
  help: 'session id, any string (default: a new UUID)',
} as const satisfies Field;

/** The path parameters of manifests and blobs. The settings provide defaults for the two slugs. */
export const repository = {
  organization_slug: inPath('organization slug'),
  workspace_slug: inPath('workspace slug'),
  namespace_name: namespace,
} as const satisfies Record<string, Field>;

export const org = inRequiredQuery('owner of the repository on the code host');

export const repo = inRequiredQuery('repository on the code host');

export const genLock = inRequiredQuery('lock id of the target');

/** The limitation of the embedded service for plans and prices. */
export const plan = 'nothing is billed; the limits of a free plan apply';

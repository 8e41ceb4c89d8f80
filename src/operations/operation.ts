/** The shape of an operation, and the types that follow from one: its input, its checks. */
import { isRecord } from '../json-object.ts';

/** Where a field is sent: `body` is the whole JSON body, `member` one of its fields, `part` one multipart part. */
export type Place = 'path' | 'query' | 'header' | 'body' | 'member' | 'part';

/** `datetime` is an RFC 3339 string. A `file` in a JSON body is a string that the user gives as a file. */
export type Kind = 'string' | 'integer' | 'boolean' | 'datetime' | 'json' | 'file';

export interface Field {
  readonly in: Place;
  readonly kind: Kind;
  readonly help: string;
  readonly required?: true;
  /** Required when nothing of the body is given: the document does not say so, but the command means nothing without it. */
  readonly wanted?: true;
  readonly many?: true;
  /** The only values that the document allows. */
  readonly oneOf?: readonly string[];
  /** The named record of records.ts that describes the value: known fields or known values, never walls. */
  readonly record?: string;
  /** What is sent when the user gives nothing. */
  readonly default?: string | boolean;
  /** An API description: sent as one document, with what it refers to in other files. */
  readonly document?: true;
  /** The flag's name, where the derived one would clash with a flag that every command has. */
  readonly flag?: string;
}

/** Exponential backoff; all times in milliseconds. */
export interface RetryPolicy {
  readonly initialMs: number;
  readonly maxMs: number;
  readonly elapsedMs: number;
  readonly exponent: number;
  /** With them goes a 429 that says how long to wait: errors.ts, `isRepeated`. */
  readonly statuses: readonly number[];
}

export interface Operation {
  readonly id: string;
  readonly command: readonly [noun: string, ...rest: string[]];
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/v1/${string}`;
  readonly input: Readonly<Record<string, Field>>;
  /** What a 2XX carries. `bytes` are handed on as they come. With `none`, what the service sends all the same is shown. */
  readonly result: 'none' | 'record' | 'list' | 'text' | 'bytes';
  /** The field of the answer that contains the rows; without it the answer itself is the list. */
  readonly rows?: string;
  readonly columns?: readonly string[];
  /**
   * The path of what `-o name` prints of a record whose own id is elsewhere, such as `workspace.id`, or `missing_secrets[]`
   * for a list of strings. False for a record that nothing names.
   */
  readonly names?: string | false;
  readonly retry?: RetryPolicy;
  /**
   * Why its command is more than one request. `wait`: it starts a job, or its 202 says that the job is still running
   * (States and transitions 1 to 3). `upload` and `link`: the answer is a signed URL.
   */
  readonly flow?: 'wait' | 'pages' | 'spool' | 'upload' | 'link';
  readonly auth?: 'none';
  /** The command that replaces it. */
  readonly deprecated?: string;
  /** What it does to the user's data (default: `read` for a GET, else `write`). */
  readonly effect?: 'read' | 'write' | 'destroy' | 'bill';
  /** Seconds after which the command fails with a timeout (default: 60). */
  readonly timeout?: number;
  /** What the embedded service does instead: a line of the help, and its header `dtp-simplified`. */
  readonly simplified?: string;
}

/**
 * A file of the user's or of a request. `open` reads it afresh each time, so an attempt never re-sends a spent stream. The
 * memory of a piece is used again after the next two: who holds pieces longer holds copies.
 */
export interface FileValue {
  readonly name: string;
  /** As the user gave it; `-` for standard input. */
  readonly path?: string;
  /** Bytes. */
  readonly size: number;
  /** The names of other files whose content is in it. */
  readonly holds?: readonly string[];
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** No JSON value is one: none holds a function. */
export const isFile = (value: unknown): value is FileValue =>
  isRecord(value) && typeof value.open === 'function';

/** Throws for a name that no field has. */
export function fieldNamed({ id, input }: Operation, name: string): Field {
  const field = input[name];
  if (field === undefined) throw new Error(`${id} has no field ${name}`);
  return field;
}

/** Checks the shape and keeps the literal types. Returns its argument. */
export const operation = <const T extends Operation>(op: T & PathMatches<T>): T => op;

type Names<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | Names<R> : never;
type PathFields<I> = { [K in keyof I]: I[K] extends { in: 'path' } ? K : never }[keyof I];

/** Every {name} of the path is a path field, and every path field is in the path. */
type PathMatches<T extends Operation> = [Names<T['path']>] extends [PathFields<T['input']>]
  ? [PathFields<T['input']>] extends [Names<T['path']>]
    ? unknown
    : { path: `no {name} for: ${Exclude<PathFields<T['input']>, Names<T['path']>> & string}` }
  : { path: `no path field for: ${Exclude<Names<T['path']>, PathFields<T['input']>> & string}` };

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

/** The typed record of an operation's fields. */
export type InputOf<T extends Operation> = Show<
  { readonly [K in RequiredOf<T['input']>]: ValueOf<T['input'][K] & Field> } & {
    readonly [K in Exclude<keyof T['input'], RequiredOf<T['input']>>]?: ValueOf<T['input'][K] & Field>;
  }
>;

/** An input whose operation is known only at run time; it may contain `body` and single fields, which override the body. */
export type Input = Readonly<Record<string, unknown>>;

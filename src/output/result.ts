/** Defines the results that commands return. write-result.ts writes them, and mcp/ renders them for agents. */
import type { DtpError } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import type { Value } from '../request/read.ts';
import type { Output, Shape } from './choice.ts';
import type { Done } from './done.ts';

/** The requests that a result comes from. They stay open until it is written, as its bytes may still be arriving. */
export interface OpenCalls {
  /** Aborted at the deadline of the command. Rendering counts as part of the command. */
  readonly signal: AbortSignal;
  /** Returns the same failure with hints. */
  readonly explain: (error: unknown) => unknown;
  readonly end: () => Promise<void>;
}

interface Ending {
  readonly calls?: OpenCalls;
  /** Overrides of the requested output. */
  readonly output?: Partial<Output>;
  /** Written to stderr after the result. */
  readonly notes?: readonly string[];
  /** What the command did, for people. */
  readonly done?: Done | undefined;
  /** Runs after the result is written, for example to open a browser. */
  readonly after?: () => Promise<void>;
  /** A failure that sets the exit code after the result is written, such as the first failed check of `dtp doctor`. */
  readonly failure?: DtpError | undefined;
}

export interface ValueResult extends Ending {
  readonly kind: 'value';
  readonly value: unknown;
  readonly shape?: Shape;
  /** Returns the lines that people see instead of the table. */
  readonly text?: (output: Output) => string;
}

/** The decoded response of an operation. */
export interface AnswerResult extends Ending {
  readonly kind: 'answer';
  readonly operation: Operation;
  readonly value: Value;
  /** The part of the value that a person needs, such as a new key or a URL. A terminal shows only this part. */
  readonly alone?: string | undefined;
  /** The name, slug or id of the workspace that the user selected. */
  readonly workspace?: string | undefined;
}

/** The rows of a response that is a list, or has one. */
export interface ListSource {
  /**
   * Yields the rows in groups, as they arrive. Returns the response if it has no list. With `again`, the next call gets
   * the same rows.
   */
  readonly rows: (again?: boolean) => AsyncGenerator<readonly unknown[], { readonly value: unknown } | undefined>;
  /** Returns the whole response. Throws `bad_response` with `isTooLong` if it is too long for memory. */
  readonly whole: () => Promise<Value>;
  readonly close: () => void;
}

/** A list of any length. The format decides how it is read. */
export interface ListResult extends Ending {
  readonly kind: 'list';
  readonly operation: Operation;
  readonly list: ListSource;
  /** How many rows are shown at most. */
  readonly most?: number | undefined;
  /** The name, slug or id of the workspace that the user selected. */
  readonly workspace?: string | undefined;
}

/** Rows without an end, written as NDJSON as they arrive. */
export interface RowsResult extends Ending {
  readonly kind: 'rows';
  readonly rows: AsyncIterable<readonly unknown[]>;
  readonly shape: Shape;
  /** Returns the lines for one group of rows. They replace NDJSON if the format is a table. */
  readonly text?: (rows: readonly unknown[]) => string;
}

export type Result =
  | ValueResult
  | AnswerResult
  | ListResult
  | RowsResult
  /** Text that is written unchanged in every format: a script, a curl command, a chart. */
  | (Ending & { readonly kind: 'text'; readonly text: string })
  /** Work without a result. If a format was requested, stdout reports that the work is done. */
  | (Ending & { readonly kind: 'done' });

/** The results of commands. Commands never write them: write-result.ts does, and dtp mcp renders them for agents. */
import type { DtpError } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import type { Value } from '../request/read.ts';
import type { Output, Shape } from './choice.ts';

/** The calls that a result comes from. They stay open until it is written, because its bytes may still be arriving. */
export interface OpenCalls {
  /** Aborted at the deadline of the command, which includes rendering. */
  readonly signal: AbortSignal;
  /** The same failure with hints. */
  readonly explain: (error: unknown) => unknown;
  readonly end: () => Promise<void>;
}

interface Ending {
  readonly calls?: OpenCalls;
  /** Overrides of the requested output. */
  readonly output?: Partial<Output>;
  /** Written to stderr after the result. */
  readonly notes?: readonly string[];
  /** Runs after the result is written, for example to open a browser. */
  readonly after?: () => Promise<void>;
  /** A failure to exit with although there is a result, such as the first failed check of the doctor. */
  readonly failure?: DtpError | undefined;
}

/** A value, written in the requested format. */
export interface ValueResult extends Ending {
  readonly kind: 'value';
  readonly value: unknown;
  readonly shape?: Shape;
  /** Replaces the table for people. */
  readonly text?: (output: Output) => string;
}

/** The decoded response of an operation. */
export interface AnswerResult extends Ending {
  readonly kind: 'answer';
  readonly operation: Operation;
  readonly value: Value;
}

/** The rows of a list as they arrive, written as NDJSON. */
export interface RowsResult extends Ending {
  readonly kind: 'rows';
  readonly rows: AsyncIterable<readonly unknown[]>;
  readonly shape: Shape;
  /** Replaces NDJSON if the format is a table: returns the lines of one group of rows. */
  readonly text?: (rows: readonly unknown[]) => string;
}

/** Text that is written unchanged in every format: a script, a curl command, a chart. */
export interface TextResult extends Ending {
  readonly kind: 'text';
  readonly text: string;
}

/** Work without a result. Stdout only reports that it is done if a format was requested. */
export interface DoneResult extends Ending {
  readonly kind: 'done';
}

export type Result = ValueResult | AnswerResult | RowsResult | TextResult | DoneResult;

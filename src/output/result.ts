/** What a command produces. No command writes it: write-result.ts does, and dtp mcp renders it for an agent. */
import type { DtpError } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import type { Value } from '../request/read.ts';
import type { Output, Shape } from './choice.ts';

/** The calls that a result was made with. They stay open until it is written: its bytes may still be on their way. */
export interface OpenCalls {
  /** Aborted when the time of the command is over: rendering takes part of it. */
  readonly signal: AbortSignal;
  /** The same failure, with what is known of the command. */
  readonly explain: (error: unknown) => unknown;
  readonly end: () => Promise<void>;
}

interface Ending {
  readonly calls?: OpenCalls;
  /** How it is written, where that is not what was asked for. */
  readonly output?: Partial<Output>;
  /** Said on stderr after the result. */
  readonly notes?: readonly string[];
  /** What is left to do when the result is written, such as opening a browser. */
  readonly after?: () => Promise<void>;
  /** What the command ends with although it has a result, such as the first failure that the doctor found. */
  readonly failure?: DtpError | undefined;
}

/** A value, written in the format that was asked for. */
export interface ValueResult extends Ending {
  readonly kind: 'value';
  readonly value: unknown;
  readonly shape?: Shape;
  /** The text that a person sees instead of a table. */
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
}

/** A text that is written as it is, whatever the format: a script, a curl command, a chart. */
export interface TextResult extends Ending {
  readonly kind: 'text';
  readonly text: string;
}

/** Work without a result. Only a format that was asked for says on stdout that it is done. */
export interface DoneResult extends Ending {
  readonly kind: 'done';
}

export type Result = ValueResult | AnswerResult | RowsResult | TextResult | DoneResult;

/** Writes the requests to a libSQL server, and reads its answers, in JSON of its protocol Hrana (version 2 or 3). */
import { orThrow } from '../../caught.ts';
import type { Cell, DatabaseRow } from './columns.ts';
import { type HranaError, type RemoteFault, remoteFault, statusFault } from './remote-fault.ts';

export type Statement = readonly [sql: string, ...values: readonly Cell[]];

export type Outcome = ReturnType<typeof outcomeOf>;

export interface HranaAnswer {
  readonly status: number;
  readonly text: string;
}

interface HranaCell {
  readonly type: 'null' | 'integer' | 'float' | 'text' | 'blob';
  readonly value?: string | number;
  readonly base64?: string;
}

interface StatementResult {
  readonly cols: readonly { readonly name: string }[];
  readonly rows: readonly (readonly HranaCell[])[];
  readonly affected_row_count: number;
}

interface PipelineAnswer {
  readonly baton: string | null;
  readonly results: readonly { readonly error?: HranaError; readonly response?: { readonly result?: BatchResult } }[];
}

/** For each statement, its result or its error, or neither if it has not been executed. */
type BatchResult = Record<'step_results', (StatementResult | null)[]> & Record<'step_errors', (HranaError | null)[]>;

/** Executes the statements one after the other, up to the first one that fails. */
const batchOf = (statements: readonly Statement[]) => ({
  type: 'batch',
  batch: {
    steps: statements.map(([sql, ...values], at) => ({
      stmt: { sql, args: values.map(encoded) },
      ...(at > 0 && { condition: { type: 'ok', step: at - 1 } }),
    })),
  },
});

/** The request on the connection whose last answer had this baton. Without a baton, the server opens a connection. */
export const requestText = (statements: readonly Statement[], baton?: string): string =>
  JSON.stringify({ baton, requests: [batchOf(statements)] });

/** The request on a connection that ends. The server then rolls back what is not committed. */
export const batchText = (...statements: readonly string[]): string =>
  JSON.stringify({ requests: [batchOf(statements.map((sql) => [sql])), { type: 'close' }] });

/** Reads the answer to a batch. Throws if the server has executed nothing. */
export function readAnswer({ status, text }: HranaAnswer) {
  if (status !== 200) throw statusFault(status, text);
  const notHrana = () => remoteFault({ message: 'the server that answers is not a libSQL server' });
  return orThrow(() => outcomesIn(JSON.parse(text)), notHrana);
}

/** Returns the outcomes in the order of the statements. Only the last one can be a fault. */
function outcomesIn({ baton, results: [{ error, response } = {}] }: PipelineAnswer) {
  const { step_results = [], step_errors = [] } = response?.result ?? {};
  const outcomes = step_results.flatMap((result) => (result ? [outcomeOf(result)] : []));
  const faults = [error, ...step_errors].flatMap((one) => (one ? [remoteFault(one)] : []));
  return { baton: baton ?? undefined, outcomes: [...outcomes, ...faults] };
}

/** Returns the outcome. Throws if it is a fault. */
export function succeeded(outcome: Outcome | RemoteFault | undefined): Outcome {
  if (outcome && 'rows' in outcome) return outcome;
  throw outcome ?? remoteFault({ message: 'the answer is incomplete' });
}

const outcomeOf = ({ cols, rows, affected_row_count: changed }: StatementResult) => ({
  changed,
  rows: rows.map((cells): DatabaseRow => Object.fromEntries(cells.map((cell, at) => [cols[at]?.name, decoded(cell)]))),
});

/** Like the driver of a file, makes all numbers floating-point, and replaces surrogates without their other half. */
function encoded(cell: Cell): HranaCell {
  if (cell === null) return { type: 'null' };
  if (typeof cell === 'number') return { type: 'float', value: cell };
  if (typeof cell === 'bigint') return { type: 'integer', value: String(cell) };
  if (typeof cell !== 'string') return { type: 'blob', base64: Buffer.from(cell).toString('base64') };
  return { type: 'text', value: /[\ud800-\udfff]/.test(cell) ? Buffer.from(cell).toString() : cell };
}

function decoded({ type, value = 0, base64 = '' }: HranaCell): Cell {
  if (type === 'null') return null;
  if (type === 'blob') return Buffer.from(base64, 'base64');
  return type === 'text' ? value : Number(value);
}

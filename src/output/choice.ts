/** How the result is to be written: the format, the file, the colours. */
import { resolve } from 'node:path';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { type Format, formats } from '../render/formats.ts';
import type { View } from '../render/index.ts';
import type { Query } from '../render/query.ts';
import type { Globals } from '../settings/global-flags.ts';
import { faultOf } from '../settings/keys.ts';
import type { Setting, Settings } from '../settings/resolve.ts';
import { colorOf } from './color.ts';

export interface Output {
  /** Undefined where the user asked for none: a table on a terminal, else JSON; bytes as they are. */
  readonly asked: Format | undefined;
  readonly format: Format;
  /** What is made of the result before it is shown. */
  readonly query: Query | undefined;
  readonly fields: readonly string[] | undefined;
  readonly bare: boolean;
  /** Whether a result that is one string goes without the quotes of JSON, because nobody asked for JSON. */
  readonly bareString: boolean;
  readonly headers: boolean;
  /** Absolute. */
  readonly file: string | undefined;
  readonly replace: boolean;
  readonly color: boolean;
  readonly now: number;
  readonly width: number | undefined;
}

/** Throws `usage` for an expression or names that are none, before anything is sent. */
export async function outputOf(context: Context, globals: Globals, settings: Settings): Promise<Output> {
  if (globals.json && (globals.output ?? 'json') !== 'json')
    throw new DtpError('usage', `--json and -o ${globals.output} are two formats: give one`);
  const name = fileNamed(globals);
  const file = name === undefined ? undefined : resolve(context.cwd, name);
  const terminal = isTerminal(context, globals);
  const asked = askedFormat(globals, settings.values);
  return {
    asked,
    format: formatOf(context, globals, settings.values),
    query: globals.query === undefined ? undefined : await queryOf(globals.query),
    fields: fieldsOf(settings.values.fields),
    bare: globals.rawOutput === true,
    bareString: asked === undefined && !terminal,
    headers: globals.headers !== false,
    file,
    replace: globals.force === true,
    color: colorOf(context, globals, terminal),
    now: context.date().getTime(),
    width: terminal ? context.stdout.columns || 80 : undefined,
  };
}

/** The format of a result: the one that was asked for, else a table on a terminal and JSON elsewhere. */
export const formatOf = (
  context: Context,
  globals: Globals,
  values: Pick<Settings['values'], 'output'>,
): Format => askedFormat(globals, values) ?? (isTerminal(context, globals) ? 'table' : 'json');

const askedFormat = (
  { json }: Globals,
  { output }: Pick<Settings['values'], 'output'>,
): Format | undefined => (json ? 'json' : formats.find((one) => one === output?.value));

/** Whether the result goes to a terminal. */
const isTerminal = ({ stdout }: Context, globals: Globals): boolean =>
  stdout.isTTY === true && fileNamed(globals) === undefined;

/** `-O -` is standard output. */
const fileNamed = ({ outputFile }: Globals): string | undefined =>
  outputFile === '-' ? undefined : outputFile;

const queryOf = async (expression: string): Promise<Query> =>
  (await import('../render/query.ts')).compileQuery(expression);

/** A value of a file that will not do stops only the commands that do not fix settings; they have reported it. */
function fieldsOf(setting: Setting | undefined): readonly string[] | undefined {
  const fault = setting && faultOf('fields', setting.value);
  if (fault !== undefined && setting?.source === '--fields') throw new DtpError('usage', `--fields ${fault}`);
  return fault === undefined ? setting?.value.split(',').map((name) => name.trim()) : undefined;
}

/**
 * Throws `usage` for `-o name` if the result has no id or name, before anything is sent. A query may make a name of what
 * has none, but not of an answer without a body.
 */
export function checkNames(output: Output, { id, command, result, names }: Operation): void {
  // Nothing is known of the answer to a path of the user's.
  if (id === 'api' || (output.query && result !== 'none')) return;
  if (result === 'none' || result === 'bytes' || result === 'text' || names === false)
    refuseNames(output, command.join(' '));
}

/** The same for a command whose result never has one. */
export function refuseNames({ format }: Output, command: string): void {
  if (format !== 'name') return;
  throw new DtpError('usage', `the result of dtp ${command} has no id or name to print`, {
    hint: 'Use another format with -o.',
  });
}

/** What is known of a result beside its value: where its rows are, which columns a table has, what `-o name` prints. */
export interface Shape {
  readonly rows?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly names?: string | false | undefined;
}

/** How `result` is shown; after a query it is another list than the operation's. */
export const viewOf = (
  { color, now, fields, bare, bareString, headers, width, query }: Output,
  list: Shape,
  result?: unknown,
): View => ({
  color,
  bare: bare || (bareString && typeof result === 'string'),
  headers,
  ...(fields && { fields }),
  ...(width !== undefined && { width, now }),
  ...(!query && list.rows !== undefined && { rows: list.rows }),
  ...(!query && list.columns && { columns: list.columns }),
  ...(!query && list.names && { names: list.names }),
});

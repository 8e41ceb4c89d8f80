/** Decides how to write the result: format, file and colors. */

import { resolve } from 'node:path';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Selection } from '../expressions/query.ts';
import type { Operation } from '../operations/operation.ts';
import { type Format, formats } from '../render/formats.ts';
import type { View } from '../render/index.ts';
import { hasPlainSigns } from '../render/signs.ts';
import type { Globals } from '../settings/global-flags.ts';
import { faultOf } from '../settings/keys.ts';
import type { Setting, Settings } from '../settings/resolve.ts';
import { colorOf, supportsLinks } from './color.ts';

export interface Output {
  /** The requested format. By default, values are a table on a terminal, else JSON, and bytes stay unchanged. */
  readonly asked: Format | undefined;
  readonly format: Format;
  /** The expression of --query or --jq. */
  readonly query: Selection | undefined;
  readonly fields: readonly string[] | undefined;
  readonly bare: boolean;
  /** Whether a single string is written without quotes: if stdout is not a terminal and no format was requested. */
  readonly bareString: boolean;
  /** Set if the result is shortened for a model. Never if a format or a file was requested. */
  readonly model: { readonly showSecrets: boolean } | undefined;
  readonly headers: boolean;
  /** An absolute path. */
  readonly file: string | undefined;
  readonly replace: boolean;
  readonly color: boolean;
  readonly alwaysColor: boolean;
  readonly now: number;
  readonly width: number | undefined;
  /** Whether a table on a terminal shows every column in full. `allFields`: whether a record shows every field. */
  readonly wide: boolean;
  readonly allFields: boolean;
  /** What the terminal can show besides text and color. */
  readonly links: boolean;
  readonly plainSigns: boolean;
}

/** Returns how to write the result. Throws `usage` for invalid or conflicting flags, before anything is sent. */
export async function outputOf(context: Context, globals: Globals, settings: Settings): Promise<Output> {
  if (globals.json && (globals.output ?? 'json') !== 'json')
    throw new DtpError('usage', `--json and -o ${globals.output} cannot be used together`);
  const name = fileNamed(globals);
  const file = name === undefined ? undefined : resolve(context.cwd, name);
  const terminal = isTerminal(context, globals);
  const asked = askedFormat(context, globals, settings.values);
  const color = colorOf(context, globals, terminal);
  return {
    asked,
    format: formatOf(context, globals, settings.values),
    query: await selectionOf(context, globals),
    fields: fieldsOf(settings.values.fields),
    bare: globals.rawOutput === true,
    bareString: asked === undefined && !terminal && !isForModel(context, globals),
    model:
      asked === undefined && isForModel(context, globals) ? { showSecrets: globals.showSecrets === true } : undefined,
    headers: globals.headers !== false,
    file,
    replace: globals.force === true,
    color,
    alwaysColor: globals.color === 'always' && file === undefined,
    now: context.date().getTime(),
    width: terminal ? context.stdout.columns || 80 : undefined,
    wide: globals.wide === true,
    allFields: globals.allFields === true,
    links: terminal && color && supportsLinks(context),
    plainSigns: hasPlainSigns(context.env),
  };
}

/** Returns the requested format. The default is TOON for --agent, else a table on a terminal and JSON elsewhere. */
function formatOf(context: Context, globals: Globals, values: Pick<Settings['values'], 'output'>): Format {
  const asked = askedFormat(context, globals, values);
  if (asked === undefined && isForModel(context, globals)) return 'toon';
  return asked ?? (isTerminal(context, globals) ? 'table' : 'json');
}

/** Whether the default output is for a model. A file is not. */
const isForModel = ({ agent }: Context, globals: Globals): boolean =>
  agent?.isAsked === true && fileNamed(globals) === undefined;

/** With --agent, only a flag or a variable requests a format, because profiles and .dtp.json files are for people. */
function askedFormat({ agent }: Context, { json }: Globals, { output }: Pick<Settings['values'], 'output'>) {
  if (json) return 'json';
  const isIgnored = agent?.isAsked && output?.source !== '--output' && output?.source !== 'DTP_OUTPUT';
  return isIgnored ? undefined : formats.find((one) => one === output?.value);
}

const isTerminal = ({ stdout }: Context, globals: Globals): boolean =>
  stdout.isTTY === true && fileNamed(globals) === undefined;

/** Whether the result is a table on a terminal, which a person reads at once. */
export const isOnScreen = ({ format, width, query, fields }: Output): boolean =>
  format === 'table' && width !== undefined && !query && !fields;

/** Returns the file of -O. `-O -` means standard output. */
const fileNamed = ({ outputFile }: Globals): string | undefined => (outputFile === '-' ? undefined : outputFile);

async function selectionOf({ signal }: Context, { query, jq }: Globals): Promise<Selection | undefined> {
  if (query !== undefined && jq !== undefined) throw new DtpError('usage', '--query and --jq cannot be used together');
  if (jq !== undefined) return (await import('../expressions/jq.ts')).compileJq(jq, signal);
  if (query === undefined) return undefined;
  return (await import('../expressions/jmespath.ts')).compileSelection(query);
}

/** Throws `usage` for an invalid flag. An invalid value from another source was already reported. */
function fieldsOf(setting: Setting | undefined): readonly string[] | undefined {
  const fault = setting && faultOf('fields', setting.value);
  if (fault !== undefined && setting?.source === '--fields') throw new DtpError('usage', `--fields ${fault}`);
  return fault === undefined ? setting?.value.split(',').map((name) => name.trim()) : undefined;
}

/** Throws `usage` for `-o name`, before sending, if there is no id or name. A query of a body may produce a name. */
export function checkNames(output: Output, { id, command, result, names }: Operation): void {
  // The response to a path of `dtp api` is not known in advance.
  if (id === 'api' || (output.query && result !== 'none')) return;
  if (result === 'none' || result === 'bytes' || result === 'text' || names === false)
    refuseNames(output, command.join(' '));
}

/** Throws `usage` for `-o name`, because the result of the command never has a name. */
export function refuseNames({ format }: Output, command: string): void {
  if (format !== 'name') return;
  throw new DtpError('usage', `the result of dtp ${command} has no id or name to print`, {
    hint: 'Use another format with -o.',
  });
}

/**
 * Describes a result: its rows, the columns of its table (in a pipe and on a terminal), the field that `-o name`
 * prints, and whether it is a request, which a terminal shows as it is sent. With `wholeIds`, a table on a terminal
 * does not shorten ids.
 */
export interface Shape extends Pick<View, 'rows' | 'columns' | 'screen' | 'asSent' | 'wholeIds' | 'selected'> {
  /** `list` for a list. Its rows are the value itself, or its field `rows`. */
  readonly result?: string;
  readonly names?: string | false | undefined;
  /** `none`: it has no secrets, although some of its fields have such names. `all`: the whole value is a secret. */
  readonly secrets?: 'none' | 'all';
}

/** Returns how to render `result`. After a query, the columns and names of the operation no longer apply. */
export function viewOf(output: Output, list: Shape, result?: unknown): View {
  const { color, alwaysColor, headers, fields, query } = output;
  const { width, now, wide, allFields, links, plainSigns } = output;
  const { rows, columns, screen, names, asSent, wholeIds, selected } = list;
  const shape = { rows, columns, screen, names: names || undefined, asSent, wholeIds, selected };
  return {
    color,
    alwaysColor,
    bare: output.bare || (output.bareString && typeof result === 'string'),
    headers,
    fields,
    ...(width !== undefined && { width, now, wide, allFields, links, plainSigns }),
    ...(!query && { ...shape, isList: list.result === 'list' }),
  };
}

/** How the result is to be written: the format, the file, the colours. */
import { resolve } from 'node:path';
import type { Context } from '../context.ts';
import { type Format, formats } from '../render/formats.ts';
import type { View } from '../render/index.ts';
import type { Globals } from './globals.ts';
import type { Settings } from './settings.ts';

export interface Output {
  /** Undefined where the user asked for none: a table on a terminal, else JSON; bytes as they are. */
  readonly asked: Format | undefined;
  readonly format: Format;
  /** Absolute. */
  readonly file: string | undefined;
  readonly replace: boolean;
  readonly color: boolean;
  readonly width: number | undefined;
}

export function outputOf(context: Context, globals: Globals, settings: Settings): Output {
  const asked = globals.json ? 'json' : formats.find((one) => one === settings.values.output?.value);
  const file = globals.outputFile === undefined ? undefined : resolve(context.cwd, globals.outputFile);
  const terminal = context.stdout.isTTY === true && file === undefined;
  return {
    asked,
    format: asked ?? (terminal ? 'table' : 'json'),
    file,
    replace: globals.force === true,
    color: colorOf(context, globals, terminal),
    width: terminal ? context.stdout.columns || 80 : undefined,
  };
}

/** `--color`, then NO_COLOR, FORCE_COLOR, TERM=dumb, then whether it is a terminal. */
export function colorOf(context: Context, globals: Globals, terminal: boolean): boolean {
  if (globals.color === 'always') return true;
  if (globals.color === 'never' || context.env.NO_COLOR) return false;
  if (context.env.FORCE_COLOR && context.env.FORCE_COLOR !== '0') return true;
  return terminal && context.env.TERM !== 'dumb';
}

export const viewOf = (
  output: Output,
  list: { readonly rows?: string | undefined; readonly columns?: readonly string[] | undefined },
): View => ({
  color: output.color,
  ...(list.rows === undefined ? {} : { rows: list.rows }),
  ...(list.columns === undefined ? {} : { columns: list.columns }),
  ...(output.width === undefined ? {} : { width: output.width }),
});

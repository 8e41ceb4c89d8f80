/** Whether an error is written as one line of JSON or as text. */
import type { Context } from '../context.ts';
import { openInvocation } from '../invocation/invocation.ts';
import { formatOf } from '../output/choice.ts';
import type { Globals } from '../settings/global-flags.ts';
import type { Settings } from '../settings/resolve.ts';

type Values = Pick<Settings['values'], 'output' | 'error_format'>;

/** `auto` is text on a terminal, where a person reads it. Elsewhere it is JSON if the result would be. */
export async function isErrorJson(context: Context, globals: Globals): Promise<boolean> {
  const values = await valuesFor(context, globals);
  const format = values.error_format?.value;
  if (format === 'json' || format === 'text') return format === 'json';
  if (context.stderr.isTTY === true) return false;
  return /^(nd)?json$/.test(formatOf(context, globals, values));
}

/**
 * The settings that the command itself would use. The settings may be what failed: then flags and variables still count.
 * Nothing is reported here, because the command has reported it.
 */
async function valuesFor(context: Context, globals: Globals): Promise<Values> {
  try {
    return (await openInvocation(context, { globals, way: { mending: true, looking: true } })).settings
      .values;
  } catch {
    const { DTP_OUTPUT, DTP_ERROR_FORMAT } = context.env;
    return {
      ...settingOf('output', globals.output ?? DTP_OUTPUT),
      ...settingOf('error_format', globals.errorFormat ?? DTP_ERROR_FORMAT),
    };
  }
}

const settingOf = (key: keyof Values, value: string | undefined): Values =>
  value === undefined ? {} : { [key]: { value, source: '' } };

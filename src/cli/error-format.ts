/** Chooses the error format: one line of JSON, or plain text. */
import type { Context } from '../context.ts';
import { openInvocation } from '../invocation/invocation.ts';
import { formatOf } from '../output/choice.ts';
import type { Globals } from '../settings/global-flags.ts';
import type { Settings } from '../settings/resolve.ts';

type Values = Pick<Settings['values'], 'output' | 'error_format'>;

/**
 * Whether errors are JSON. With `auto`, they are JSON for an agent, else plain text on a terminal, and elsewhere JSON
 * if the result is JSON.
 */
export async function isErrorJson(context: Context, globals: Globals): Promise<boolean> {
  const values = await valuesFor(context, globals);
  const format = values.error_format?.value;
  if (format === 'json' || format === 'text') return format === 'json';
  if (context.agent) return true;
  if (context.stderr.isTTY === true) return false;
  return /^(nd)?json$/.test(formatOf(context, globals, values));
}

/** Returns the output settings. If they cannot be read, returns those of flags and variables. */
async function valuesFor(context: Context, globals: Globals): Promise<Values> {
  try {
    return (await openInvocation(context, { globals, way: { collectFaults: true, readOnly: true } })).settings.values;
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

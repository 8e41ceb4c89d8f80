/** Chooses the error format: one line of JSON, or plain text. */
import type { Context } from '../context.ts';
import { openInvocation } from '../invocation/invocation.ts';
import type { Globals } from '../settings/global-flags.ts';

/**
 * Whether errors are JSON. With `auto`, they are text for people, who also read the logs of CI, unless the command line
 * or a variable asks for JSON, or an agent runs the command.
 */
export async function isErrorJson(context: Context, globals: Globals): Promise<boolean> {
  const format = await settingFor(context, globals);
  if (format === 'json' || format === 'text') return format === 'json';
  if (context.agent) return true;
  if (context.stderr.isTTY === true) return false;
  return globals.json === true || /^(nd)?json$/.test(globals.output ?? context.env.DTP_OUTPUT ?? '');
}

/** Returns the setting. If the settings cannot be read, returns the flag or the variable. */
async function settingFor(context: Context, globals: Globals): Promise<string | undefined> {
  try {
    const { settings } = await openInvocation(context, { globals, way: { collectFaults: true, readOnly: true } });
    return settings.values.error_format?.value;
  } catch {
    return globals.errorFormat ?? context.env.DTP_ERROR_FORMAT;
  }
}

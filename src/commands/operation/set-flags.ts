/** Sets the feature flags of a workspace. Asks at a terminal first, because the service may turn others off. */
import { DtpError } from '../../errors.ts';
import { call } from '../../invocation/connection.ts';
import { lookUpTime, timeoutOf, withDeadline } from '../../invocation/deadline.ts';
import { withSettings } from '../../invocation/fill.ts';
import { fieldsOf, isStrings } from '../../json-object.ts';
import { operationsFor } from '../../operations/areas.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { jsonBody } from '../../request/build.ts';
import { fieldsIn } from '../../request/read.ts';
import { answer, type Sending } from './work.ts';

const get = operationsFor('ws').getWorkspaceFeatureFlags;

/** Throws `cancelled` if the user does not agree that flags may go off. The API does not say whether they do. */
export async function setFlags(sending: Sending): Promise<Result> {
  const { invocation, operation, ask } = sending;
  const signal = await agreed(sending);
  return answer(operation, await withSpinner(invocation.context, operation.summary, () => ask({}, signal)));
}

/** Returns the signal of the deadline. The time that the user takes to answer does not count. */
async function agreed(sending: Sending): Promise<AbortSignal> {
  const { invocation, operation, calls, deadline } = sending;
  const prompts = invocation.globals.yes ? undefined : invocation.openPrompts();
  const off = prompts ? await flagsOff(sending) : [];
  if (!prompts || off.length === 0) return deadline.signal;
  deadline.end();
  if (!(await prompts.agrees(`The service may turn off ${off.join(', ')}. Set the flags?`)))
    throw new DtpError('cancelled', 'cancelled. Nothing was changed');
  return calls.begin(operation).signal;
}

/** Returns the flags that are on, and not among the new ones. None if they cannot be read. */
async function flagsOff({ invocation, operation, input, calls, deadline }: Sending): Promise<readonly string[]> {
  const { context, settings } = invocation;
  const { connection } = calls;
  const { feature_flags: given } = fieldsOf(jsonBody(operation, input));
  if (!isStrings(given)) return [];
  try {
    const value = await withDeadline(context, lookUpTime(timeoutOf(get, settings)), deadline.signal, async (signal) =>
      call(connection, get, await withSettings(get, {}, { settings, connection, signal }), signal),
    );
    const { feature_flags: rows } = fieldsIn(value);
    const names = Array.isArray(rows) ? rows.map((row) => String(fieldsOf(row).feature_flag)) : [];
    return names.filter((name) => !given.includes(name));
  } catch {
    deadline.signal.throwIfAborted();
    return [];
  }
}

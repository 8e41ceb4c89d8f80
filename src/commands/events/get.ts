/** `dtp events get`: one event, with all its fields. */
import { DtpError } from '../../errors.ts';
import { call } from '../../invocation/call.ts';
import { withSettings } from '../../invocation/fill.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { resultWithConnection } from '../../invocation/over.ts';
import { isRecord } from '../../json-object.ts';
import { operations } from '../../operations/index.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { amount, counted } from '../../render/amounts.ts';
import { commandLine, sameService } from '../../settings/command-line.ts';
import type { LocalInput } from '../local-input.ts';

/** The API has no request for one event, so it is looked for among this many of the newest ones. */
const most = 10_000;

/** The shortest beginning of an id that is accepted. */
const shortest = 8;

const search = operations.searchWorkspaceEvents;

/**
 * Throws `not_found` if the event is not among the newest ones, and `usage` if several ids begin with the given one.
 */
export async function getEvent(invocation: Invocation, { args: [id = ''] }: LocalInput): Promise<Result> {
  const { context, globals, settings } = invocation;
  const input = { limit: most };
  return resultWithConnection(invocation, { operation: search, input }, async ({ connection, begin }) => {
    const { signal } = begin(search);
    const full = await withSettings(search, input, { settings, connection, signal });
    const value = await withSpinner(context, 'looking for the event', () => call(connection, search, full, signal));
    const events = value.kind === 'json' && Array.isArray(value.value) ? value.value.filter(isRecord) : [];
    const whole = events.filter((event) => event.id === id);
    const begun = id.length < shortest ? [] : events.filter((event) => String(event.id).startsWith(id));
    const [event, other] = whole.length > 0 ? whole.slice(0, 1) : begun;
    if (other !== undefined)
      throw new DtpError('usage', `the ids of ${amount(begun.length, 'event')} begin with "${id}"`);
    if (event !== undefined) return { kind: 'value', value: event, shape: {} };
    throw new DtpError(
      'not_found',
      events.length < most ? `no event has the id "${id}"` : `"${id}" is not among the newest ${counted(most)} events`,
      { next: [commandLine(['events', 'search', '-o', 'json', ...sameService(globals)])] },
    );
  });
}

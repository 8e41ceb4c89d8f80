/** `dtp events get`: shows one event, with all its fields. */
import { DtpError } from '../../errors.ts';
import { type Calls, exchange } from '../../invocation/connection.ts';
import type { MovingDeadline } from '../../invocation/deadline.ts';
import { withSettings } from '../../invocation/fill.ts';
import type { Invocation, PromptChoice } from '../../invocation/invocation.ts';
import { resultWithConnection } from '../../invocation/over.ts';
import { isRecord, type JsonObject, stringOf } from '../../json-object.ts';
import type { LocalInput } from '../../local/flags.ts';
import { operationsFor } from '../../operations/areas.ts';
import type { Operation } from '../../operations/operation.ts';
import { type Show, withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { ageText, amount, counted, instantOf } from '../../render/amounts.ts';
import { shortId } from '../../render/short.ts';
import { cut } from '../../render/width.ts';
import { buildRequest } from '../../request/build.ts';
import { rowGroupsIn } from '../../request/rows.ts';
import { commandLine, sameService } from '../../settings/command-line.ts';
import { askArgument } from '../ask-argument.ts';
import { firstSearch, searchBack } from '../operation/search-back.ts';

/** The shortest beginning of an id that is accepted. */
const shortest = 8;

/** The API has no request for one event, so it is looked for among the newest ones. */
const search: Operation = { ...operationsFor('events').searchWorkspaceEvents, result: 'bytes' };

/**
 * Throws `not_found` if no event has the id, `usage` if several ids begin with the given one, and `partial` if it is not
 * among the newest, and the service returns no more.
 */
export async function getEvent(invocation: Invocation, { args: [given] }: LocalInput): Promise<Result> {
  const { globals } = invocation;
  return resultWithConnection(invocation, { operation: search, input: { limit: firstSearch } }, async (calls) => {
    const id = given ?? (await chosenEvent(invocation, calls));
    const deadline = calls.begin(search);
    const found = await withSpinner(invocation.context, 'looking for the event', (show) =>
      searchBack((limit) => lookFor(id, newestEvents(invocation, calls, limit, deadline), show)),
    );
    const { event, ids, alike, count, isCut } = found;
    if (alike > 1)
      throw new DtpError('usage', `the ids of ${amount(alike, 'event')} begin with "${id}"`, {
        hint: `Use more of the id: ${listed(ids)}`,
      });
    if (event) return { kind: 'value', value: event, shape: {} };
    const next = [commandLine(['events', 'search', '--limit', '20', ...sameService(globals)])];
    if (!isCut) throw new DtpError('not_found', `no event has the id "${id}"`, { next });
    const last = `"${id}" is not among the newest ${counted(count)} events`;
    throw new DtpError('partial', `${last}, and the service returns no more at once`, { next });
  });
}

/** Finds the event with the id. Without any, finds the first of those that are `alike`, whose ids begin with it. */
async function lookFor(id: string, groups: AsyncIterable<readonly JsonObject[]>, show: Show) {
  let [event, count, alike]: [JsonObject | undefined, number, number] = [undefined, 0, 0];
  const ids: string[] = [];
  for await (const events of groups) {
    count += events.length;
    show({ done: count, facts: [amount(count, 'event')] });
    for (const one of events) {
      if (one.id === id) return { event: one, ids, alike: 1, count, isWhole: true };
      const itsId = stringOf(one.id);
      if (id.length < shortest || !itsId.startsWith(id)) continue;
      event ??= one;
      alike++;
      if (ids.length <= mostNamed) ids.push(itsId);
    }
  }
  return { event, ids, alike, count, isWhole: alike > 0 };
}

/** The most ids that a hint names. */
const mostNamed = 5;

const listed = (ids: readonly string[]): string =>
  [...ids.slice(0, mostNamed), ...(ids.length > mostNamed ? ['…'] : [])].join(', ');

/** The newest events as they arrive, in groups. */
async function* newestEvents(
  { settings }: Invocation,
  { connection }: Calls,
  limit: number,
  { signal, moving }: MovingDeadline,
) {
  const full = await withSettings(search, { limit }, { settings, connection, signal });
  const request = buildRequest(search, full, connection.target);
  const response = await exchange(moving(await connection.sendFor(search)), search, request, signal);
  if (response.kind !== 'bytes') throw new Error('the response was read at once');
  for await (const { rows } of rowGroupsIn(response, search.rows)) yield rows.filter(isRecord);
}

/** The number of the newest events to choose from. */
const mostOffered = 100;

/** Lets the user choose from the newest events. Throws `usage` if prompts are not possible. */
async function chosenEvent(invocation: Invocation, calls: Calls): Promise<string> {
  const { answer, argv } = await askArgument(invocation, ['ID'], async (prompts) => {
    const events: JsonObject[] = [];
    await withSpinner(invocation.context, 'looking for events', async () => {
      for await (const group of newestEvents(invocation, calls, mostOffered, calls.begin(search)))
        events.push(...group);
    });
    if (events.length === 0) throw new DtpError('not_found', 'there are no events');
    const now = invocation.context.date().getTime();
    return prompts.pick(
      'Which event?',
      events.map((event) => choiceOf(event, now)),
    );
  });
  invocation.log.note(`Running: ${commandLine(argv)}`);
  return answer;
}

/** Describes an event: `LINT, typescript, 3 errors in openapi.yaml`, with the beginning of its id and its age. */
function choiceOf(event: JsonObject, now: number): PromptChoice {
  const { id, interaction_type: type, generate_target: target, error, created_at: created } = event;
  const label = [type, target, error].filter((one) => typeof one === 'string' && one !== '').join(', ');
  const at = instantOf(created);
  const hint = [shortId(String(id)), ...(at === undefined ? [] : [ageText(at, now)])].join(', ');
  return { value: String(id), label: cut(label.replace(/\s+/g, ' '), widest), hint };
}

const widest = 60;

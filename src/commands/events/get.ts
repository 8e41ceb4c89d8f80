/** `dtp events get`: shows one event, with all its fields. */
import { DtpError } from '../../errors.ts';
import { type Calls, call } from '../../invocation/connection.ts';
import { withSettings } from '../../invocation/fill.ts';
import type { Invocation, PromptChoice } from '../../invocation/invocation.ts';
import { resultWithConnection } from '../../invocation/over.ts';
import { isRecord, type JsonObject } from '../../json-object.ts';
import type { LocalInput } from '../../local/flags.ts';
import { operationsFor } from '../../operations/areas.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { ageText, amount, counted, instantOf } from '../../render/amounts.ts';
import { shortId } from '../../render/short.ts';
import { cut } from '../../render/width.ts';
import { elementsOf } from '../../request/read.ts';
import { commandLine, sameService } from '../../settings/command-line.ts';
import { askArgument } from '../ask-argument.ts';

/** The API has no request for one event, so it is looked for among this many of the newest ones. */
const most = 10_000;

/** The shortest beginning of an id that is accepted. */
const shortest = 8;

const search = operationsFor('events').searchWorkspaceEvents;

/** Throws `not_found` if the event is not among the newest, and `usage` if several ids begin with the given one. */
export async function getEvent(invocation: Invocation, { args: [given] }: LocalInput): Promise<Result> {
  const { globals } = invocation;
  return resultWithConnection(invocation, { operation: search, input: { limit: most } }, async (calls) => {
    const id = given ?? (await chosenEvent(invocation, calls));
    const events = await newestEvents(invocation, calls, most);
    const whole = events.filter((event) => event.id === id);
    const begun = id.length < shortest ? [] : events.filter((event) => String(event.id).startsWith(id));
    const [event, other] = whole.length > 0 ? whole.slice(0, 1) : begun;
    if (other !== undefined)
      throw new DtpError('usage', `the ids of ${amount(begun.length, 'event')} begin with "${id}"`, {
        hint: `Use more of the id: ${listed(begun.map((one) => String(one.id)))}`,
      });
    if (event !== undefined) return { kind: 'value', value: event, shape: {} };
    const text =
      events.length < most ? `no event has the id "${id}"` : `"${id}" is not among the newest ${counted(most)} events`;
    throw new DtpError('not_found', text, {
      next: [commandLine(['events', 'search', '-o', 'json', ...sameService(globals)])],
    });
  });
}

/** The most ids that a hint names. */
const mostNamed = 5;

const listed = (ids: readonly string[]): string =>
  [...ids.slice(0, mostNamed), ...(ids.length > mostNamed ? ['…'] : [])].join(', ');

async function newestEvents({ context, settings }: Invocation, { connection, begin }: Calls, limit: number) {
  const { signal } = begin(search);
  const full = await withSettings(search, { limit }, { settings, connection, signal });
  const value = await withSpinner(context, 'looking for the event', () => call(connection, search, full, signal));
  return elementsOf(value).filter(isRecord);
}

/** The number of the newest events to choose from. */
const mostOffered = 100;

/** Lets the user choose from the newest events. Throws `usage` if prompts are not possible. */
async function chosenEvent(invocation: Invocation, calls: Calls): Promise<string> {
  const { answer, argv } = await askArgument(invocation, ['ID'], async (prompts) => {
    const events = await newestEvents(invocation, calls, mostOffered);
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

/** Says how a workflow run has ended, in one sentence for somebody at a terminal. */
import { DtpError } from '../../errors.ts';
import { call } from '../../invocation/connection.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { withConnection } from '../../invocation/over.ts';
import { fieldsOf, isRecord, type JsonObject } from '../../json-object.ts';
import { operationsFor } from '../../operations/areas.ts';
import type { Input } from '../../operations/operation.ts';
import type { Done } from '../../output/done.ts';
import { durationText } from '../../render/amounts.ts';
import type { Deed } from '../../render/job-summary.ts';
import { nearest } from '../../render/nearest.ts';
import { elementsOf } from '../../request/read.ts';
import { commandLine, sameService, type Word } from '../../settings/command-line.ts';
import { openDeadlineRunner } from './wait.ts';

/** `Run completed  acme/sdk, target sdk-ts  1.5 s`. The time is left out if its start is not known. */
export function doneOfRun(
  { globals }: Invocation,
  { run_status: status, run_url: url }: JsonObject,
  of: Input,
  elapsedMs?: number,
): Done {
  const time = elapsedMs === undefined ? [] : [durationText(elapsedMs)];
  const text = [`Run ${status ?? 'ended'}`, placeOf(of), ...time].join('  ');
  return { text, isWhole: true, next: url ? ['open', ...sameService(globals)] : undefined };
}

/** The end of a run, for the summary of a CI job. */
export const deedOfRun = ({ run_status: status, run_url: url }: JsonObject, of: Input, elapsedMs: number): Deed => ({
  what: `${placeOf(of)}: ${status ?? 'ended'}`,
  amount: durationText(elapsedMs),
  url,
});

/** `acme/sdk, target sdk-ts`, from the fields of `codehost actions get`. */
export const placeOf = ({ org, repo, targetName }: Input): string =>
  `${org}/${repo}${targetName === undefined ? '' : `, target ${targetName}`}`;

/** The failure of a run, or nothing if it has not failed. Its reason is from the run's events, or is a URL. */
export async function failureOfRun(invocation: Invocation, run: JsonObject, of: Input, lockId?: unknown) {
  const { run_url: url, run_status: status } = run;
  if (stateOfRun(status) !== 'failed') return undefined;
  const event = await failedEventOf(invocation, url).catch((): JsonObject => ({}));
  const reason = isText(event.error) ? firstLine(String(event.error)) : undefined;
  const message = `the run ended with status ${status}${reason === undefined ? '' : `: ${reason}`}`;
  const [start, place] = [isWord(status) ? 'Run failed' : `Run failed (${status})`, url ? `: see ${url}` : ''];
  const isSeen = invocation.context.stderr.isTTY === true;
  // Only a terminal remembers the page.
  const hasPage = isSeen && Boolean(url);
  const meant = await meantLock(invocation, lockId).catch(() => undefined);
  return new DtpError('partial', message, {
    ...(meant !== undefined && { meant: { flag: '--lock-id', value: meant } }),
    ...(isSeen && { verdict: `${start}  ${placeOf(of)}${reason === undefined ? place : `: ${reason}`}` }),
    hint:
      meant === undefined
        ? `See its events${hasPage ? ', open its page' : ''}, or start it again:`
        : `Did you mean "${meant}"?`,
    next: [eventsOf(event), ...(hasPage ? [['open']] : []), ...startOf(of, lockId ?? event.generate_gen_lock_id)].map(
      (words) => commandLine([...words, ...sameService(invocation.globals)]),
    ),
  });
}

/** The search for all events of the run, or for failed ones if none of its events is known. */
const eventsOf = ({ execution_id: id }: JsonObject): readonly Word[] =>
  isText(id) ? ['events', 'search', ['--execution-id', String(id)]] : ['events', 'search', '--no-success'];

/** The command that starts the run again. Empty if the lock id of its target is not known. */
function startOf(of: Input, lockId: unknown): readonly (readonly Word[])[] {
  if (!isText(lockId)) return [];
  const { command } = operationsFor('codehost').codehostTriggerAction;
  return [[...command, ...runFlags(of), ['--lock-id', String(lockId)], '--wait']];
}

export const runFlags = ({ org, repo, targetName }: Input): readonly Word[] => [
  ...(org === undefined || repo === undefined ? [] : [['-R', `${org}/${repo}`] as const]),
  ...(targetName === undefined ? [] : [['--target-name', String(targetName)] as const]),
];

/** Whether a status says no more than that the run failed. */
const isWord = (status: unknown): boolean => /^(failure|failed|error|errored)$/i.test(String(status));

/** How many of the newest failed events are searched, and for how long, in milliseconds. */
const [most, patience] = [50, 5000];

/** The newest failed event with an error that belongs to the run. Runs use the workspace of the credential. */
const failedEventOf = (invocation: Invocation, url: unknown): Promise<JsonObject> => {
  const search = operationsFor('events').searchWorkspaceEvents;
  return withConnection(invocation, { operation: search }, ({ connection }) =>
    openDeadlineRunner(invocation, search)(async (signal) => {
      const { workspace_id } = await connection.whose(signal);
      const value = await call(connection, search, { workspace_id, success: false, limit: most }, signal);
      const events = elementsOf(value).filter(isRecord);
      return events.find((one) => one.gh_action_run_link === url && isText(one.error)) ?? {};
    }, patience),
  );
};

/** The lock id that was probably meant, if no target of the workspace has the given one. */
async function meantLock(invocation: Invocation, given: unknown): Promise<string | undefined> {
  if (typeof given !== 'string') return undefined;
  const list = operationsFor('events').getWorkspaceTargets;
  return withConnection(invocation, { operation: list }, ({ connection }) =>
    openDeadlineRunner(invocation, list)(async (signal) => {
      const rows = elementsOf(await call(connection, list, {}, signal));
      const known = rows.map((row) => fieldsOf(row).generate_gen_lock_id).filter((id) => typeof id === 'string');
      return known.includes(given) ? undefined : nearest(given, known);
    }, patience),
  );
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

function firstLine(text: string): string {
  const [first = '', ...rest] = text.trim().split('\n');
  return rest.length === 0 ? first : `${first.trimEnd()} …`;
}

const succeeded = /^(completed|success|succeeded|neutral|skipped)$/i;
const failed = /^(failure|failed|error|errored|cancelled|canceled|timed_out|startup_failure|action_required|stale)$/i;

/** Returns the state of a run. An unknown or missing status counts as running. */
export function stateOfRun(status: unknown): 'running' | 'succeeded' | 'failed' {
  const text = typeof status === 'string' ? status : '';
  if (succeeded.test(text)) return 'succeeded';
  return failed.test(text) ? 'failed' : 'running';
}

/** `dtp events tail`: prints events as they arrive, until it is interrupted. */

import { durationOf } from '../../declarations/duration.ts';
import { DtpError, isCtrlC } from '../../errors.ts';
import { type TailOptions, tailOf } from '../../flows/tail.ts';
import { instantMs } from '../../input/times.ts';
import { type Calls, exchange } from '../../invocation/connection.ts';
import { deadlineIn, timeoutOf } from '../../invocation/deadline.ts';
import { withSettings } from '../../invocation/fill.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { typoWarnings } from '../../invocation/near-values.ts';
import { resultWithConnection } from '../../invocation/over.ts';
import { fieldsOf } from '../../json-object.ts';
import type { LocalInput, tailFlags } from '../../local/flags.ts';
import { operationsFor } from '../../operations/areas.ts';
import type { Input, Operation } from '../../operations/operation.ts';
import type { Output } from '../../output/choice.ts';
import type { Result } from '../../output/result.ts';
import { amount, counted, timeText } from '../../render/amounts.ts';
import { hasPlainSigns } from '../../render/signs.ts';
import { buildRequest } from '../../request/build.ts';
import type { Send } from '../../request/http.ts';
import type { BytesValue } from '../../request/read.ts';
import { rowGroupsIn } from '../../request/rows.ts';
import { commandLine, flagsWith, sameService, type Word } from '../../settings/command-line.ts';
import { firstOf, limitOf } from '../operation/limit.ts';

type TailFlags = LocalInput<typeof tailFlags>['flags'];

/** The search, with a response that is read row by row. Its hints name `events tail`, which the user ran. */
const search: Operation = {
  ...operationsFor('events').searchWorkspaceEvents,
  command: ['events', 'tail'],
  result: 'bytes',
};

/** Throws `usage` for a format that cannot be printed event by event. */
export async function tailEvents(invocation: Invocation, { flags }: LocalInput<typeof tailFlags>): Promise<Result> {
  const { context, globals, log } = invocation;
  const output = outputFor(invocation.output);
  const intervalMs = durationOf(flags.pollInterval ?? '2s', '--poll-interval');
  const limit = limitOf(flags.limit);
  const since = flags.since === undefined ? undefined : instantMs('--since', flags.since, context.date());
  const input = { interaction_type: typeOfEvents(flags), execution_id: flags.executionId, success: flags.success };
  const typed = { type: typeOfEvents(flags) };
  for (const text of typoWarnings(search, { args: [], flags: typed })) log.warn(text);
  const text = output.format === 'table' ? await linesFor(invocation) : undefined;

  return resultWithConnection(invocation, { operation: search, input }, async (calls) => {
    const start = context.clock.now();
    const seen = { events: 0, failed: 0 };
    const all = tailOf({
      clock: context.clock,
      signal: context.signal,
      random: context.random,
      search: searches(invocation, calls, input),
      since,
      intervalMs,
      ...notices(invocation),
    });
    return {
      kind: 'rows',
      rows: untilInterrupt(context.signal, counting(limit === undefined ? all : firstOf(all, limit), seen)),
      shape: {},
      ...(text && { text }),
      output,
      after: async () => {
        log.note(summary(seen, context.clock.now() - start));
        if (seen.failed > 0) log.next(commandLine(['events', 'search', ...failedOf(flags), ...sameService(globals)]));
      },
    };
  });
}

/** The value of `--type`, or of its earlier name. */
const typeOfEvents = ({ type, interactionType }: TailFlags): string | undefined => type ?? interactionType;

/** The flags of a search for the failed events that match the filters of this tail. */
const failedOf = (given: TailFlags): readonly Word[] => [
  '--no-success',
  ...flagsWith({ type: typeOfEvents(given), 'execution-id': given.executionId }),
];

/** Only a table and NDJSON can be printed event by event. In a pipe, NDJSON is the default. */
function outputFor({ asked, format, query, fields, file }: Output): Partial<Output> & Pick<Output, 'format'> {
  const refuse = (what: string, hint: string) =>
    new DtpError('usage', `dtp events tail prints events as they arrive, which ${what} does not support`, { hint });
  if (file !== undefined) throw refuse('-O', 'Redirect the output instead: dtp events tail -o ndjson > events.ndjson');
  if (asked !== undefined && asked !== 'ndjson' && asked !== 'table')
    throw refuse(`-o ${asked}`, 'Use -o ndjson for one JSON event per line, or -o table.');
  const isChosen = query !== undefined || fields !== undefined;
  if (asked === 'table' && isChosen)
    throw refuse('-o table with --fields, --query or --jq', 'Use -o ndjson with them.');
  return { format: format === 'table' && !isChosen ? 'table' : 'ndjson' };
}

/** The code that formats lines is loaded only for them. */
async function linesFor({ context, output: { color, width, headers } }: Invocation) {
  const { openEventLines } = await import('../../render/event-lines.ts');
  const plainSigns = context.stdout.isTTY !== true || hasPlainSigns(context.env);
  return openEventLines({ color, width, headers, plainSigns, now: context.date });
}

/** Searches with a deadline for each response. --timeout applies to each of them, because a tail has no end. */
function searches({ context, settings }: Invocation, { connection }: Calls, filters: Input): TailOptions['search'] {
  let filled: Input | undefined;
  return async (limit) => {
    const deadline = deadlineIn(context, timeoutOf(search, settings), context.signal);
    const { signal } = deadline;
    let now = context.date().getTime();
    try {
      filled ??= await withSettings(search, filters, { settings, connection, signal });
      const request = buildRequest(search, { ...filled, limit }, connection.target);
      const send = await connection.sendFor(search);
      const dated: Send = async (...call) => {
        const response = await send(...call);
        const date = Date.parse(response.headers.date ?? '');
        now = Number.isNaN(date) ? context.date().getTime() : date;
        return response;
      };
      const value = await exchange(dated, search, request, signal);
      if (value.kind !== 'bytes') throw new Error('the response was read at once');
      return { rows: rowsOf(value, deadline.end), now };
    } catch (error) {
      deadline.end();
      throw error;
    }
  };
}

/** The rows as they arrive. Calls `end` at the end. */
async function* rowsOf(response: BytesValue, end: () => void) {
  try {
    for await (const { rows } of rowGroupsIn(response, search.rows)) yield rows;
  } finally {
    end();
  }
}

function notices({ context, log }: Invocation): Pick<TailOptions, 'began' | 'lost' | 'back' | 'missed'> {
  return {
    began: () => {
      if (context.stderr.isTTY) log.note('following new events; press Ctrl-C to stop');
    },
    lost: (why) => log.warn(`cannot get events: ${why.message}; trying again`),
    back: (awayMs) => log.note(`the service responds again, after ${timeText(awayMs / 1000)}`),
    missed: (limit) =>
      log.warn(
        `some events may be missing, because the service returns at most ${counted(limit)} at once; use filters such as --execution-id`,
      ),
  };
}

async function* counting(groups: AsyncIterable<readonly unknown[]>, seen: { events: number; failed: number }) {
  for await (const rows of groups) {
    seen.events += rows.length;
    seen.failed += rows.filter((row) => fieldsOf(row).success === false).length;
    yield rows;
  }
}

/** Ctrl-C is the normal end of a tail. Other signals have their exit codes. */
async function* untilInterrupt(signal: AbortSignal, groups: AsyncIterable<readonly unknown[]>) {
  try {
    yield* groups;
  } catch (error) {
    if (!isCtrlC(signal)) throw error;
  }
}

function summary({ events, failed }: { readonly events: number; readonly failed: number }, ms: number): string {
  return `${amount(events, 'event')}${failed > 0 ? `, ${counted(failed)} failed` : ''}; followed for ${timeText(Math.max(1, ms / 1000))}`;
}

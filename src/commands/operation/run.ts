/** Runs any operation: input → request → send → read → result. */

import { checkInput } from '../../input/check.ts';
import { openFiles } from '../../input/files.ts';
import { type Given, readInput } from '../../input/read.ts';
import { type Ask, exchange } from '../../invocation/call.ts';
import { baseUrlOf } from '../../invocation/connect.ts';
import { withPlaceholders, withSettings } from '../../invocation/fill.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { type WithIds, withIds } from '../../invocation/names-input.ts';
import { isNamedWorkspace, membersIn } from '../../invocation/names-shape.ts';
import { strangeValues } from '../../invocation/near-values.ts';
import { type Calls, resultOver } from '../../invocation/over.ts';
import { senderOf, withHead } from '../../invocation/send.ts';
import { isCheckedWhole, verifiedValue } from '../../invocation/verify.ts';
import { effectOf } from '../../operations/effect.ts';
import type { Input, Operation } from '../../operations/operation.ts';
import { checkNames } from '../../output/choice.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { checkOutput } from '../../output/write-result.ts';
import { buildRequest } from '../../request/build.ts';
import { fieldsIn } from '../../request/read.ts';
import { pathOf } from '../../request/url.ts';
import { commandLine, sameService, withoutTimeout } from '../../settings/command-line.ts';
import { isUnsent } from '../../settings/global-flags.ts';
import { argumentsOf } from '../../tree/operation-flags.ts';
import { confirm } from '../confirm.ts';
import { chartOf, checkChart } from './chart.ts';
import { unsent } from './dry-run.ts';
import { isBounded, newest } from './newest.ts';
import { askPages } from './pages.ts';
import { checkLink, withLink } from './report-link.ts';
import { asUpload, fileField } from './upload.ts';
import { awaitJob, checkTimes, statusOfJob } from './wait.ts';
import { answer, type Sending, type Work } from './work.ts';

/** Throws `usage` for invalid input before anything is sent. */
export async function runOperation(opened: Invocation, operation: Operation, given: Given): Promise<Result> {
  const { context, globals, settings, log } = opened;
  for (const note of strangeValues(operation, given)) log.note(note);
  if (operation.flow === 'spool') {
    const { postEvents } = await import('../events/post.ts');
    return postEvents(opened, operation, given);
  }
  warnIfDeprecated(opened, operation);
  const invocation = withOwnFormat(opened, operation);
  const { output } = invocation;
  if (!isUnsent(globals) && !given.flow.lookup) checkNames(output, operation);
  const input = await inputOf(opened, operation, given);
  checkInput(operation, withPlaceholders(operation, input), given.argv);
  // Rejects ids that cannot be part of a path, before any prompt.
  pathOf(operation.path, withPlaceholders(operation, input));
  await checkOutput(context, output);
  if (operation.flow === 'wait' || operation.flow === 'run') checkTimes(given.flow);
  if (given.flow.chart) checkChart(output);
  const { outDir } = given.flow;
  if (outDir !== undefined) await (await import('./snippet-files.ts')).checkFolder(context, outDir);
  await checkLink(context, given.flow, output);
  // A missing base URL is reported before anything is opened.
  baseUrlOf(settings);

  const typed = { input, members: membersIn(operation, given.flags) };
  return resultOver(invocation, { operation, input }, async (calls) => {
    if (isUnsent(globals)) return unsent(invocation, operation, typed, calls.connection);
    // The user confirms before the deadline starts, and only after the workspace check has passed.
    const find = async () => {
      const deadline = calls.begin(operation);
      const organization = await checked(opened, operation, calls, deadline.signal).finally(deadline.end);
      const found = await withIds(opened, operation, typed, calls);
      const { base } = calls.connection.target;
      return {
        ...found,
        names: { ...given.names, ...found.names },
        organization,
        host: new URL(base).host || base,
      };
    };
    const confirmed = await confirm(opened, operation, input, find);
    const found = confirmed ?? (await withIds(opened, operation, typed, calls));
    const { input: full } = found;
    const names = { ...workspaceName(settings), ...given.names, ...found.names };
    const performed = await perform({ invocation, operation, given, input: full, calls }).catch(
      (error: unknown) => statusOfJob(invocation, given.flow, error),
    );
    const result =
      outDir === undefined || performed.failure
        ? performed
        : await (await import('./snippet-files.ts')).toFiles(invocation, outDir, performed);
    const done =
      context.stderr.isTTY === true
        ? await withDone(result, { operation, input: full, names, opened })
        : result;
    return { ...done, output: { asked: output.asked, ...result.output } };
  });
}

function warnIfDeprecated({ log }: Invocation, { command, deprecated }: Operation): void {
  if (deprecated === undefined) return;
  const successor = deprecated === true ? '' : `; use dtp ${deprecated}`;
  log.warn(`dtp ${command.join(' ')} is deprecated${successor}`);
}

/** Checks the workspace. Returns the slug of the organization that a purchase would be for, if it is known. */
async function checked(
  { settings }: Invocation,
  operation: Operation,
  { connection }: Calls,
  signal: AbortSignal,
): Promise<string | undefined> {
  await connection.checkWorkspace(operation, signal);
  if (operation.effect !== 'bill' || argumentsOf(operation).length > 0) return undefined;
  const known = settings.values.organization_slug?.value;
  if (known !== undefined) return known;
  // Without it, the question is less precise. The operation itself reports why the service cannot be called.
  const { org_slug } = await connection.whose(signal).catch((): Readonly<Record<string, unknown>> => ({}));
  return typeof org_slug === 'string' ? org_slug : undefined;
}

/** The code of `--schema` is loaded only if it is used, because it loads the YAML parser. */
async function inputOf({ context, log }: Invocation, operation: Operation, given: Given): Promise<Input> {
  const files = openFiles(context, log.note);
  const { schema: path } = given.flow;
  if (path === undefined || operation.flow !== 'summary') return readInput(operation, given, context, files);
  const { readSummaryInput } = await import('../../input/summary.ts');
  return readSummaryInput(operation, { ...given, path }, context, files);
}

/**
 * For `dtp api`, the output format counts as chosen by the user, because the content type of the response is not
 * known.
 */
const withOwnFormat = (invocation: Invocation, { id }: Operation): Invocation =>
  id === 'api'
    ? { ...invocation, output: { ...invocation.output, asked: invocation.output.format } }
    : invocation;

/** The name of the workspace, if the user chose the workspace by its name. */
const workspaceName = ({ values: { workspace } }: Invocation['settings']): WithIds['names'] =>
  workspace && isNamedWorkspace(workspace)
    ? { workspace: { id: workspace.value, name: workspace.value } }
    : {};

/** The workspace that the user selected: its slug if it is stored with the id, else as it was given. */
function selectedIn({
  values: { workspace, workspace_slug: slug },
  stored: { credential_workspace: own = workspace?.value },
}: Invocation['settings']): string | undefined {
  // The profile stores the slug of the credential's workspace, which may not be the selected one.
  const isKnown = slug?.source === workspace?.source && own === workspace?.value;
  return isKnown && slug ? slug.value : workspace?.value;
}

/** The result with what the operation has changed, for somebody at a terminal. */
async function withDone(
  result: Result,
  { operation, input, names, opened }: WithIds & { operation: Operation; opened: Invocation },
): Promise<Result> {
  if (result.kind !== 'answer' && result.kind !== 'value') return result;
  // What failed later is not a success, although the operation was.
  if (result.failure) return result;
  const { aloneOf, doneOf } = await import('../../output/done.ts');
  const read = result.kind === 'answer' ? fieldsIn(result.value) : result.value;
  const done = result.done ?? doneOf(operation, input, read, names);
  const isOther = done?.next?.includes('-w') === false;
  return {
    ...result,
    ...(result.kind === 'answer' && {
      alone: result.alone ?? aloneOf(operation, read),
      workspace: selectedIn(opened.settings),
    }),
    done: done && { ...done, next: done.next && [...done.next, ...sameService(opened.globals, isOther)] },
  };
}

/** Sends the request, or the requests of the operation's flow. */
export async function perform(work: Work): Promise<Result> {
  const { invocation, operation, given, calls } = work;
  const { context, settings, output, log } = invocation;
  const { flow } = given;
  const read = asRead(work);
  const deadline = calls.begin(read);
  const { connection } = calls;
  const { signal, moving } = deadline;
  const input = await withSettings(operation, work.input, { settings, connection, signal });
  const sender = await senderOf(operation, input, { context, connection, signal });
  const send = moving(flow.include ? withHead(sender, isAsItComes(work), log) : sender);
  const asked: Ask = (more, until) => {
    const boundary = () => `dtp-${context.uuid()}`;
    const request = buildRequest(operation, { ...input, ...more }, connection.target, boundary);
    return exchange(send, read, request, until);
  };
  const ask = withUpload({ ...work, input }, asked);
  const sending: Sending = { ...work, input, ask, deadline };
  // Each poll and each page gets a separate deadline. With --timeout, all pages share one.
  if (flow.wait || (operation.flow === 'pages' && !settings.values.timeout)) deadline.end();
  if (operation.flow === 'pages') return askPages(sending);
  if (flow.wait && operation.flow === 'run') return (await import('./wait-run.ts')).awaitRun(sending);
  if (flow.wait) return awaitJob(sending);
  if (flow.lookup) return (await import('./new-token.ts')).createToken(sending);
  if (isBounded({ ...work, input })) return withSpinner(context, operation.summary, () => newest(sending));
  // An upload shows its own progress.
  const value =
    ask === asked
      ? await withSpinner(context, operation.summary, () => ask({}, signal))
      : await ask({}, signal);
  if (value.kind === 'bytes' && isRowByRow(work)) {
    const { rowsResult } = await import('./rows.ts');
    return rowsResult(operation, value);
  }
  if (flow.chart) return chartOf(operation.id, value, output);
  if (operation.flow === 'upload' || operation.flow === 'link') return withLink(sending, value);
  if (operation.id === 'getCodehostAction') {
    const { remember } = await import('./last-link.ts');
    await remember(invocation, 'run', fieldsIn(value).run_url);
  }
  return answer(operation, verifiedValue(operation, input, value));
}

/** `ask`, with a progress display if a file is uploaded. */
function withUpload({ invocation, operation, input, given }: Work, ask: Ask): Ask {
  const found = fileField(operation, input);
  if (found === undefined) return ask;
  const { argv, flow } = given;
  const again = commandLine(withoutTimeout(argv));
  const upload = { ...found, checksum: flow.checksum === true, again };
  return asUpload(invocation, operation, upload, ask);
}

/** Reads the response as bytes if it is streamed to the output. Each byte that arrives then extends the deadline. */
const asRead = (work: Work): Operation =>
  isAsItComes(work) || isRowByRow(work) ? { ...work.operation, result: 'bytes' } : work.operation;

/**
 * Whether the rows of a list are written as they arrive. With --retry, the response is read in full first, so that an
 * incomplete one can be requested again. Paged lists are written page by page.
 */
const isRowByRow = ({ operation, given: { flow }, invocation: { globals, output } }: Work): boolean =>
  (operation.result === 'list' || operation.rows !== undefined) &&
  effectOf(operation) === 'read' &&
  operation.flow !== 'pages' &&
  !isCheckedWhole(operation) &&
  output.format === 'ndjson' &&
  !(output.query || output.bare || flow.wait || flow.chart || flow.outDir || Number(globals.retry ?? 0) > 0);

/** Whether the bytes of the response are written unchanged: `-o raw`, and no flag that needs the content. */
const isAsItComes = ({
  operation,
  invocation: {
    output: { format, query, fields },
  },
  given: { flow },
}: Work): boolean => {
  const { all, limit, lookup, wait, shorten, open, download, outDir } = flow;
  const pages = operation.flow === 'pages' && (all || limit);
  const needed =
    isCheckedWhole(operation) ||
    query ||
    fields ||
    pages ||
    lookup ||
    wait ||
    shorten ||
    open ||
    download ||
    outDir;
  return format === 'raw' && !needed;
};

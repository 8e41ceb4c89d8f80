/** Runs any operation in four steps: check the input, let the user confirm, perform, say what was done. */
import { DtpError } from '../../errors.ts';
import { checkInput } from '../../input/check.ts';
import { openFiles } from '../../input/files.ts';
import { type ParsedArguments, readInput } from '../../input/read.ts';
import { baseUrlOf } from '../../invocation/connect.ts';
import type { Calls } from '../../invocation/connection.ts';
import { withPlaceholders } from '../../invocation/fill.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { withIds } from '../../invocation/names-input.ts';
import { isNamedWorkspace, membersIn, type TypedInput, type WithIds } from '../../invocation/names-shape.ts';
import { typoWarnings, unknownIdsIn } from '../../invocation/near-values.ts';
import { resultWithConnection } from '../../invocation/over.ts';
import type { Input, Operation } from '../../operations/operation.ts';
import { checkNames } from '../../output/choice.ts';
import type { Result } from '../../output/result.ts';
import { checkOutput } from '../../output/write-result.ts';
import { fieldsIn } from '../../request/read.ts';
import { pathOf } from '../../request/url.ts';
import { sameService } from '../../settings/command-line.ts';
import { isUnsent } from '../../settings/global-flags.ts';
import { argumentsOf } from '../../tree/operation-flags.ts';
import { confirm } from '../confirm.ts';
import { checkChart } from './chart.ts';
import { unsentRequest } from './dry-run.ts';
import { limitOf } from './limit.ts';
import { perform } from './perform.ts';
import { withPeriod } from './period.ts';
import { checkLink } from './report-link.ts';
import { checkTimes, pendingResultOf } from './wait.ts';
import type { Work } from './work.ts';

/** Throws `usage` for invalid input before anything is sent. */
export async function runOperation(opened: Invocation, operation: Operation, given: ParsedArguments): Promise<Result> {
  for (const text of typoWarnings(operation, given)) opened.log.warn(text);
  if (operation.flow === 'spool') {
    const { postEvents } = await import('../events/post.ts');
    return postEvents(opened, operation, given);
  }
  warnIfDeprecated(opened, operation);
  const invocation = withOwnFormat(opened, operation);
  const checked = { invocation, operation, given, input: await checkedInput(invocation, operation, given) };
  return resultWithConnection(invocation, { operation, input: checked.input }, async (calls) => {
    const { input } = checked;
    const typed = { input, members: membersIn(operation, given.flags) };
    if (isUnsent(opened.globals)) return unsentRequest(invocation, operation, typed, calls.connection);
    const confirmed = await confirmedInput({ ...checked, calls }, typed);
    const result = await performed({ ...checked, input: confirmed.input, calls });
    const isSeen = opened.context.stderr.isTTY === true;
    const done = isSeen ? await withDone(result, { operation, ...confirmed, opened }) : result;
    return { ...done, output: { asked: invocation.output.asked, ...result.output } };
  });
}

/** Reads the input, and makes every check that needs no request. */
async function checkedInput(invocation: Invocation, operation: Operation, given: ParsedArguments): Promise<Input> {
  const { context, globals, settings, output } = invocation;
  const { flow } = given;
  if (!isUnsent(globals) && !flow.lookup) checkNames(output, operation);
  const input = await inputOf(invocation, operation, given);
  checkInput(operation, withPlaceholders(operation, input), given.argv);
  // Rejects ids that cannot be part of a path, before any prompt.
  pathOf(operation.path, withPlaceholders(operation, input));
  await checkOutput(context, output);
  if (operation.flow === 'wait' || operation.flow === 'run') checkTimes(flow);
  if (operation.flow === 'run' && flow.open && !flow.wait) throw new DtpError('usage', '--open needs --wait');
  // The API has a limit only for a search.
  limitOf('limit' in operation.input ? input.limit : flow.limit);
  if (flow.chart) checkChart(output);
  if (flow.outDir !== undefined) await (await import('./snippet-files.ts')).checkSnippetFolder(context, flow.outDir);
  await checkLink(context, flow, output);
  // A missing base URL is reported before anything is opened.
  baseUrlOf(settings);
  return withPeriod({ invocation, operation, given, input });
}

/** Asks for confirmation, if needed, before the deadline starts. Returns the input with ids, and the names. */
async function confirmedInput({ invocation, operation, given, calls }: Work, typed: TypedInput): Promise<WithIds> {
  const { settings } = invocation;
  const find = async () => {
    const deadline = calls.begin(operation);
    const organization = await checkedOrganization(invocation, operation, calls, deadline.signal).finally(deadline.end);
    const found = await withIds(invocation, operation, { ...typed, mustExist: true }, calls);
    const { base } = calls.connection.target;
    const names = { ...given.names, ...found.names };
    return { ...found, names, organization, host: new URL(base).host || base };
  };
  const confirmed = await confirm(invocation, operation, typed.input, find);
  const { input, names } = confirmed ?? (await withIds(invocation, operation, typed, calls));
  return { input, names: { ...workspaceName(settings), ...given.names, ...names } };
}

/** Calls the service. With --out-dir, writes code samples to files. Returns the status of a job that still runs. */
async function performed(work: Work): Promise<Result> {
  const { invocation, given } = work;
  const { outDir } = given.flow;
  const result = await perform(work).catch((error: unknown) => pendingResultOf(invocation, given.flow, error));
  // A job that still runs has a status and no code samples.
  if (outDir === undefined || (result.failure && result.kind !== 'answer')) return result;
  const { failure, notes = [] } = result;
  return { ...(await (await import('./snippet-files.ts')).toFiles(invocation, outDir, result)), failure, notes };
}

function warnIfDeprecated({ log }: Invocation, { command, deprecated }: Operation): void {
  if (deprecated === undefined) return;
  const successor = deprecated === true ? '' : `; use dtp ${deprecated}`;
  log.warn(`dtp ${command.join(' ')} is deprecated${successor}`);
}

/** Checks the workspace. Returns the slug of the organization that a purchase would be for, if it is known. */
async function checkedOrganization({ settings }: Invocation, operation: Operation, calls: Calls, signal: AbortSignal) {
  const { connection } = calls;
  await connection.checkWorkspace(operation, signal);
  if (operation.effect !== 'bill' || argumentsOf(operation).length > 0) return undefined;
  const known = settings.values.organization_slug?.value;
  if (known !== undefined) return known;
  // If the look-up fails, the question names no organization. The operation will report the same error.
  const { org_slug } = await connection.whose(signal).catch((): Readonly<Record<string, unknown>> => ({}));
  return typeof org_slug === 'string' ? org_slug : undefined;
}

/** The code that makes a summary is loaded only if it is used, because it loads the YAML parser. */
async function inputOf({ context, log }: Invocation, operation: Operation, given: ParsedArguments): Promise<Input> {
  const files = openFiles(context, log);
  const { schema: path } = given.flow;
  if (path !== undefined && operation.flow === 'summary')
    return (await import('../../input/summary.ts')).readSummaryInput(operation, { ...given, path }, context, files);
  const input = await readInput(operation, given, context, files);
  for (const text of await unknownIdsIn(input)) log.warn(text);
  return input;
}

/** For `dtp api`, the output format counts as chosen by the user, because the type of the response is not known. */
const withOwnFormat = (invocation: Invocation, { id }: Operation): Invocation =>
  id === 'api' ? { ...invocation, output: { ...invocation.output, asked: invocation.output.format } } : invocation;

const workspaceName = ({ values: { workspace } }: Invocation['settings']): WithIds['names'] =>
  workspace && isNamedWorkspace(workspace) ? { workspace: { id: workspace.value, name: workspace.value } } : {};

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
  if (result.kind === 'list') return { ...result, workspace: selectedIn(opened.settings) };
  if (result.kind !== 'answer' && result.kind !== 'value') return result;
  // If a later step failed, the command is not reported as a success, although the operation succeeded.
  if (result.failure) return result;
  const { copyableValueOf, doneOf } = await import('../../output/done.ts');
  const read = result.kind === 'answer' ? fieldsIn(result.value) : result.value;
  const done = result.done ?? doneOf(operation, input, read, names);
  const isOther = done?.next?.flat().includes('-w') === false;
  return {
    ...result,
    ...(result.kind === 'answer' && {
      alone: result.alone ?? copyableValueOf(operation, read),
      workspace: selectedIn(opened.settings),
    }),
    done: done && { ...done, next: done.next && [...done.next, ...sameService(opened.globals, isOther)] },
  };
}

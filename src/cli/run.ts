/** The one action of every operation: input → request → send → read → render. */
import { type Context, changed } from '../context.ts';
import type { FileValue, Input, Operation } from '../operations/operation.ts';
import { buildRequest } from '../request/build.ts';
import { pathOf } from '../request/url.ts';
import { commandLine, withoutTimeout } from './advice.ts';
import { type Ask, exchange } from './call.ts';
import { checkChart, emitChart } from './chart.ts';
import { checkInput } from './check.ts';
import { confirm } from './confirm.ts';
import { baseAddress, type Connection, connect } from './connection.ts';
import { type MovingDeadline, openDeadline } from './deadline.ts';
import { emitUnsent, isUnsent } from './dry-run.ts';
import { checkOutput, emitValue } from './emit.ts';
import { advise } from './explain.ts';
import { openFiles } from './files.ts';
import { withPlaceholders, withSettings } from './filled.ts';
import type { Globals } from './globals.ts';
import { type Given, readInput } from './input.ts';
import { checkLink, emitLink } from './links.ts';
import { type Log, openLog } from './log.ts';
import { checkNames, type Output, outputOf } from './output.ts';
import { emitPages } from './pages.ts';
import { pickMissing } from './pick.ts';
import { senderOf, withHead } from './sender.ts';
import { resolveSettings, type Settings } from './settings.ts';
import { withSpinner } from './spinner.ts';
import { strangeValues } from './strange-values.ts';
import { asUpload, fileField, type Upload } from './upload.ts';
import { isCheckedWhole, verifiedValue } from './verify.ts';
import { checkTimes, emitAwaited } from './wait.ts';

export async function runOperation(
  context: Context,
  operation: Operation,
  typed: Given,
  flags: Globals,
): Promise<void> {
  if (typed.flow.skeleton) {
    const { emitSkeleton } = await import('./skeleton.ts');
    return emitSkeleton(context, operation, flags);
  }
  const log = openLog(context, flags);
  const asked = { given: typed, globals: flags };
  const { given, globals } = await pickMissing(context, operation, asked, log);
  for (const note of strangeValues(operation, given)) log.note(note);
  if (operation.flow === 'spool') {
    const { runPost } = await import('./events/post.ts');
    return runPost(context, operation, given, globals);
  }
  if (operation.deprecated !== undefined)
    log.warn(`dtp ${operation.command.join(' ')} is deprecated; use dtp ${operation.deprecated}`);

  const settings = await resolveSettings(context, globals);
  for (const fault of settings.faults) log.warn(fault.message);
  const made = await outputOf(context, globals, settings);
  // What a path of the user's answers is told only by its bytes: they are decoded, unless raw ones are asked for.
  const output = operation.id === 'api' ? { ...made, asked: made.format } : made;
  if (!isUnsent(globals)) checkNames(output, operation);
  const input = await readInput(operation, given, context, openFiles(context, log.note));
  checkInput(operation, withPlaceholders(operation, input), given.argv);
  // Refuses ids that cannot be sent, before anything is asked.
  pathOf(operation.path, withPlaceholders(operation, input));
  await checkOutput(output);
  if (operation.flow === 'wait') checkTimes(given.flow);
  if (given.flow.chart) checkChart(output);
  await checkLink(context, given.flow, baseAddress(settings).value, output);

  await overConnection({ context, operation, settings, given, globals, input, output, log });
}

/** What is checked, and has only to be done. */
interface Ready {
  readonly context: Context;
  readonly operation: Operation;
  readonly settings: Settings;
  readonly given: Given;
  readonly globals: Globals;
  readonly input: Input;
  readonly output: Output;
  readonly log: Log;
}

/** Opens the connection, and asks for what needs a person's word. Failures get what is known of the credential. */
async function overConnection(ready: Ready): Promise<void> {
  const { context, operation, settings, given, globals, input, output, log } = ready;
  const connection = await connect({ context, settings, globals, operation, log });
  try {
    if (isUnsent(globals)) {
      const full = await withSettings(operation, input, settings, connection, undefined);
      return await emitUnsent(context, operation, full, settings, connection, globals, output, log);
    }
    // Before the clock runs: a person may think as long as he likes. Nobody confirms what is then refused.
    await confirm(context, globals, operation, given, async () => {
      const deadline = openDeadline(context, operation, settings);
      await connection.checkWorkspace(operation, deadline.signal).finally(deadline.end);
    });
    const deadline = openDeadline(context, asRead(ready), settings);
    await perform(ready, connection, deadline).finally(deadline.end);
  } catch (error) {
    throw advise(error, { ...ready, connection });
  } finally {
    await connection.close();
  }
}

/** Sends the request, or those of the operation's flow, and writes what comes of it. */
async function perform(ready: Ready, connection: Connection, deadline: MovingDeadline): Promise<void> {
  const { context, operation, settings, given, input, output, log } = ready;
  const { flow } = given;
  const { signal, moving } = deadline;
  const full = await withSettings(operation, input, settings, connection, signal);
  const sender = await senderOf(context, operation, full, connection, signal);
  const send = moving(flow.include ? withHead(sender, isAsItComes(output, flow), log) : sender);
  const read = asRead(ready);
  const asked: Ask = (more, until) => {
    const boundary = () => `dtp-${context.uuid()}`;
    const request = buildRequest(operation, { ...full, ...more }, connection.target, boundary);
    return exchange(send, read, request, until);
  };
  const upload = uploadIn(operation, full, given);
  const ask = upload ? asUpload(context, operation, upload, asked, log) : asked;
  const first = full.next_page_token as string | undefined;
  const all = { ...ready, flow, connection, input: full, first, ask, signal, moving };
  if (operation.flow === 'pages') return emitPages(all);
  if (flow.wait) return emitAwaited(all);
  // An upload moves by itself.
  const value = upload
    ? await ask({}, signal)
    : await withSpinner(context, operation.summary, () => ask({}, signal));
  if (value.kind === 'bytes' && isRowByRow(ready)) {
    const { emitRows } = await import('./rows.ts');
    return emitRows(context, operation, value, output, log);
  }
  if (flow.chart) return emitChart(context, operation.id, value, output, log);
  if (operation.flow === 'upload' || operation.flow === 'link') return emitLink({ ...all, value });
  // The time of the command is also that of the work on its result.
  await emitValue(
    changed(context, { signal }),
    operation,
    verifiedValue(operation, full, value),
    output,
    log,
  );
}

/** The file that is sent, where there is one. */
function uploadIn(operation: Operation, input: Input, { argv, flow }: Given): Upload | undefined {
  const field = fileField(operation, input);
  if (field === undefined) return undefined;
  const again = commandLine(withoutTimeout(argv));
  return { file: input[field] as FileValue, field, checksum: flow.checksum === true, again };
}

/** The operation as its answer is read: what is written as it arrives are bytes, which gain time as long as they come. */
const asRead = (ready: Ready): Operation =>
  isAsItComes(ready.output, ready.given.flow) || isRowByRow(ready)
    ? { ...ready.operation, result: 'bytes' }
    : ready.operation;

/**
 * Whether the rows of a list are written as they arrive: nothing has to be known of them all before. With --retry the
 * answer is read whole, so that one that breaks off is asked for again. A list in pages is written page by page.
 */
const isRowByRow = ({ operation, given: { flow }, globals, output }: Ready): boolean =>
  (operation.result === 'list' || operation.rows !== undefined) &&
  operation.flow !== 'pages' &&
  !isCheckedWhole(operation) &&
  output.format === 'ndjson' &&
  !(output.query || output.bare || flow.wait || flow.chart || Number(globals.retry ?? 0) > 0);

/** The bytes of an answer, untouched, where nothing of it is needed. */
const isAsItComes = (
  { format, query, fields }: Output,
  { all, limit, wait, shorten, open, download }: Given['flow'],
) => format === 'raw' && !query && !fields && !all && !limit && !wait && !shorten && !open && !download;

/** Calls the service for an operation: one request, or the requests of its flow. */
import { DtpError } from '../../errors.ts';
import { type Ask, exchange } from '../../invocation/connection.ts';
import { withSettings } from '../../invocation/fill.ts';
import { senderOf, withPrintedHeaders } from '../../invocation/send.ts';
import { fieldsOf } from '../../json-object.ts';
import { type Input, type Operation, readsList } from '../../operations/operation.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { buildRequest, jsonBody } from '../../request/build.ts';
import { digestIn, verifyDigests } from '../../request/digest.ts';
import { fieldsIn, type Value } from '../../request/read.ts';
import { chartOf } from './chart.ts';
import { limitOf } from './limit.ts';
import { keptIn, listIn } from './list.ts';
import { askPages } from './pages.ts';
import { askPeriod, hasPeriod, isBounded, newest } from './period.ts';
import { withLink } from './report-link.ts';
import { firstSamples, hasSelection, withSelection } from './selection.ts';
import { fileField, withUpload } from './upload.ts';
import { awaitJob } from './wait.ts';
import { answer, type Sending, type Work } from './work.ts';

/** Chooses the flow of an operation, by its record and its flags. It makes its requests with `ask`. */
function flowOf(work: Work): (sending: Sending) => Promise<Result> {
  const { operation, given } = work;
  const { wait, lookup, chart } = given.flow;
  if (operation.flow === 'pages') return askPages;
  if (hasPeriod(work)) return askPeriod;
  if (wait && operation.flow === 'run') return async (sending) => (await import('./wait-run.ts')).awaitRun(sending);
  if (wait) return awaitJob;
  if (lookup) return async (sending) => (await import('./new-token.ts')).createToken(sending);
  if (operation.id === 'setWorkspaceFeatureFlags')
    return async (sending) => (await import('./set-flags.ts')).setFlags(sending);
  if (isBounded(work))
    return (sending) => withSpinner(sending.invocation.context, operation.summary, () => newest(sending));
  if (chart) return async (sending) => chartOf(operation.id, await askOnce(sending), sending.invocation.output);
  if (isList(work) && !isAsItComes(work)) return askForList;
  if (operation.flow === 'upload' || operation.flow === 'link')
    return async (sending) => withLink(sending, await askOnce(sending));
  return askForAnswer;
}

export async function perform(work: Work): Promise<Result> {
  const { operation } = work;
  const flow = flowOf(work);
  const sending = await openSending(work);
  // Each poll and each page gets a separate deadline. With --timeout, all pages share one.
  const { wait } = work.given.flow;
  if (wait || (operation.flow === 'pages' && !work.invocation.settings.values.timeout)) sending.deadline.end();
  const result = withSelection(work.input, await flow(sending));
  // A search sends its limit, and pages and periods count their rows themselves.
  if (operation.flow === 'pages' || 'limit' in operation.input || hasPeriod(work)) return result;
  const limit = limitOf(work.given.flow.limit);
  if (limit === undefined) return result;
  if (result.kind === 'answer' && hasSelection(work.input) && !work.given.flow.outDir)
    return firstSamples(result, limit);
  return result.kind === 'list' ? { ...result, most: limit } : result;
}

/** Starts the deadline, and prepares what sends the requests of a flow. */
async function openSending(work: Work): Promise<Sending> {
  const { invocation, operation, given, calls } = work;
  const { context, settings, log } = invocation;
  const read = asRead(work);
  const deadline = calls.begin(read);
  const { connection } = calls;
  const { signal, moving } = deadline;
  const input = await withSettings(operation, work.input, { settings, connection, signal });
  const sender = await senderOf(operation, input, { context, connection, signal });
  const send = moving(given.flow.include ? withPrintedHeaders(sender, isAsItComes(work), log) : sender);
  const ask: Ask = (more, until) => {
    const boundary = () => `dtp-${context.uuid()}`;
    const request = buildRequest(operation, { ...input, ...more }, connection.target, boundary);
    return exchange(send, read, request, until);
  };
  return { ...work, input, ask: withUpload({ ...work, input }, ask), deadline };
}

/** Sends one request. An upload shows its own progress. */
const askOnce = ({ invocation, operation, input, ask, deadline }: Sending): Promise<Value> =>
  fileField(operation, input) === undefined
    ? withSpinner(invocation.context, operation.summary, () => ask({}, deadline.signal))
    : ask({}, deadline.signal);

async function askForList(sending: Sending): Promise<Result> {
  const { operation, invocation } = sending;
  const value = await askOnce(sending);
  if (value.kind !== 'bytes') return answer(operation, value);
  return { kind: 'list', operation, list: listIn(operation.rows, value, keptIn(invocation.context)) };
}

async function askForAnswer(sending: Sending): Promise<Result> {
  const { invocation, operation, input, given } = sending;
  const value = await askOnce(sending);
  const result = answer(operation, verifiedValue(operation, input, value));
  if (!operation.isRun) return result;
  const { run_url: url } = fieldsIn(value);
  const { rememberUrl } = await import('./last-link.ts');
  await rememberUrl(invocation, 'run', url);
  return given.flow.open ? (await import('./last-link.ts')).withOpening(invocation, result, url) : result;
}

/** Reads the response as bytes if it may have any length. Each byte that arrives then extends the deadline. */
const asRead = (work: Work): Operation =>
  isAsItComes(work) || hasPeriod(work) || isList(work) ? { ...work.operation, result: 'bytes' } : work.operation;

/** Whether the response has rows, which are read when they are written. */
function isList(work: Work): boolean {
  const { operation, input, given } = work;
  const { wait, chart, outDir } = given.flow;
  return (
    readsList(operation) && !(operation.isPerItem || hasSelection(input) || wait || chart || outDir || isBounded(work))
  );
}

/** Whether the bytes of the response are written unchanged: `-o raw`, and no flag that needs the content. */
const isAsItComes = ({ operation, invocation, given: { flow } }: Work): boolean => {
  const { format, query, fields } = invocation.output;
  const { all, limit, lookup, wait, shorten, open, download, outDir } = flow;
  const pages = limit || (operation.flow === 'pages' && all);
  const needed =
    operation.isPerItem || query || fields || pages || lookup || wait || shorten || open || download || outDir;
  return format === 'raw' && !needed;
};

/** Returns the value. Its bytes must match their digests, and each item must have a suggestion, or it throws. */
function verifiedValue(operation: Operation, input: Input, value: Value): Value {
  if (operation.isPerItem && value.kind === 'json') checkSuggestions(operation, input, value);
  const { digest } = operation;
  if (value.kind !== 'bytes' || !digest) return value;
  const digests = [String(input[digest.field]), value.digest ?? ''].flatMap((one) => digestIn(one) ?? []);
  return { ...value, body: verifyDigests(value.body, digests, digest.what) };
}

/** Throws `bad_response` unless each item has one string (api.md, Suggest): they only belong together by position. */
function checkSuggestions(
  operation: Operation,
  input: Input,
  { status, value }: Extract<Value, { readonly kind: 'json' }>,
): void {
  const answer = value ?? [];
  const { id, method, path } = operation;
  const bad = (what: string) =>
    new DtpError('bad_response', `${status} from ${method} ${path}: ${what}`, {
      ...{ status, operation: id, method, path, attempts: 1 },
    });
  if (!Array.isArray(answer) || !answer.every((one) => typeof one === 'string'))
    throw bad('the response is not a list of strings');
  const { items } = fieldsOf(jsonBody(operation, input));
  if (Array.isArray(items) && items.length !== answer.length)
    throw bad(`sent ${items.length} items, got ${answer.length} suggestions`);
}

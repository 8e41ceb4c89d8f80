/** Paged lists: one page, all pages as one document, or row by row, requested one page ahead. */
import { DtpError } from '../../errors.ts';
import { timeoutOf, withDeadline } from '../../invocation/deadline.ts';
import type { Operation } from '../../operations/operation.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { amount } from '../../render/amounts.ts';
import { fieldsIn, type Value } from '../../request/read.ts';
import { flagText } from '../../settings/command-line.ts';
import { limitOf } from './limit.ts';
import { answer, type Sending } from './work.ts';

const TOKEN = 'next_page_token';

/** Merges the rows of all pages, except for NDJSON, which is written as the pages arrive. */
export async function askPages(sending: Sending): Promise<Result> {
  const { operation, given, input, invocation } = sending;
  const { context, output } = invocation;
  const first = typeof input[TOKEN] === 'string' ? input[TOKEN] : undefined;
  const limit = limitOf(given.flow.limit);
  if (!given.flow.all && limit === undefined) return askOne(sending, first);
  let list: string | undefined;
  const stopped = new AbortController();
  const signal = AbortSignal.any([signalFor(sending), stopped.signal]);
  const take = async (token: string | undefined) => {
    const value = await askPage(sending, token, signal);
    list ??= listIn(operation, value);
    return pageIn(list, value);
  };
  const pages = pagesOf(take, first, limit ?? Number.POSITIVE_INFINITY);
  if (output.format === 'ndjson' && !output.query)
    return { kind: 'rows', rows: rowsOfPages(pages, stopped), shape: operation };
  const rows: unknown[] = [];
  await withSpinner(context, operation.summary, async (show) => {
    for await (const page of pages) {
      for (const row of page.rows) rows.push(row);
      show({ done: rows.length, facts: [amount(rows.length, 'row')] });
    }
  });
  const value = list === undefined ? rows : { [list]: rows };
  const shape = list === undefined ? operation : { ...operation, rows: list };
  const merged = answer(shape, { kind: 'json', status: 200, value });
  // The number of rows is shown below a whole list only.
  return limit === undefined ? merged : { ...merged, notes: [] };
}

/** Cancels the request of the next page when the rows are no longer wanted, for example by `head`. */
async function* rowsOfPages(pages: AsyncIterable<RowPage>, stopped: AbortController) {
  try {
    for await (const { rows } of pages) yield rows;
  } finally {
    stopped.abort('the rows are no longer wanted');
  }
}

/** One page as the service sends it, with a note on how to get the rest. */
async function askOne(sending: Sending, first: string | undefined): Promise<Result> {
  const { invocation, operation } = sending;
  const value = await withSpinner(invocation.context, operation.summary, () =>
    askPage(sending, first, signalFor(sending)),
  );
  // Checked before anything is printed, because a failure must leave stdout empty.
  const page = value.kind === 'bytes' ? undefined : pageIn(listIn(operation, value), value);
  const result = answer(operation, value);
  if (page?.next === undefined) return result;
  return { ...result, notes: [`there are more results: pass --all, or ${flagText('--page-token', page.next)}`] };
}

const signalFor = ({ invocation: { context, settings }, deadline }: Sending): AbortSignal =>
  settings.values.timeout ? deadline.signal : context.signal;

/** Without --timeout, each page has the default timeout of a request. */
async function askPage(
  { invocation: { context, settings }, operation, ask }: Sending,
  token: string | undefined,
  signal: AbortSignal,
): Promise<Value> {
  if (settings.values.timeout) return ask({ [TOKEN]: token }, signal);
  return withDeadline(context, timeoutOf(operation, settings), signal, (until) => ask({ [TOKEN]: token }, until));
}

/** The field with the rows, or undefined if the response is the list. For `dtp api` it is the only list field. */
function listIn({ rows, id }: Operation, value: Value): string | undefined {
  if (rows !== undefined || id !== 'api') return rows ?? 'items';
  const page = value.kind === 'json' ? value.value : undefined;
  if (Array.isArray(page)) return undefined;
  const lists = Object.entries(page ?? {}).filter(([, one]) => Array.isArray(one));
  return lists.length === 1 ? lists[0]?.[0] : 'items';
}

function pageIn(list: string | undefined, value: Value): RowPage {
  const page = fieldsIn(value);
  const whole = value.kind === 'json' ? value.value : undefined;
  const sent = list === undefined || whole === null ? whole : page[list];
  // Services may send null for an empty list.
  const rows = sent === null ? [] : sent;
  if (!Array.isArray(rows)) throw new DtpError('bad_response', `the response has no list "${list ?? 'rows'}"`);
  const next = page[TOKEN];
  // Without this check, an incomplete list would look complete.
  if (next !== undefined && next !== null && typeof next !== 'string')
    throw new DtpError('bad_response', 'next_page_token is not a string');
  return { rows, next: next || undefined };
}

/** One page: its rows, and the token of the next page if there is one. */
export interface RowPage {
  readonly rows: readonly unknown[];
  readonly next: string | undefined;
}

/**
 * The maximum number of consecutive empty pages. A service that filters rows may send some empty pages, but a broken
 * service may send them forever.
 */
const mostEmpty = 100;

/**
 * Yields the pages of a list, starting with the page of `token`. Requests one page ahead, so that the service works on
 * it while the rows of this page are used. Yields at most `limit` rows, and shortens the last page if necessary. Throws
 * `bad_response` if the list might never end: if a token occurs twice, or after 100 empty pages in a row.
 */
export async function* pagesOf(
  ask: (token: string | undefined) => Promise<RowPage>,
  token: string | undefined,
  limit: number,
): AsyncGenerator<RowPage> {
  const seen = new Set<string>();
  let left = limit;
  let empty = 0;
  let ahead: Promise<RowPage> | undefined;
  for (let at = token; ; ) {
    if (at !== undefined) seen.add(at);
    const page: RowPage = await (ahead ?? ask(at));
    const rows = page.rows.length > left ? page.rows.slice(0, left) : page.rows;
    left -= rows.length;
    if (page.next !== undefined && seen.has(page.next))
      throw new DtpError('bad_response', `the service sent the page token ${page.next} twice`);
    empty = page.rows.length === 0 ? empty + 1 : 0;
    if (page.next !== undefined && empty === mostEmpty)
      throw new DtpError('bad_response', `the service sent ${mostEmpty} empty pages in a row`, {
        hint: 'Omit --all, --limit and --paginate to get one page and the token of the next.',
      });
    const isLast = page.next === undefined || left <= 0;
    ahead = isLast ? undefined : askAhead(() => ask(page.next));
    // The request is sent in this turn of the event loop, before the caller starts to work on the rows.
    if (ahead) await new Promise((done) => setImmediate(done));
    yield { rows, next: page.next };
    if (isLast) return;
    at = page.next;
  }
}

/** Asks for a page. Its failure is handled when the page is needed, so it must not count as unhandled until then. */
function askAhead(ask: () => Promise<RowPage>): Promise<RowPage> {
  const page = ask();
  page.catch(() => undefined);
  return page;
}

/** A list that comes in pages: one of them, or all as one document, or row by row as they come. */
import { DtpError } from '../../errors.ts';
import { type Page, pagesOf } from '../../flows/pages.ts';
import { deadlineIn, timeoutOf } from '../../invocation/deadline.ts';
import type { Operation } from '../../operations/operation.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { fieldsIn, type Value } from '../../request/read.ts';
import { answer, type Sending } from './work.ts';

const TOKEN = 'next_page_token';

/** Rows are merged before anything is done with them; NDJSON is written as they come. */
export async function askPages(sending: Sending): Promise<Result> {
  const { operation, given, input, invocation } = sending;
  const { context, output } = invocation;
  const first = textIn(input[TOKEN]);
  const limit = limitOf(given.flow.limit);
  if (!given.flow.all && limit === undefined) return askOne(sending, first);
  let list: string | undefined;
  const pages = pagesOf(
    async (token) => {
      const value = await askPage(sending, token);
      list ??= listIn(operation, value);
      return pageIn(list, value);
    },
    first,
    limit ?? Number.POSITIVE_INFINITY,
  );
  if (output.format === 'ndjson' && !output.query)
    return { kind: 'rows', rows: rowsOfPages(pages), shape: operation };
  const rows: unknown[] = [];
  await withSpinner(context, operation.summary, async (show) => {
    for await (const page of pages) {
      for (const row of page.rows) rows.push(row);
      show(`${operation.summary}: ${rows.length}`);
    }
  });
  const { columns } = operation;
  return list === undefined
    ? { kind: 'value', value: rows, shape: { columns } }
    : { kind: 'value', value: { [list]: rows }, shape: { rows: list, columns } };
}

async function* rowsOfPages(pages: AsyncIterable<Page>): AsyncGenerator<readonly unknown[]> {
  for await (const { rows } of pages) yield rows;
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** As the service has it, with a word on how to get the rest. */
async function askOne(sending: Sending, first: string | undefined): Promise<Result> {
  const { invocation, operation } = sending;
  const value = await withSpinner(invocation.context, operation.summary, () => askPage(sending, first));
  // Before it is shown: an answer that is not a page is a failure, and a failure leaves stdout empty.
  const page = value.kind === 'bytes' ? undefined : pageIn(listIn(operation, value), value);
  const notes = page?.next === undefined ? [] : [`there is more: --all, or --page-token ${page.next}`];
  return { ...answer(operation, value), notes };
}

function limitOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(given)) return Number(given);
  throw new DtpError('usage', `--limit must be a number above 0; "${given}" is not`);
}

/** A time that the user gives is for all pages together; without one, each has the time of a request. */
async function askPage(sending: Sending, token: string | undefined): Promise<Value> {
  const { invocation, operation, ask, deadline: whole } = sending;
  const { context, settings } = invocation;
  if (settings.values.timeout) return ask({ [TOKEN]: token }, whole.signal);
  const deadline = deadlineIn(context, timeoutOf(operation, settings), context.signal);
  return ask({ [TOKEN]: token }, deadline.signal).finally(deadline.end);
}

/** The member that the rows are; undefined where the answer is the list. Where nothing says which, it is the only list. */
function listIn({ rows, id }: Operation, value: Value): string | undefined {
  if (rows !== undefined || id !== 'api') return rows ?? 'items';
  const page = value.kind === 'json' ? value.value : undefined;
  if (Array.isArray(page)) return undefined;
  const lists = Object.entries(page ?? {}).filter(([, one]) => Array.isArray(one));
  return lists.length === 1 ? lists[0]?.[0] : 'items';
}

function pageIn(list: string | undefined, value: Value): Page {
  const page = fieldsIn(value);
  const rows = list !== undefined ? page[list] : value.kind === 'json' ? value.value : undefined;
  if (!Array.isArray(rows)) throw new DtpError('bad_response', `the answer has no list of ${list ?? 'rows'}`);
  const next = page[TOKEN];
  // A list that ended early would pass for the whole.
  if (next !== undefined && next !== null && typeof next !== 'string')
    throw new DtpError('bad_response', 'the answer names the next page by what is no text');
  return { rows, next: next || undefined };
}

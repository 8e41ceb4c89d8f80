/** A list that comes in pages: one of them, or all as one document, or row by row as they come. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { type Page, pagesOf } from '../flows/pages.ts';
import type { Operation } from '../operations/operation.ts';
import { render } from '../render/index.ts';
import type { Value } from '../request/read.ts';
import type { Ask } from './call.ts';
import { deadlineIn, timeoutOf } from './deadline.ts';
import { emitResult, emitTexts, emitValue } from './emit.ts';
import type { Log } from './log.ts';
import { type Output, viewOf } from './output.ts';
import type { Settings } from './settings.ts';
import { withSpinner } from './spinner.ts';

export interface PagesOptions {
  readonly context: Context;
  readonly operation: Operation;
  readonly settings: Settings;
  readonly flow: Readonly<Record<string, unknown>>;
  /** The token of the page to begin with. */
  readonly first: string | undefined;
  readonly ask: Ask;
  /** The deadline of the command. */
  readonly signal: AbortSignal;
  readonly output: Output;
  readonly log: Log;
}

const TOKEN = 'next_page_token';

/** Rows are merged before anything is done with them; NDJSON is written as they come. */
export async function emitPages(options: PagesOptions): Promise<void> {
  const { context, operation, flow, first, output, log } = options;
  const limit = limitOf(flow.limit);
  if (!flow.all && limit === undefined) return emitOne(options);
  let list: string | undefined;
  const pages = pagesOf(
    async (token) => {
      const value = await askPage(options, token);
      list ??= listIn(operation, value);
      return pageIn(list, value);
    },
    first,
    limit ?? Number.POSITIVE_INFINITY,
  );
  if (output.format === 'ndjson' && !output.query) return emitRows(options, pages);
  const rows: unknown[] = [];
  await withSpinner(context, operation.summary, async (show) => {
    for await (const page of pages) {
      for (const row of page.rows) rows.push(row);
      show(`${operation.summary}: ${rows.length}`);
    }
  });
  const { columns } = operation;
  if (list === undefined) return emitResult(context, rows, output, { columns }, log);
  await emitResult(context, { [list]: rows }, output, { rows: list, columns }, log);
}

/** As the service has it, with a word on how to get the rest. */
async function emitOne(options: PagesOptions): Promise<void> {
  const { context, operation, first, output, log } = options;
  const value = await withSpinner(context, operation.summary, () => askPage(options, first));
  // Before it is shown: what is no page is a failure, which has nothing on stdout.
  const page = value.kind === 'bytes' ? undefined : pageIn(listIn(operation, value), value);
  await emitValue(context, operation, value, output, log);
  if (page?.next !== undefined) log.note(`there is more: --all, or --page-token ${page.next}`);
}

function limitOf(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(String(given))) return Number(given);
  throw new DtpError('usage', `--limit must be a number above 0; "${given}" is not`);
}

/** A time that the user gives is for all pages together; without one, each has the time of a request. */
async function askPage(options: PagesOptions, token: string | undefined): Promise<Value> {
  const { context, operation, settings, ask, signal } = options;
  if (settings.values.timeout) return ask({ [TOKEN]: token }, signal);
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
  const page = value.kind === 'json' ? (value.value as Readonly<Record<string, unknown>> | null) : null;
  const rows = list === undefined ? page : page?.[list];
  if (!Array.isArray(rows)) throw new DtpError('bad_response', `the answer has no list of ${list ?? 'rows'}`);
  const next = page?.[TOKEN];
  // A list that ended early would pass for the whole.
  if (next !== undefined && next !== null && typeof next !== 'string')
    throw new DtpError('bad_response', 'the answer names the next page by what is no text');
  return { rows, next: next || undefined };
}

async function emitRows(
  { context, operation, output }: PagesOptions,
  pages: AsyncIterable<Page>,
): Promise<void> {
  const view = viewOf(output, operation);
  const texts = (async function* () {
    for await (const { rows } of pages) yield await render(rows, 'ndjson', view);
  })();
  await emitTexts(context, texts, output);
}

/** Reads a paginated list page by page, requesting one page ahead. */
import { DtpError } from '../errors.ts';

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

/** A list that comes in pages, as one. */
import { DtpError } from '../errors.ts';

/** One page: its rows, and the token of the next where there is one. */
export interface Page {
  readonly rows: readonly unknown[];
  readonly next: string | undefined;
}

/** Empty pages in a row. A service that filters may send some; one that is broken sends them without end. */
const mostEmpty = 100;

/**
 * The pages from `token` on, each asked for when the one before is used up; at most `limit` rows, the last page cut.
 * Throws `bad_response` for what would never end: a page that is named twice, or 100 empty pages in a row.
 */
export async function* pagesOf(
  ask: (token: string | undefined) => Promise<Page>,
  token: string | undefined,
  limit: number,
): AsyncGenerator<Page> {
  const seen = new Set<string>();
  let left = limit;
  let empty = 0;
  for (let at = token; ; ) {
    if (at !== undefined) seen.add(at);
    const page = await ask(at);
    const rows = page.rows.length > left ? page.rows.slice(0, left) : page.rows;
    left -= rows.length;
    if (page.next !== undefined && seen.has(page.next))
      throw new DtpError('bad_response', `the service names the page ${page.next} twice`);
    empty = page.rows.length === 0 ? empty + 1 : 0;
    if (page.next !== undefined && empty === mostEmpty)
      throw new DtpError('bad_response', `the service sent ${mostEmpty} empty pages in a row`, {
        hint: 'Leave out --all, --limit or --paginate to get one page, with the token of the next one.',
      });
    yield { rows, next: page.next };
    if (page.next === undefined || left <= 0) return;
    at = page.next;
  }
}

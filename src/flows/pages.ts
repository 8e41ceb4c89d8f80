/** A list that comes in pages, as one. */
import { DtpError } from '../errors.ts';

/** One page: its rows, and the token of the next where there is one. */
export interface Page {
  readonly rows: readonly unknown[];
  readonly next: string | undefined;
}

/**
 * The pages from `token` on, each asked for when the one before is used up; at most `limit` rows, the last page cut.
 * Throws `bad_response` where the service names a page twice, which would never end.
 */
export async function* pagesOf(
  ask: (token: string | undefined) => Promise<Page>,
  token: string | undefined,
  limit: number,
): AsyncGenerator<Page> {
  const seen = new Set<string>();
  let left = limit;
  for (let at = token; ; ) {
    if (at !== undefined) seen.add(at);
    const page = await ask(at);
    const rows = page.rows.length > left ? page.rows.slice(0, left) : page.rows;
    left -= rows.length;
    if (page.next !== undefined && seen.has(page.next))
      throw new DtpError('bad_response', `the service names the page ${page.next} twice`);
    yield { rows, next: page.next };
    if (page.next === undefined || left <= 0) return;
    at = page.next;
  }
}

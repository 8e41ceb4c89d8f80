/** Searches more and more of the newest events, because the API returns the newest ones, and has no pages of them. */

/** How many events are requested first. */
export const firstSearch = 10_000;

/** How many times more are requested then. */
const STEP = 4;

interface Found {
  /** How many events the response has. */
  readonly count: number;
  /** Whether no older event is needed. */
  readonly isWhole: boolean;
}

/**
 * Calls `look`, which requests this many of the newest events, until no older event is needed, or no older one exists. Returns
 * what it found last, and whether the service returns no more at once (api.md, Limits 3: its maximum is not known).
 */
export async function searchBack<What extends Found>(look: (limit: number) => Promise<What>) {
  let before = 0;
  for (let limit = firstSearch; ; limit *= STEP) {
    const found = await look(limit);
    // A service with a maximum returns as many events again.
    const isCut = found.count > 0 && found.count === before && !found.isWhole;
    if (isCut || found.isWhole || found.count !== limit) return { ...found, isCut };
    before = found.count;
  }
}

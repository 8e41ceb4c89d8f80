/** Hints with a command that no state prints, by the reason. */
export const elsewhere: readonly (readonly [why: string, keys: readonly string[]])[] = [];

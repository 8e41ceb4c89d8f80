/** Compares what two runs printed. Random values must be in the same places, and be repeated in the same places. */

/** What a command printed. */
export interface Printed {
  readonly says: string;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Values that differ between two runs on one machine, too. */
const random = {
  signed: /(?<=expires=)\d+|(?<=signature=)[0-9a-f]+/,
  time: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\bjust now\b|\b\d+ (?:s|min) ago\b|\b[\d,.]+ (?:ms|s)\b/,
  port: /(?<=127\.0\.0\.1:)\d+/,
  token: /\bdist_[\w-]+|\b[\w-]{16,}\.[\w-]{16,}\.[\w-]{16,}|(?<=\/(?:invites|s)\/)[\w-]+/,
  // In all formats: in CSV, at the end of a row of numbers.
  elapsed: /(?<=elapsed_ms(?:"?: ?| +))\d+|(?<=^(?:\d+,){7})\d+$/m,
  id: /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|[0-9a-f]{8,}(?![\w-])/,
};
/** Equal times, and signatures of equal times, may become different ones. */
const hasNoOrder = new Set(['signed', 'time', 'elapsed']);
const kinds = Object.entries(random).map(([kind, { source }]) => `(?<${kind}>${source})`);
const anyRandom = new RegExp(kinds.join('|'), 'gm');

/** Returns a function that compares the next texts of two runs, and returns how they differ, or undefined. */
export function comparer(): (one: string, other: string) => string | undefined {
  const pairs = [new Map<string, string>(), new Map<string, string>()] as const;
  const isPaired = (from: string, to: string, at: 0 | 1) => {
    if (!pairs[at].has(from)) pairs[at].set(from, to);
    return pairs[at].get(from) === to;
  };
  const isEqual = (a?: Piece, b?: Piece) => {
    if (!a || !b || a.kind !== b.kind) return false;
    if (a.kind === undefined) return a.text === b.text;
    return hasNoOrder.has(a.kind) || (isPaired(a.text, b.text, 0) && isPaired(b.text, a.text, 1));
  };
  return (one, other) => {
    const [left, right] = [piecesOf(one), piecesOf(other)];
    for (let at = 0; at < Math.max(left.length, right.length); at++)
      if (!isEqual(left[at], right[at]))
        return `${JSON.stringify(left[at]?.text)} became ${JSON.stringify(right[at]?.text)}`;
    return undefined;
  };
}

interface Piece {
  readonly text: string;
  /** Undefined for text that must be equal. */
  readonly kind?: string;
}

function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of text.matchAll(anyRandom)) {
    const [kind = ''] = Object.entries(found.groups ?? {}).find(([, value]) => value !== undefined) ?? [];
    pieces.push({ text: text.slice(end, found.index) }, { text: found[0], kind });
    end = found.index + found[0].length;
  }
  return [...pieces, { text: text.slice(end) }].map((piece) =>
    // The width of a column follows from its values.
    piece.kind ? piece : { text: piece.text.replace(/ {2,}|─+/g, ' ') },
  );
}

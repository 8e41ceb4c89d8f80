/** Reduces the source map of a chunk to the lines of src/ that its parts come from. */
import { decode, encode } from '@jridgewell/sourcemap-codec';

/**
 * One segment for each run of code from one line of src/. Code of packages has a segment without a source, so that it is
 * not attributed to the line before it. Undefined if nothing in the chunk comes from src/. `columnAt` converts a column of
 * a line of the chunk, if the chunk has changed since the map was made.
 */
export function lineMap({ sources, mappings }, columnAt = (_, column) => column) {
  const own = sources.map((source) => /^(?:\.\.\/)*(src\/.*)$/.exec(source)?.[1]);
  const kept = [];
  const lines = decode(mappings).map((segments, row) => {
    let before;
    return segments.flatMap(([column, origin, line]) => {
      const source = origin === undefined ? undefined : own[origin];
      const position = source === undefined ? '' : `${source}:${line}`;
      if (position === before) return [];
      before = position;
      const at = columnAt(row, column);
      return [source === undefined ? [at] : [at, indexIn(kept, source), line, 0]];
    });
  });
  if (kept.length === 0) return undefined;
  // Node reads a segment without a source only if something follows it.
  return { version: 3, sources: kept, names: [], mappings: `${encode(lines)};` };
}

function indexIn(kept, source) {
  if (!kept.includes(source)) kept.push(source);
  return kept.indexOf(source);
}

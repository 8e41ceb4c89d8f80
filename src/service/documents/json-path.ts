/** Finds the nodes of a document that match a JSONPath (RFC 9535), which overlays use to name their targets. */
import { JSONPathEnvironment, JSONPathError } from 'json-p3';
import { Refusal } from '../refusal.ts';

/** A node and the keys that lead to it. */
export interface MatchedNode {
  readonly keys: readonly (string | number)[];
  readonly value: unknown;
}

/** Documents have a separate limit, and a path that is too deep overflows the stack. */
const paths = new JSONPathEnvironment({ maxRecursionDepth: Number.POSITIVE_INFINITY });

/** Returns the nodes that match the path. Throws Refusal if the path is not a valid JSONPath. */
export function findByPath(root: unknown, path: string): readonly MatchedNode[] {
  try {
    const nodes = paths.query(path.trim(), root as Parameters<typeof paths.query>[1]);
    return [...nodes].map(({ location, value }) => ({ keys: location, value }));
  } catch (error) {
    // The path or the document is nested so deeply that the stack overflows.
    if (error instanceof RangeError) throw new Refusal(422, 'a target is nested too deeply');
    if (!(error instanceof JSONPathError)) throw error;
    const { index } = error.token;
    throw new Refusal(422, `the target ${path} is not a JSONPath (position ${index + 1})`);
  }
}

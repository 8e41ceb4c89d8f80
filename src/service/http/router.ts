/** Method and path to operation: the template of the path, then the method. */
import { findTemplate, isParameter, type KnownOperation } from '../../operations/paths.ts';
import { Refusal } from '../refusal.ts';

export interface Route {
  readonly operation: KnownOperation;
  /** The decoded path fields. */
  readonly path: Readonly<Record<string, string>>;
}

/** An address as it came, unparsed: a parser would take `%2e%2e` away before it is looked at. */
export interface Address {
  /** Scheme and host: `http://127.0.0.1:4000`, or `local:`. */
  readonly base: string;
  /** Still percent-encoded. */
  readonly path: string;
  readonly query: string;
}

export function splitAddress(url: string): Address {
  const [, base = '', path = '', query = ''] =
    /^([a-z]+:(?:\/\/[^/?#]*)?)([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  return { base, path, query };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(400, `the path segment ${segment} is badly encoded`);
  }
}

/** Undefined where no operation has the path; where one has it with another method, a 405 with those it has. */
export function route(method: string, path: string): Route | undefined {
  const segments = path.split('/').map(decode);
  const template = findTemplate(segments);
  if (!template) return undefined;
  const operation = template.operations.get(method);
  if (!operation) throw new MethodRefusal(path, [...template.operations.keys()]);
  const values = template.segments.flatMap((segment, at) =>
    isParameter(segment) ? [[segment.slice(1, -1), segments[at] ?? '']] : [],
  );
  return { operation, path: Object.fromEntries(values) };
}

/** A path that exists, asked for with a method that it has not. */
export class MethodRefusal extends Refusal {
  readonly allow: readonly string[];

  constructor(path: string, allow: readonly string[]) {
    super(405, `${path} takes ${allow.join(', ')}`);
    this.allow = allow;
  }
}

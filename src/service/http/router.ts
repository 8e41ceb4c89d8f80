/** Finds the operation for a method and a path. */
import { orThrow } from '../../caught.ts';
import { findTemplate, isParameter } from '../../operations/paths.ts';
import { Refusal } from '../refusal.ts';

/** The parts of a URL exactly as it was sent. A URL parser would resolve `%2e%2e` before the service can check it. */
export type UrlParts = ReturnType<typeof splitUrl>;

/** Returns the base, which is `http://127.0.0.1:4000` or `local:`, the path and the query, still percent-encoded. */
export function splitUrl(url: string) {
  const [, base = '', path = '', query = ''] = /^([a-z]+:(?:\/\/[^/?#]*)?)([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  return { base, path, query };
}

/** Decodes a path segment. Throws Refusal if it is not encoded correctly. */
export function decode(segment: string): string {
  const wrong = () => new Refusal(400, `invalid percent-encoding in the path: ${segment}`);
  return orThrow(() => decodeURIComponent(segment), wrong);
}

/** Finds an operation, and decodes its path parameters. Undefined for an unknown path. For a wrong method, throws a Refusal (405, the allowed ones). */
export function route(method: string, path: string) {
  const segments = path.split('/').map(decode);
  const template = findTemplate(segments);
  if (!template) return undefined;
  const operation = template.operations.get(method);
  if (!operation) throw new MethodRefusal(path, [...template.operations.keys()]);
  const values = template.segments.flatMap((segment, at) =>
    isParameter(segment) ? [[segment.slice(1, -1), segments[at] ?? ''] as const] : [],
  );
  return { operation, path: Object.fromEntries<string>(values) };
}

/** Thrown if the path exists but does not allow the method. */
export class MethodRefusal extends Refusal {
  readonly allow: readonly string[];

  constructor(path: string, allow: readonly string[]) {
    super(405, `${path} only allows ${allow.join(', ')}`);
    this.allow = allow;
  }
}

/** Method and path to operation: the most literal template that fits, then the method. */
import { type OperationId, operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { Refusal } from './refusal.ts';

export interface Route {
  readonly operation: Operation & { readonly id: OperationId };
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

interface Template {
  readonly segments: readonly string[];
  readonly methods: ReadonlyMap<string, Route['operation']>;
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Sorts the literal before the parameter, at the first segment that differs. */
const rank = (path: string): string =>
  path
    .split('/')
    .map((segment) => (isParameter(segment) ? '1' : '0'))
    .join('');

/** Not by a language's rules, which take longer to load than all else here. */
const byRank = (one: string, other: string): number => {
  const [a, b] = [rank(one), rank(other)];
  return a === b ? 0 : a < b ? -1 : 1;
};

const all: readonly Route['operation'][] = Object.values(operations);

const templates: readonly Template[] = [...new Set(all.map(({ path }) => path))].sort(byRank).map((path) => ({
  segments: path.split('/'),
  methods: new Map(all.filter((one) => one.path === path).map((one) => [one.method, one])),
}));

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(400, `the path segment ${segment} is badly encoded`);
  }
}

const fits = (template: Template, segments: readonly string[]): boolean =>
  template.segments.length === segments.length &&
  template.segments.every((segment, at) =>
    isParameter(segment) ? segments[at] !== '' : segment === segments[at],
  );

/** Undefined where no operation has the path; where one has it with another method, a 405 with those it has. */
export function route(method: string, path: string): Route | undefined {
  const segments = path.split('/').map(decode);
  const template = templates.find((one) => fits(one, segments));
  if (!template) return undefined;
  const operation = template.methods.get(method);
  if (!operation) throw new MethodRefusal(path, [...template.methods.keys()]);
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

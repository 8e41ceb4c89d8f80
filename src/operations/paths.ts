/** Finds the operations for a path. If several path templates match, a literal segment wins over a parameter. */
import { attempt } from '../caught.ts';
import { type OperationId, operations } from './index.ts';
import type { Operation } from './operation.ts';
import { replaceWords, type Words } from './words.ts';

export type KnownOperation = Operation & { readonly id: OperationId };

export interface Template {
  readonly segments: readonly string[];
  readonly operations: ReadonlyMap<string, KnownOperation>;
}

export const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Returns a sort key that puts literal segments before parameters. */
const rank = (path: string): string => path.replace(/[^/]+/g, (segment) => (isParameter(segment) ? '1' : '0'));

/** Compares code units, because loading locale rules takes long. */
const byRank = (one: string, other: string): number => {
  const [a, b] = [rank(one), rank(other)];
  return a === b ? 0 : a < b ? -1 : 1;
};

const templates = new Map<number, readonly Template[]>();

/** Returns the templates with this number of segments. They are created on first use, because most are never needed. */
function templatesOf(length: number): readonly Template[] {
  const known = templates.get(length);
  if (known) return known;
  const all: readonly KnownOperation[] = Object.values(operations);
  const paths = new Set(all.map(({ path }) => path).filter((path) => path.split('/').length === length));
  const made = [...paths].sort(byRank).map((path) => ({
    segments: path.split('/'),
    operations: new Map(all.filter((one) => one.path === path).map((one) => [one.method, one])),
  }));
  templates.set(length, made);
  return made;
}

/** Finds the template for the segments of a path. The path may use the words of the API document or of a deployment. */
export const findTemplate = (segments: readonly string[], deployments: readonly Words[] = []): Template | undefined =>
  templatesOf(segments.length).find((template) =>
    template.segments.every((segment, at) =>
      isParameter(segment)
        ? segments[at] !== ''
        : segment === segments[at] || deployments.some((words) => replaceWords(segment, words) === segments[at]),
    ),
  );

/** Returns the decoded segments of a path, as templates have them. Services ignore empty segments. */
export const segmentsOf = (path: string): readonly string[] => [
  '',
  ...path.split('/').filter(Boolean).map(decodeSegment),
];

/** Decodes a path segment or a name. Returns an invalid encoding unchanged. */
export const decodeSegment = (segment: string): string => attempt(() => decodeURIComponent(segment), segment);

/** What must be visible in the embedded service after any sequence of commands. */

// biome-ignore lint/suspicious/noExplicitAny: JSON.parse returns any.
export type Value = any;

interface Namespace {
  isPublic: boolean;
  isArchived: boolean;
  /** The digest of each tag. */
  readonly tags: Map<string, string>;
}

/** All that the commands so far have made. */
export const openWorld = () => ({
  workspaces: new Map<string, string>(),
  tokens: new Map<string, string>(),
  team: new Map<string, string>(),
  flags: new Set<string>(),
  webhook: undefined as string | undefined,
  organizations: new Map<string, string>(),
  addOns: new Set<string>(),
  isTrial: false,
  events: new Map<string, { readonly success: boolean; readonly lock: string }>(),
  namespaces: new Map<string, Namespace>(),
  publishing: new Map<string, string>(),
  linked: new Set<string>(),
  reports: new Map<string, string>(),
  schemas: new Map<string, string>(),
  sources: new Set<string>(),
});

export type World = ReturnType<typeof openWorld>;

/** A command, the exit code it must have, and what its result changes or shows. */
export interface Step {
  readonly argv: readonly string[];
  /** Files to write before. */
  readonly files?: Readonly<Record<string, string>>;
  readonly code?: number;
  readonly after?: (value: Value) => void;
}

/** Draws a number below `count`. */
export type Draw = (count: number) => number;

export type Action = (world: World, draw: Draw) => Step | undefined;

export const one = <T>(all: Iterable<T>, draw: Draw): T | undefined => {
  const list = [...all];
  return list[draw(list.length)];
};

export const locks = ['lock-1', 'lock-2'];
export const document = (version: number) =>
  `openapi: 3.1.0\ninfo: {title: Pets, version: '${version}'}\npaths:\n  /pets:\n    get: {operationId: listPets, responses: {'200': {description: ok}}}\n`;
export const sorted = (values: Iterable<unknown>) => [...values].map(String).sort();
export const idsOf = (rows: Value, key = 'id') => sorted(rows.map((row: Value) => row[key]));
export const notFound = 6;

/** A look at one kind of thing. */
export const see = (argv: readonly string[], after: (value: Value) => void): Step => ({ argv, after });

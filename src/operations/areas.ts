/** Finds the operations of a noun. The build puts them in a separate file, which is loaded when they are first read. */
import * as artifacts from './artifacts.ts';
import * as auth from './auth.ts';
import * as codeSamples from './code-samples.ts';
import * as codehost from './codehost.ts';
import * as events from './events.ts';
import type { DefinedOperation, Operation } from './operation.ts';
import * as organizations from './organizations.ts';
import * as publishingTokens from './publishing-tokens.ts';
import * as reports from './reports.ts';
import * as schemaStore from './schema-store.ts';
import * as subscriptions from './subscriptions.ts';
import * as suggest from './suggest.ts';
import * as workspaces from './workspaces.ts';

/** For each noun, in the order of the API document, a function that reads its operations, and so loads their file. */
const areas = {
  auth: () => auth,
  'code-samples': () => codeSamples,
  codehost: () => codehost,
  orgs: () => organizations,
  'publishing-tokens': () => publishingTokens,
  ws: () => workspaces,
  events: () => events,
  reports: () => reports,
  suggest: () => suggest,
  'schema-store': () => schemaStore,
  'short-urls': () => schemaStore,
  artifacts: () => artifacts,
  subscriptions: () => subscriptions,
} as const satisfies Readonly<Record<string, () => Readonly<Record<string, DefinedOperation>>>>;

export type Noun = keyof typeof areas;
type Area<N extends Noun> = ReturnType<(typeof areas)[N]>;
export type OperationsOf<N extends Noun> = { readonly [Id in keyof Area<N>]: Area<N>[Id] & { readonly id: Id } };

/** The noun and the id of an operation. */
export type OperationName = { readonly [N in Noun]: readonly [noun: N, id: keyof Area<N>] }[Noun];

const known = new Map<unknown, unknown>();

/** Returns the operations of a noun by their ids. */
export function operationsFor<N extends Noun>(noun: N): OperationsOf<N> {
  const area = areas[noun]();
  if (!known.has(area)) {
    const named = Object.entries<DefinedOperation>(area).map(([id, operation]) => [id, { ...operation, id }]);
    known.set(area, Object.fromEntries(named));
  }
  return known.get(area) as OperationsOf<N>;
}

/** Returns the operations below the first word of a command. {} if it is not a noun of operations. */
export const operationsBelow = (word: string | undefined): Readonly<Record<string, Operation>> =>
  word !== undefined && Object.hasOwn(areas, word) ? operationsFor(word as Noun) : {};

export const operationNamed = ([noun, id]: OperationName): Operation =>
  (operationsFor(noun) as Readonly<Record<string, Operation>>)[id] as Operation;

export const nounsOfOperations = Object.keys(areas) as readonly Noun[];

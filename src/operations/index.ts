/** Collects all operations, in the order of the API document. */
import * as artifacts from './artifacts.ts';
import * as auth from './auth.ts';
import * as codeSamples from './code-samples.ts';
import * as codehost from './codehost.ts';
import * as events from './events.ts';
import type { DefinedOperation, InputOf, Operation } from './operation.ts';
import * as organizations from './organizations.ts';
import * as publishingTokens from './publishing-tokens.ts';
import * as reports from './reports.ts';
import * as schemaStore from './schema-store.ts';
import * as subscriptions from './subscriptions.ts';
import * as suggest from './suggest.ts';
import * as workspaces from './workspaces.ts';

const all = {
  ...auth,
  ...codeSamples,
  ...codehost,
  ...organizations,
  ...publishingTokens,
  ...workspaces,
  ...events,
  ...reports,
  ...suggest,
  ...schemaStore,
  ...artifacts,
  ...subscriptions,
} satisfies Readonly<Record<string, DefinedOperation>>;

export type Operations = { readonly [Id in keyof typeof all]: (typeof all)[Id] & { readonly id: Id } };

export const operations = Object.fromEntries(
  Object.entries(all).map(([id, operation]) => [id, { ...operation, id }]),
) as unknown as Operations;

export const allOperations: readonly Operation[] = Object.values(operations);

export type OperationId = keyof Operations;
export type OperationInput<Id extends OperationId> = InputOf<Operations[Id]>;

/** Collects all operations, in the order of the API document. */
import * as artifacts from './artifacts.ts';
import * as auth from './auth.ts';
import * as codeSamples from './code-samples.ts';
import * as codehost from './codehost.ts';
import * as events from './events.ts';
import type { InputOf, Operation } from './operation.ts';
import * as organizations from './organizations.ts';
import * as publishingTokens from './publishing-tokens.ts';
import * as reports from './reports.ts';
import * as schemaStore from './schema-store.ts';
import * as subscriptions from './subscriptions.ts';
import * as suggest from './suggest.ts';
import * as workspaces from './workspaces.ts';

export const operations = {
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
} as const satisfies { readonly [Id in string]: Operation & { readonly id: Id } };

/** In the order of the API document. */
export const allOperations: readonly Operation[] = Object.values(operations);

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export type OperationInput<Id extends OperationId> = InputOf<Operations[Id]>;

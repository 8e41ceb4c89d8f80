/** Collects the handlers of all areas, in the order of the API document. The compiler checks that none is missing. */
import type { OperationId } from '../../operations/index.ts';
import type { DistributionOperation, Handlers } from '../handler.ts';
import { artifacts } from './artifacts.ts';
import { auth } from './auth.ts';
import { codeSamples } from './code-samples.ts';
import { codehost } from './codehost.ts';
import { events } from './events.ts';
import { organizations } from './organizations.ts';
import { publishingTokens } from './publishing-tokens.ts';
import { reports } from './reports.ts';
import { schemaStore } from './schema-store.ts';
import { subscriptions } from './subscriptions.ts';
import { suggest } from './suggest.ts';
import { workspaces } from './workspaces.ts';

export const handlers: Handlers<Exclude<OperationId, DistributionOperation>> = {
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
};

/** One user's path through all operations, in an order in which each one has data to find. */
import { codehost } from './codehost.ts';
import { credentials } from './credentials.ts';
import { events } from './events.ts';
import { organizations } from './organizations.ts';
import { publishingTokens } from './publishing-tokens.ts';
import { registry } from './registry.ts';
import { reports } from './reports.ts';
import { samples } from './samples.ts';
import type { Step } from './step.ts';
import { workspaces } from './workspaces.ts';

export const story: readonly Step[] = [
  ...credentials,
  ...organizations,
  ...workspaces,
  ...publishingTokens,
  ...events,
  ...codehost,
  ...reports,
  ...registry,
  ...samples,
];

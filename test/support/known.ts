/** A state folder as an earlier command has left it, which asked the service whose the credential is. */
import { join } from 'node:path';
import { digestOf, rememberWorkspace } from '../../src/store/known-workspaces.ts';

/** Remembers that the API key `secret` belongs to `workspace` at the service of `address`. */
export const remember = (state: string, address: string, secret: string, workspace: string): Promise<void> =>
  rememberWorkspace(
    join(state, 'workspaces'),
    digestOf({ origin: new URL(address).origin, scheme: 'api-key', secret }),
    workspace,
  );

/** A state folder as an earlier command has left it, after it asked the service for the credential's workspace. */
import { join } from 'node:path';
import { credentialDigestOf, rememberWorkspace } from '../../src/store/known-workspaces.ts';

/** Records that the API key `secret` belongs to `workspace` at the service of `address`. */
export const remember = (state: string, address: string, secret: string, workspace: string): Promise<void> =>
  rememberOne(state, address, { scheme: 'api-key', secret }, workspace);

const rememberOne = (
  state: string,
  address: string,
  credential: { readonly scheme: string; readonly secret: string },
  workspace: string,
): Promise<void> =>
  rememberWorkspace(
    join(state, 'workspaces'),
    credentialDigestOf({ origin: new URL(address).origin, ...credential }),
    workspace,
  );

const variables = [
  ['DTP_API_KEY', 'api-key'],
  ['DTP_TOKEN', 'bearer'],
  ['DTP_WORKSPACE_IDENTIFIER', 'workspace-identifier'],
] as const;

/** The same for each credential in an environment. */
export async function rememberAll(
  state: string,
  env: Readonly<Record<string, string>>,
  workspace: string,
): Promise<void> {
  const address = env.DTP_BASE_URL || 'https://api.example.test';
  for (const [name, scheme] of variables)
    if (env[name]) await rememberOne(state, address, { scheme, secret: env[name] }, workspace);
}

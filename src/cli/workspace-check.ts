/** A command acts on the workspace that was named, or stops: most requests name none, and act on the credential's. */
import type { Context } from '../context.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { buildRequest } from '../request/build.ts';
import type { Credential } from '../transport/credentials.ts';
import { exchange } from './call.ts';
import type { Connection } from './connection.ts';
import type { FoundCredential } from './credential.ts';
import type { Setting, Settings } from './settings.ts';

/** A connection before the check. */
export type Wire = Omit<Connection, 'sendFor' | 'checkWorkspace' | 'whose'>;

/** The credential of a connection: where it is configured, and, once it is needed, what it is. */
export interface Carried {
  readonly found: () => FoundCredential | undefined;
  readonly fetch: () => Promise<Credential>;
}

/** The connection, none of whose operations is sent while it might act on another workspace than the one that is named. */
export function withWorkspaceCheck(
  context: Context,
  wire: Wire,
  settings: Settings,
  carried: Carried,
): Connection {
  let own: string | undefined;
  const whose: Connection['whose'] = async (signal) => {
    const operation = operations.validateApiKey;
    const request = buildRequest(operation, {}, wire.target);
    const send = await wire.sendUnchecked(operation);
    const value = await exchange(send, operation, request, signal);
    const facts = Object(value.kind === 'json' ? value.value : undefined) as Record<string, unknown>;
    own = idIn(facts) ?? own;
    return facts;
  };
  const checkWorkspace: Connection['checkWorkspace'] = async (operation, signal, said = settings) => {
    const named = said.values.workspace;
    if (!named || namesWorkspace(operation, named.value)) return true;
    own ??= wire.known.workspace;
    const found = own === undefined ? carried.found() : undefined;
    own ??= found?.workspace;
    if (own === named.value) return true;
    const { findOwnWorkspace, otherWorkspace } = await import('./own-workspace.ts');
    own ??= found && (await findOwnWorkspace(context, { found, carried, named, whose }, signal));
    // Without a credential there is no workspace that could be taken for the one that is named.
    if (own === undefined) return found === undefined;
    if (own === named.value) return true;
    throw otherWorkspace(operation, wire, said, own);
  };
  return {
    ...wire,
    whose,
    checkWorkspace,
    sendFor: async (operation, said) => {
      const send = await wire.sendUnchecked(operation);
      return async (request, options) => {
        await checkWorkspace(operation, options.signal, said);
        return send(request, options);
      };
    },
  };
}

/** The workspace of validateApiKey's answer. */
export const idIn = ({ workspace_id: id }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof id === 'string' && id !== '' ? id : undefined;

/** What named a workspace, as a person says it. */
export const sourceOf = ({ source }: Setting): string => (source === '--workspace' ? '-w' : source);

/** What is wrong if a workspace is named that is not the credential's `own`. */
export const otherText = (named: Setting, own: string): string =>
  `the credential belongs to workspace "${own}", not to "${named.value}" (from ${sourceOf(named)}): commands that act on the credential's workspace exit with 2`;

/** Whether an operation's request itself names the workspace `id`, so that no credential decides. */
export function namesWorkspace(operation: Operation, id: string): boolean {
  if (operation.id !== 'api') return 'workspace_id' in operation.input;
  if (operation.input.workspace_id?.in === 'path') return true;
  const segments = operation.path.split('/').map(decoded);
  const known = knownAt(segments);
  if (known?.id === operations.getAccessToken.id) return 'workspace_id' in operation.input;
  // In a path that the document has, the id may be another thing's name.
  if (known)
    return known.path.split('/').some((part, at) => part === '{workspace_id}' && segments[at] === id);
  return segments.includes(id);
}

/** The operation of a path, of several the one with the fewest placeholders. */
function knownAt(segments: readonly string[]): Operation | undefined {
  const fits = ({ path }: Operation) => {
    const parts = path.split('/');
    return (
      parts.length === segments.length &&
      parts.every((part, at) => part.startsWith('{') || part === segments[at])
    );
  };
  const placeholders = ({ path }: Operation) => path.split('{').length;
  return (Object.values(operations) as readonly Operation[])
    .filter(fits)
    .sort((one, other) => placeholders(one) - placeholders(other))[0];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

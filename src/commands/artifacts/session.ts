/** Opens the connection, the deadline and the repository for a pull or a push. */
import { systemCall } from '../../caught.ts';
import { DtpError, withFacts } from '../../errors.ts';
import type { Registry } from '../../flows/registry.ts';
import { openBearer } from '../../invocation/bearer.ts';
import type { Calls, Connection } from '../../invocation/connection.ts';
import { openDeadline } from '../../invocation/deadline.ts';
import { withSettings } from '../../invocation/fill.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { resultWithConnection } from '../../invocation/over.ts';
import { operationsFor } from '../../operations/areas.ts';
import type { Input } from '../../operations/operation.ts';
import type { Result } from '../../output/result.ts';
import { noteUnchecked } from '../operation/dry-run.ts';
import { openRegistry, type RemoteRepository } from './http-registry.ts';
import type { RevisionReference } from './reference.ts';

export interface Session {
  readonly invocation: Invocation;
  readonly connection: Connection;
  readonly calls: Calls;
  /** Is aborted by an interrupt, and when the time of --timeout is over. */
  readonly signal: AbortSignal;
}

/** Runs `work` in a session. An error that may be temporary suggests the command `next`. */
export const withSession = (
  invocation: Invocation,
  { next, input }: { readonly next: string; readonly input?: Input | undefined },
  work: (session: Session) => Promise<Result>,
): Promise<Result> =>
  resultWithConnection(invocation, { operation: operationsFor('artifacts').getManifest, input }, (calls) =>
    work({ invocation, connection: calls.connection, calls, signal: calls.beginWhole() }).catch(async (error) =>
      Promise.reject(withNext(await diskError(error), next)),
    ),
  );

/** Adds `next` as the suggested command to errors that may be temporary. Other errors are unchanged. */
const withNext = (error: unknown, next: string): unknown =>
  error instanceof DtpError && ['network', 'timeout', 'server', 'rate_limited'].includes(error.code)
    ? withFacts(error, { next: [next] })
    : error;

/** Turns a system error, such as a full disk, into a DtpError, because it is not a bug in dtp. */
async function diskError(error: unknown): Promise<unknown> {
  const { syscall, path } = systemCall(error);
  if (error instanceof DtpError || syscall === undefined) return error;
  const { reasonOf } = await import('../../store/files.ts');
  const what = path === undefined ? 'the files' : path;
  return new DtpError('error', `cannot write ${what}: ${reasonOf(error)}`, { cause: error });
}

/** Returns the repository of a reference, without requests unless `isOnline`. Throws `usage` for another workspace. */
export async function registryRepositoryOf(
  { organization, workspace, namespace }: Omit<RevisionReference, 'revision'>,
  session: Session,
  isOnline = true,
): Promise<RemoteRepository> {
  const { invocation, connection } = session;
  const deadline = openDeadline(invocation.context, operationsFor('artifacts').getManifest, invocation.settings);
  const signal = isOnline ? deadline.signal : undefined;
  try {
    const repository =
      organization !== undefined && workspace !== undefined
        ? { organization, workspace, namespace }
        : await ownRepository(namespace, session, signal);
    // Check the workspace even if the reference names one, because the token is always for the credential's workspace.
    if (signal) await connection.checkWorkspace(operationsFor('artifacts').preflight, signal);
    else await noteUnchecked(invocation, operationsFor('artifacts').preflight, connection);
    return repository;
  } finally {
    deadline.end();
  }
}

async function ownRepository(name: string, { invocation: { settings }, connection }: Session, signal?: AbortSignal) {
  const input = { namespace_name: name };
  const sources = { settings, connection, signal };
  const full = await withSettings(operationsFor('artifacts').getManifest, input, sources).catch((error: unknown) => {
    if (signal || !(error instanceof DtpError) || error.facts.missing !== 'slugs') throw error;
    // A dry run does not ask the service for them.
    return { organization_slug: 'ORGANIZATION', workspace_slug: 'WORKSPACE' };
  });
  const { organization_slug, workspace_slug } = full;
  return { organization: String(organization_slug), workspace: String(workspace_slug), namespace: name };
}

export function registryOf(session: Session, repository: RemoteRepository, isRead: boolean): Registry {
  const { invocation, connection, signal } = session;
  const send = openBearer(invocation.context, connection, { namespace: repository.namespace, isRead }, signal);
  return openRegistry(invocation.context, { send, base: connection.target.base, signal }, repository);
}

/** Returns a reference such as `acme/prod/pets:v1` or `acme/prod/pets@sha256:…`. */
export const referenceOf = ({ organization, workspace, namespace }: RemoteRepository, revision: string): string =>
  `${organization}/${workspace}/${namespace}${revision.includes(':') ? '@' : ':'}${revision}`;

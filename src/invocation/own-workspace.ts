/** Finds the workspace of a credential, and creates the error for a command that would act on another workspace. */
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { DtpError, withFacts } from '../errors.ts';
import { isRecord } from '../json-object.ts';
import { operationsFor } from '../operations/areas.ts';
import type { Operation } from '../operations/operation.ts';
import { shortId } from '../render/short.ts';
import { buildRequest } from '../request/build.ts';
import { commandLine, type Word } from '../settings/command-line.ts';
import type { FoundCredential } from '../settings/credential.ts';
import type { Setting, Settings } from '../settings/resolve.ts';
import { stateFolder } from '../system/folders.ts';
import { type CheckedSender, type CredentialProvider, exchange, type UncheckedConnection } from './connection.ts';
import { idIn, selectionText } from './workspace-text.ts';

/** Calls validateApiKey, with the retries of `before`, which waits for it. Throws `bad_response` without an object. */
export async function askOwner(wire: UncheckedConnection, signal: AbortSignal, before?: Operation) {
  const operation: Operation = {
    ...operationsFor('auth').validateApiKey,
    ...(before?.retry && { retry: before.retry }),
  };
  const request = buildRequest(operation, {}, wire.target);
  const value = await exchange(await wire.sendUnchecked(operation), operation, request, signal);
  if (value.kind === 'json' && isRecord(value.value)) return value.value;
  throw new DtpError('bad_response', 'the response of validateApiKey is not an object', {
    ...asking(),
    hint: 'Check that the base URL is correct: dtp config explain',
  });
}

/** Returns the facts for errors about the response of validateApiKey. */
function asking() {
  const { id, method, path } = operationsFor('auth').validateApiKey;
  return { operation: id, method, path } as const;
}

interface Question {
  /** The operation that waits for the workspace. */
  readonly operation: Operation;
  readonly found: FoundCredential;
  readonly carried: CredentialProvider;
  readonly named: Setting | undefined;
  readonly whose: CheckedSender['whose'];
}

/**
 * Returns the workspace of the credential. Without `signal`, sends no request and runs no other program, and
 * returns undefined unless the workspace is stored from an earlier command. Throws the failure of validateApiKey, or
 * `bad_response` if its response has no workspace.
 */
export async function findOwnWorkspace(
  context: Context,
  { operation, found, carried, named, whose }: Question,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (!signal && found.isExternal) return undefined;
  const { credentialDigestOf, recallWorkspace, rememberWorkspace } = await import('../store/known-workspaces.ts');
  const folder = join(stateFolder(context), 'workspaces');
  // Without `signal` the request is only shown, so it does not need a valid credential.
  const credential = await carried.fetch().catch((error: unknown) => {
    if (signal) throw error;
    return undefined;
  });
  if (!credential) return undefined;
  const digest = credentialDigestOf(credential);
  const remembered = recallWorkspace(folder, digest, context.uid);
  if (remembered !== undefined || !signal) return remembered;
  const facts = await whose(signal, operation).catch((error) => Promise.reject(withReason(error, named)));
  const workspace = idIn(facts);
  if (workspace === undefined)
    throw withReason(
      new DtpError('bad_response', 'the response of validateApiKey has no workspace_id', asking()),
      named,
    );
  // A workspace identifier may contain the id of its workspace. Secrets are never stored, so in this case the next
  // command sends the request again.
  if (!credential.secret.includes(workspace)) await rememberWorkspace(folder, digest, workspace).catch(() => undefined);
  return workspace;
}

/** Adds the reason for the request to a failure. If the credential is not valid, only that has to be fixed. */
const withReason = (error: unknown, named: Setting | undefined): unknown =>
  error instanceof DtpError && error.code === 'auth'
    ? error
    : withFacts(error, {
        why: named
          ? `dtp first checks which workspace the credential belongs to, because ${selectionText(named)}. ${unsetText(named)} to use the credential's workspace.`
          : `With -w '', dtp first asks the service which workspace the credential belongs to. To avoid this request, pass -w ID.`,
      });

/** Returns the error for an operation that would act on `own`, the credential's workspace, not the selected one. */
export function workspaceMismatchError(
  settings: Settings,
  { target: { base }, credentialSource }: UncheckedConnection,
  { credential, own }: { readonly credential: FoundCredential | undefined; readonly own: string },
): DtpError {
  const named = settings.values.workspace ?? { value: '', source: '' };
  const source = credential?.source ?? credentialSource();
  const { hint = '', ciHint = hint, next } = otherCredential(settings, base, source);
  // A workspace identifier may be the id of its workspace, so showing the id could show the credential.
  const [place, it] =
    credential?.scheme === 'workspace-identifier'
      ? ['another workspace', 'it']
      : [`workspace "${shortId(own)}"`, `"${shortId(own)}"`];
  const begin = `This command uses the credential's workspace. ${unsetText(named)} to use ${it}.`;
  return new DtpError('usage', `the credential from ${source} belongs to ${place}, but ${selectionText(named)}`, {
    attempts: 0,
    hint: begin + hint,
    ...(ciHint !== hint && { ciHint: begin + ciHint }),
    ...(next && { next }),
  });
}

/** Returns how to get a credential for another workspace. The embedded service has a single key and no login. */
function otherCredential({ profile, values }: Settings, base: string, source: string) {
  if (base === 'local:') return {};
  const workspace = values.workspace?.value ?? '';
  const login = loginTo(base);
  const begin = ` To use "${shortId(workspace)}", use a profile for it`;
  // With --profile, the hints do not suggest variables, because --profile overrides them.
  if (profile.source === '--profile') return { hint: `${begin}:`, ciHint: `${begin}.`, next: [login] };
  const service = values.base_url?.source === '--base-url' ? [['--base-url', base] as const] : [];
  const token: readonly Word[] = ['auth', 'token', ['-w', workspace], ...service, '-r', '--query', 'access_token'];
  const unset = source === 'DTP_API_KEY' ? ' and unset DTP_API_KEY' : '';
  return {
    hint: `${begin}, or set DTP_TOKEN to an access token for it${unset}:`,
    // DTP_TOKEN is ignored if DTP_API_KEY is set.
    ciHint: ` To use "${shortId(workspace)}", set ${unset ? source : 'DTP_API_KEY or DTP_TOKEN'} to a credential for it.`,
    next: [login, commandLine(token)],
  };
}

const flag = '--workspace';

/** Returns what to do if the workspace setting is not the credential's workspace. */
export const adviceFor = (named: Setting, base: string): string =>
  base === 'local:'
    ? `${unsetText(named)}.`
    : `${unsetText(named)}, or use a profile for "${shortId(named.value)}": ${loginTo(base)}`;

const loginTo = (base: string) => commandLine(['auth', 'login', '--profile', 'NAME', ['--base-url', base]]);

function unsetText({ source }: Setting): string {
  if (source === flag) return 'Leave out -w';
  if (source.startsWith('profile '))
    return `Run ${commandLine(['config', 'unset', 'workspace', ['--profile', source.slice('profile '.length)]])}`;
  return source.endsWith('.dtp.json') ? `Remove workspace from ${source}` : `Unset ${source}`;
}

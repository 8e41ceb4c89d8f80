/** The workspace of a credential that no profile records: remembered, or asked for once; and the refusal of another one. */
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { DtpError, type Facts, withFacts } from '../errors.ts';
import { isRecord } from '../json-object.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { buildRequest } from '../request/build.ts';
import { commandLine } from '../settings/command-line.ts';
import type { FoundCredential } from '../settings/credential.ts';
import type { Setting, Settings } from '../settings/resolve.ts';
import { stateFolder } from '../system/folders.ts';
import { exchange } from './call.ts';
import { type Carried, type Checked, idIn, sourceOf, type Wire } from './workspace-check.ts';

/**
 * What validateApiKey says of the credential, sent again as the operation that waits for it. Throws `bad_response` for an
 * answer that does not describe one.
 */
export async function askWhose(
  wire: Wire,
  signal: AbortSignal,
  before?: Operation,
): ReturnType<Checked['whose']> {
  const operation: Operation = {
    ...operations.validateApiKey,
    ...(before?.retry && { retry: before.retry }),
  };
  const request = buildRequest(operation, {}, wire.target);
  const value = await exchange(await wire.sendUnchecked(operation), operation, request, signal);
  if (value.kind === 'json' && isRecord(value.value)) return value.value;
  throw new DtpError('bad_response', 'the answer does not describe the credential: it is not an object', {
    ...asking,
    hint: 'Check that the base URL is the one of the service: dtp config explain',
  });
}

/** The request that errors are about. */
const { id, method, path } = operations.validateApiKey;
const asking = { operation: id, method, path } as const;

interface Question {
  /** What is to be sent after it. */
  readonly operation: Operation;
  readonly found: FoundCredential;
  readonly carried: Carried;
  /** What named another one, if that is why it is asked. */
  readonly named: Setting | undefined;
  readonly whose: Checked['whose'];
}

/**
 * The workspace of the credential. Without `signal` the service is not asked and no command is run for the credential:
 * undefined if nothing is remembered. Throws the failure of validateApiKey, or `bad_response` if it names no workspace.
 */
export async function findOwnWorkspace(
  context: Context,
  { operation, found, carried, named, whose }: Question,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (!signal && found.isCommand) return undefined;
  const { digestOf, recallWorkspace, rememberWorkspace } = await import('../store/known-workspaces.ts');
  const folder = join(stateFolder(context), 'workspaces');
  // A request that is only shown needs no credential that can be used.
  const credential = await carried.fetch().catch((error: unknown) => {
    if (signal) throw error;
    return undefined;
  });
  if (!credential) return undefined;
  const digest = digestOf(credential);
  const remembered = recallWorkspace(folder, digest);
  if (remembered !== undefined || !signal) return remembered;
  const facts = await whose(signal, operation).catch((error: unknown) => {
    throw unanswered(error, named);
  });
  const workspace = idIn(facts);
  if (workspace === undefined)
    throw unanswered(
      new DtpError('bad_response', 'the answer of validateApiKey has no workspace_id', asking),
      named,
    );
  // A workspace identifier may be the workspace's id, and no part of a secret is stored. If nothing is stored, the
  // next command asks again.
  if (!credential.secret.includes(workspace))
    await rememberWorkspace(folder, digest, workspace).catch(() => undefined);
  return workspace;
}

/** The same failure, with the reason for the question. */
const unanswered = (error: unknown, named: Setting | undefined): unknown =>
  withFacts(error, {
    why: named
      ? `dtp asked which workspace the credential belongs to, because ${sourceOf(named)} names "${named.value}". ${withoutIt(named)} to act on the credential's own workspace.`
      : `dtp asked which workspace the credential belongs to, because -w '' stands for it. Name one with -w ID.`,
  });

/** The refusal of an operation that would act on `own`; undefined for one that is not shown, as it may be the credential. */
export function otherWorkspace(
  { command }: Operation,
  wire: Wire,
  settings: Settings,
  own: string | undefined,
): DtpError {
  const [place, it] =
    own === undefined ? ["the credential's own workspace", 'it'] : [`workspace "${own}"`, `"${own}"`];
  const named = settings.values.workspace ?? { value: '', source: '' };
  const { value, source } = named;
  const override = source === flag ? '' : ", or add -w '',";
  const { hint = '', next } = otherCredential(wire, settings, value);
  return new DtpError(
    'usage',
    `dtp ${command.join(' ')} would act on ${place}, not on "${value}" (from ${sourceOf(named)})`,
    {
      attempts: 0,
      hint: `It acts on the credential's workspace. ${withoutIt(named)}${override} to act on ${it}.${hint}`,
      ...(next && { next }),
    },
  );
}

/** How to get a credential for another workspace. The embedded service has one key, and no login. */
function otherCredential(
  { target: { base }, credentialSource }: Wire,
  { profile, values }: Settings,
  workspace: string,
): Pick<Facts, 'hint' | 'next'> {
  if (base === 'local:') return {};
  const login = loginTo(base);
  const begin = ` To act on "${workspace}", use a profile for it`;
  // The credential of a profile that --profile names wins over DTP_TOKEN.
  if (profile.source === '--profile') return { hint: `${begin}:`, next: [login] };
  const service = values.base_url?.source === '--base-url' ? ['--base-url', base] : [];
  const token = ['auth', 'token', '-w', workspace, ...service, '-r', '--query', 'access_token'];
  const unset = credentialSource() === 'DTP_API_KEY' ? ' and unset DTP_API_KEY' : '';
  return {
    hint: `${begin}, or set DTP_TOKEN to an access token for it${unset}:`,
    next: [login, commandLine(token)],
  };
}

const flag = '--workspace';

/** What to do about a named workspace that is not the credential's, as a sentence. */
export const wayOut = (named: Setting, base: string): string =>
  base === 'local:'
    ? `${withoutIt(named)}.`
    : `${withoutIt(named)}, or use a profile for "${named.value}": ${loginTo(base)}`;

const loginTo = (base: string) => commandLine(['auth', 'login', '--profile', 'NAME', '--base-url', base]);

/** How a workspace is named no more, as the beginning of a sentence. */
function withoutIt({ source }: Setting): string {
  if (source === flag) return 'Leave out -w';
  if (source.startsWith('profile '))
    return `Run ${commandLine(['config', 'unset', 'workspace', '--profile', source.slice('profile '.length)])}`;
  return source.endsWith('.dtp.json') ? `Remove workspace from ${source}` : `Unset ${source}`;
}

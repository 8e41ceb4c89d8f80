/** Checks that a command acts on the selected workspace, because most requests act on the credential's workspace. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { findTemplate, segmentsOf } from '../operations/paths.ts';
import type { Setting, Settings } from '../settings/resolve.ts';
import type { CheckedSender, ConnectOptions, CredentialProvider, UncheckedConnection } from './connection.ts';
import { lookUpTime, timeoutOf, withDeadline } from './deadline.ts';
import type { Misses } from './names-match.ts';
import { isNamedWorkspace } from './names-shape.ts';
import { idIn, selectionText } from './workspace-text.ts';

/** Returns `wire` with a workspace check before each operation. */
export function withWorkspaceCheck<T extends UncheckedConnection>(
  { context, settings, log }: ConnectOptions,
  wire: T,
  carried: CredentialProvider,
): T & CheckedSender {
  let own = wire.known.workspace;
  const whose: CheckedSender['whose'] = async (signal, before) => {
    const { askOwner } = await import('./own-workspace.ts');
    const facts = await askOwner(wire, signal, before);
    own = idIn(facts) ?? own;
    return facts;
  };
  const findOwn = async (operation: Operation, signal: AbortSignal | undefined, named?: Setting) => {
    const found = own === undefined ? carried.found() : undefined;
    own ??= found?.workspace;
    if (own !== undefined || found === undefined) return own;
    const { findOwnWorkspace } = await import('./own-workspace.ts');
    own ??= await findOwnWorkspace(context, { operation, found, carried, named, whose }, signal);
    return own;
  };
  const misses: Misses = new Map();
  const workspaceId = openWorkspaceNames({ context, wire, settings, misses }, findOwn);
  const check = orWarning({ context, log }, async (named, operation, signal, said) => {
    const found = await findOwn(operation, signal, named);
    if (found === named.value) return true;
    // Without a credential, the request cannot act on another workspace.
    if (found === undefined) return carried.found() === undefined;
    if (isNamedWorkspace(named)) {
      if (!signal) return false;
      const id = await workspaceId(operation, signal, said);
      if (id === found) return true;
      // The list of the workspaces may be forbidden or broken.
      if (id === named.value && (await whose(signal, operation)).workspace_slug === id) return true;
    }
    const { workspaceMismatchError } = await import('./own-workspace.ts');
    throw workspaceMismatchError(said, wire, { credential: carried.found(), own: found });
  });
  const checkWorkspace: CheckedSender['checkWorkspace'] = async (operation, signal, said = settings) => {
    const named = inDoubt(operation, said);
    return !named || check(named, operation, signal, said);
  };
  return {
    ...wire,
    whose,
    misses,
    findOwn: (operation, signal) => findOwn(operation, signal),
    workspaceId,
    checkWorkspace,
    sendFor: async (operation, said) => {
      const send = await wire.sendUnchecked(operation);
      if (!inDoubt(operation, said ?? settings)) return send;
      return async (request, options) => {
        await checkWorkspace(operation, options.signal, said);
        return send(request, options);
      };
    },
  };
}

interface Names {
  readonly context: Context;
  readonly wire: UncheckedConnection;
  readonly settings: Settings;
  readonly misses: Misses;
}

/** Returns a function that looks up workspace names, but not the id of the credential's workspace. */
function openWorkspaceNames(
  { context, wire, settings, misses }: Names,
  findOwn: CheckedSender['findOwn'],
): CheckedSender['workspaceId'] {
  // Keyed by settings, because a server uses one connection for commands with different settings.
  const looked = new WeakMap<Settings, Promise<string>>();
  return async (operation, signal, said = settings) => {
    const { workspace } = said.values;
    if (!workspace || !signal || !isNamedWorkspace(workspace)) return workspace?.value;
    if ((await findOwn(operation, undefined)) === workspace.value) return workspace.value;
    const { workspaceIdOf } = await import('./names.ts');
    const named = { context, operation, setting: workspace, ms: timeoutOf(operation, said) };
    const found = looked.get(said) ?? workspaceIdOf(named, wire, signal, misses);
    looked.set(said, found);
    return found;
  };
}

/** Returns the selected workspace, if the operation acts on the credential's. Throws `usage` if -w and path differ. */
function inDoubt(operation: Operation, { values: { workspace } }: Settings): Setting | undefined {
  if (!workspace) return undefined;
  const inPath = workspaceInPath(operation);
  if (inPath !== undefined && inPath !== workspace.value && isTyped(workspace))
    throw new DtpError('usage', `the path has workspace "${inPath}", but -w is "${workspace.value}"`, {
      hint: 'Leave out -w, or write {workspace_id} in the path.',
    });
  return operation.workspace === 'credential' ? workspace : undefined;
}

/** Whether a selected workspace is the credential's. False if that is not known and no request may be sent. */
type SelectionCheck = (
  ...[named, operation, signal, said]: readonly [Setting, Operation, AbortSignal | undefined, Settings]
) => Promise<boolean>;

/** Returns a check that only warns if validateApiKey fails, unless -w was typed. Settings are then checked only once. */
function orWarning({ context, log }: Pick<ConnectOptions, 'context' | 'log'>, check: SelectionCheck): SelectionCheck {
  const unchecked = new WeakSet<Settings>();
  return async (named, operation, signal, said) => {
    if (unchecked.has(said)) return true;
    const ask = (until = signal) => check(named, operation, until, said);
    // A check that is retried must leave time for the operation.
    const isShort = signal && operation.retry && !isTyped(named);
    const asked = isShort ? withDeadline(context, lookUpTime(timeoutOf(operation, said)), signal, ask) : ask();
    return asked.catch((error: unknown) => {
      const isFailed = error instanceof DtpError && error.facts.operation === 'validateApiKey';
      if (!isFailed || isTyped(named) || signal?.aborted) throw error;
      unchecked.add(said);
      log.warnOnce(
        `${selectionText(named)}, but dtp could not check that the credential belongs to it: ${error.message}. The command acts on the credential's workspace`,
      );
      return true;
    });
  };
}

const isTyped = ({ source }: Setting): boolean => source === '--workspace';

/** Returns the id in a path of `dtp api` at the place of `{workspace_id}`. */
function workspaceInPath({ id, path }: Operation): string | undefined {
  if (id !== 'api') return undefined;
  const segments = segmentsOf(path);
  const at = findTemplate(segments)?.segments.indexOf('{workspace_id}') ?? -1;
  const found = segments[at];
  return found === '{workspace_id}' ? undefined : found;
}

/** Checks that a command acts on the selected workspace, because most requests act on the credential's workspace. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { findTemplate, segmentsOf } from '../operations/paths.ts';
import { shortId } from '../render/short.ts';
import type { Target } from '../request/build.ts';
import type { Send } from '../request/http.ts';
import type { FoundCredential } from '../settings/credential.ts';
import type { Globals } from '../settings/global-flags.ts';
import type { SettingKey } from '../settings/keys.ts';
import type { Setting, Settings } from '../settings/resolve.ts';
import type { Credential } from '../transport/credentials.ts';
import { timeoutOf } from './deadline.ts';
import type { Misses } from './names-match.ts';
import { isNamedWorkspace } from './names-shape.ts';

export interface Wire {
  readonly target: Target;
  /** Settings that the service itself knows, such as the workspace of the embedded service. */
  readonly known: Readonly<Partial<Record<SettingKey, string>>>;
  /** The source of the credential of the last request, for errors. Empty if it had no credential. */
  readonly credentialSource: () => string;
  /** The user's command line. Errors about a name suggest it again with an id or another name. */
  readonly typed?: { readonly argv: readonly string[]; readonly globals: Globals };
  /** Sends without the workspace check. Only for requests that find out which workspace is meant. */
  readonly sendUnchecked: (operation: Operation) => Promise<Send>;
}

export interface Checked {
  /**
   * Sends an operation with its credential and its retry policy, after `checkWorkspace` has passed. If several requests
   * fail, they are retried one after the other.
   */
  readonly sendFor: (operation: Operation, settings?: Settings) => Promise<Send>;
  /**
   * Throws `usage` if the operation would act on another workspace than the one in `settings` (default: the settings of
   * the connection). Without `signal`, no request is sent. Returns false if the workspace is then not known.
   */
  readonly checkWorkspace: (
    operation: Operation,
    signal: AbortSignal | undefined,
    settings?: Settings,
  ) => Promise<boolean>;
  /**
   * Returns the id of the workspace in `settings` (default: the settings of the connection). A name is looked up once. A
   * value that no workspace has as its name is returned unchanged, and without `signal`, which sends no request, every
   * value. Undefined if no workspace is selected. Throws `usage` if several workspaces have the name.
   */
  readonly workspaceId: (
    operation: Operation,
    signal: AbortSignal | undefined,
    settings?: Settings,
  ) => Promise<string | undefined>;
  /** Returns the credential's workspace, or undefined if it is not known. Without `signal`, no request is sent. */
  readonly findOwn: (operation: Operation, signal: AbortSignal | undefined) => Promise<string | undefined>;
  /** Calls validateApiKey and returns its response. The call is retried like `before`, the operation that follows. */
  readonly whose: (signal: AbortSignal, before?: Operation) => Promise<Readonly<Record<string, unknown>>>;
  /** The values that were looked up in vain, for the error if the service does not know them either. */
  readonly misses: Misses;
}

/** The credential of a connection: `found` returns its configuration, and `fetch` gets the credential itself. */
export interface Carried {
  readonly found: () => FoundCredential | undefined;
  readonly fetch: () => Promise<Credential>;
}

/** Returns `wire` with a workspace check before each operation. */
export function withWorkspaceCheck<T extends Wire>(
  context: Context,
  wire: T,
  settings: Settings,
  carried: Carried,
): T & Checked {
  let own: string | undefined;
  const whose: Checked['whose'] = async (signal, before) => {
    const { askWhose } = await import('./own-workspace.ts');
    const facts = await askWhose(wire, signal, before);
    own = idIn(facts) ?? own;
    return facts;
  };
  const findOwn = async (operation: Operation, signal: AbortSignal | undefined, named?: Setting) => {
    own ??= wire.known.workspace;
    const found = own === undefined ? carried.found() : undefined;
    own ??= found?.workspace;
    if (own !== undefined || found === undefined) return own;
    const { findOwnWorkspace } = await import('./own-workspace.ts');
    own ??= await findOwnWorkspace(context, { operation, found, carried, named, whose }, signal);
    return own;
  };
  const misses: Misses = new Map();
  const workspaceId = openWorkspaceNames({ context, wire, settings, misses }, findOwn);
  const checkWorkspace: Checked['checkWorkspace'] = async (operation, signal, said = settings) => {
    const named = inDoubt(operation, said);
    if (!named) return true;
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
    const { otherWorkspace } = await import('./own-workspace.ts');
    throw otherWorkspace(said, wire, { credential: carried.found(), own: found });
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
  readonly wire: Wire;
  readonly settings: Settings;
  readonly misses: Misses;
}

/**
 * Returns a function that looks up workspace names. A value that equals the id of the credential's workspace is not
 * looked up.
 */
function openWorkspaceNames(
  { context, wire, settings, misses }: Names,
  findOwn: Checked['findOwn'],
): Checked['workspaceId'] {
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

/**
 * Returns the workspace setting if the operation acts on the credential's workspace, which may be another one. Throws
 * `usage` if the user's path names another workspace than -w.
 */
function inDoubt(operation: Operation, { values: { workspace } }: Settings): Setting | undefined {
  const inPath = workspace && workspaceInPath(operation);
  if (inPath !== undefined && inPath !== workspace?.value && workspace?.source === '--workspace')
    throw new DtpError('usage', `the path has workspace "${inPath}", but -w is "${workspace.value}"`, {
      hint: 'Leave out -w, or write {workspace_id} in the path.',
    });
  return operation.workspace === 'credential' ? workspace : undefined;
}

/** Returns the id in a path of `dtp api` at the place of `{workspace_id}`. */
function workspaceInPath({ id, path }: Operation): string | undefined {
  if (id !== 'api') return undefined;
  const segments = segmentsOf(path);
  const at = findTemplate(segments)?.segments.indexOf('{workspace_id}') ?? -1;
  const found = segments[at];
  return found === '{workspace_id}' ? undefined : found;
}

/** Returns the workspace in the response of validateApiKey. Undefined if it is missing or invalid. */
export const idIn = ({ workspace_id: id }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof id === 'string' && id !== '' && id.length <= longestId ? id : undefined;

/** The maximum length of an id, in characters. Anything longer cannot be an id, and would flood error messages. */
const longestId = 1000;

/** Returns the source of a workspace setting as users know it, such as -w. */
export const sourceOf = ({ source }: Setting): string => (source === '--workspace' ? '-w' : source);

/** Returns which workspace is selected, as the end of a sentence: `-w selects "w_2"`. */
export const selectionText = (named: Setting): string =>
  named.source.startsWith('profile ')
    ? `the workspace of ${named.source} is "${shortId(named.value)}"`
    : `${sourceOf(named)} selects "${shortId(named.value)}"`;

/** Returns the warning that the workspace setting is not the credential's workspace. */
export const otherText = (named: Setting, own: string): string =>
  `the credential belongs to workspace "${shortId(own)}", but ${selectionText(named)}, so commands that use the credential's workspace exit with 2`;

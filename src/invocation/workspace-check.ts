/** A command acts on the workspace that was named, or stops: most requests name none, and act on the credential's. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { findTemplate } from '../operations/paths.ts';
import type { Target } from '../request/build.ts';
import type { Send } from '../request/http.ts';
import type { FoundCredential } from '../settings/credential.ts';
import type { SettingKey } from '../settings/keys.ts';
import type { Setting, Settings } from '../settings/resolve.ts';
import type { Credential } from '../transport/credentials.ts';

/** What sends for a credential. */
export interface Wire {
  readonly target: Target;
  /** What the service itself knows of the settings: the embedded one names its own workspace. */
  readonly known: Readonly<Partial<Record<SettingKey, string>>>;
  /** Where the credential of the last request came from, for errors; '' if it had none. */
  readonly credentialSource: () => string;
  /** Sends for an operation whatever workspace is named: only for what asks whose the credential is. */
  readonly sendUnchecked: (operation: Operation) => Promise<Send>;
}

export interface Checked {
  /**
   * Sends for an operation: with its credential and its retry; of several requests, one at a time is sent again. Nothing
   * is sent before `checkWorkspace` has passed.
   */
  readonly sendFor: (operation: Operation, settings?: Settings) => Promise<Send>;
  /**
   * Throws `usage` if the operation would act on another workspace than the one that `settings` name, by default those of
   * the connection. False if that is not known: without `signal` the service is not asked.
   */
  readonly checkWorkspace: (
    operation: Operation,
    signal: AbortSignal | undefined,
    settings?: Settings,
  ) => Promise<boolean>;
  /** The credential's workspace; undefined if it is not known, and without `signal` the service is not asked. */
  readonly findOwn: (operation: Operation, signal: AbortSignal | undefined) => Promise<string | undefined>;
  /** What validateApiKey says of the credential, whatever workspace is named; sent again as `before`, the operation behind it. */
  readonly whose: (signal: AbortSignal, before?: Operation) => Promise<Readonly<Record<string, unknown>>>;
}

/** The credential of a connection: where it is configured, and, once it is needed, what it is. */
export interface Carried {
  readonly found: () => FoundCredential | undefined;
  readonly fetch: () => Promise<Credential>;
}

/** `wire`, over which no operation is sent while it might act on another workspace than the one that is named. */
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
  const checkWorkspace: Checked['checkWorkspace'] = async (operation, signal, said = settings) => {
    const named = inDoubt(operation, said);
    if (!named) return true;
    const found = await findOwn(operation, signal, named);
    if (found === named.value) return true;
    // Without a credential there is no workspace that could be taken for the one that is named.
    if (found === undefined) return carried.found() === undefined;
    const { otherWorkspace } = await import('./own-workspace.ts');
    // The workspace of a workspace identifier may be the credential itself.
    const isSecret = carried.found()?.scheme === 'workspace-identifier';
    throw otherWorkspace(operation, wire, said, isSecret ? undefined : found);
  };
  return {
    ...wire,
    whose,
    findOwn: (operation, signal) => findOwn(operation, signal),
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

/**
 * The workspace that is named, unless the operation's own request names it. Throws `usage` for a path of the user's that
 * names another one than -w does.
 */
function inDoubt(operation: Operation, { values: { workspace } }: Settings): Setting | undefined {
  if (!workspace) return undefined;
  const inPath = workspaceInPath(operation);
  if (inPath === undefined) return namesWorkspace(operation, workspace.value) ? undefined : workspace;
  if (inPath === workspace.value || workspace.source !== '--workspace') return undefined;
  throw new DtpError('usage', `the path names workspace "${inPath}", not "${workspace.value}" (from -w)`, {
    hint: 'Leave out -w, or write {workspace_id} in the path.',
  });
}

/** The id that a path of `dtp api` has where the document's has `{workspace_id}`. */
function workspaceInPath({ id, path }: Operation): string | undefined {
  if (id !== 'api') return undefined;
  const segments = path.split('/').map(decoded);
  const at = findTemplate(segments)?.segments.indexOf('{workspace_id}') ?? -1;
  const found = segments[at];
  return found === '{workspace_id}' ? undefined : found;
}

/** The workspace of validateApiKey's answer. */
export const idIn = ({ workspace_id: id }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof id === 'string' && id !== '' && id.length <= longestId ? id : undefined;

/** Characters: what is longer is no id, and would fill an error message. */
const longestId = 1000;

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
  const template = findTemplate(segments);
  if (template?.operations.get('GET')?.id === operations.getAccessToken.id)
    return 'workspace_id' in operation.input;
  // In a path that the document has, the id may be another thing's name.
  return template === undefined && segments.slice(afterVersion).includes(id);
}

/** Of an absolute path, whose first segment is empty. */
const afterVersion = 2;

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

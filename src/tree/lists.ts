/**
 * Defines which operations list the possible values of arguments and fields, for completions, prompts and name lookups.
 */
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';

export interface List {
  readonly operation: Operation;
  /** The fields of a row that contain the value to insert, its description, and the name that people know. */
  readonly values: readonly (readonly [value: string, help: string, label: string])[];
}

const tag = ['name', 'revision_digest', 'name'] as const;
/** The digest of each tag, which is listed in addition to the tag. */
const tagged = ['revision_digest', 'name', 'revision_digest'] as const;

/** The lists by name. The operations of some lists need the name of a namespace. */
export const lists = {
  workspaces: { operation: operations.getWorkspaces, values: [['id', 'name', 'name']] },
  organizations: { operation: operations.getOrganizations, values: [['id', 'name', 'name']] },
  members: { operation: operations.getWorkspaceTeam, values: [['id', 'email', 'email']] },
  targets: {
    operation: operations.getWorkspaceTargets,
    values: [['generate_gen_lock_id', 'generate_target', 'generate_target']],
  },
  namespaces: { operation: operations.getNamespaces, values: [['name', 'updated_at', 'name']] },
  tags: { operation: operations.getTags, values: [tag] },
  digests: { operation: operations.getRevisions, values: [['digest', 'tags', 'tags']] },
  revisions: { operation: operations.getTags, values: [tag, tagged] },
  'workspace-tokens': { operation: operations.getWorkspaceTokens, values: [['id', 'name', 'name']] },
  'publishing-tokens': {
    operation: operations.getPublishingToken,
    values: [['id', 'token_name', 'token_name']],
  },
} as const satisfies Readonly<Record<string, List>>;

/** The name of a list. The list of profiles has no operation, because profiles are stored on this machine. */
export type ListName = keyof typeof lists | 'profiles';

/** Returns the list with this name. Undefined if there is no such list. */
export const listNamed = (name: string): List | undefined =>
  new Map<string, List>(Object.entries(lists)).get(name);

/** Describes how to find the id of a thing by its name, or by the beginning of its id. */
export interface LookUp {
  readonly operation: Operation;
  /** The word for one thing in the list, such as `workspace`. */
  readonly noun: string;
  /** The field of a row that contains the id. */
  readonly id: string;
  /** The fields of a row that contain a name or a list of names. */
  readonly names: readonly string[];
  /**
   * If set, only values that match are looked up. Other values are sent unchanged, because they may be valid as they
   * are.
   */
  readonly only?: RegExp;
}

export const workspaceLookUp: LookUp = {
  operation: operations.getWorkspaces,
  noun: 'workspace',
  id: 'id',
  names: ['name', 'slug'],
};

/**
 * The lists in which names are looked up. Namespaces and tags need no lookup, because their names are their ids. Targets
 * have no names, and their lock ids are always sent as they were typed.
 */
const lookUps: Readonly<Partial<Record<ListName, LookUp>>> = {
  workspaces: workspaceLookUp,
  organizations: {
    operation: operations.getOrganizations,
    noun: 'organization',
    id: 'id',
    names: ['name', 'slug'],
  },
  members: {
    operation: operations.getWorkspaceTeam,
    noun: 'member',
    id: 'id',
    names: ['email', 'display_name'],
  },
  // The user may also select the revision to tag by one of its existing tags.
  digests: {
    operation: operations.getRevisions,
    noun: 'revision',
    id: 'digest',
    names: ['tags'],
    only: /^(?:sha(?:256|512):[0-9a-f]{6,}…?|\w[\w.-]{0,127})$/,
  },
  // Any other value is a tag, which is sent unchanged.
  revisions: {
    operation: operations.getRevisions,
    noun: 'revision',
    id: 'digest',
    names: [],
    only: /^sha(?:256|512):[0-9a-f]{6,}…?$/,
  },
  'workspace-tokens': {
    operation: operations.getWorkspaceTokens,
    noun: 'token',
    id: 'id',
    names: ['name'],
  },
  'publishing-tokens': {
    operation: operations.getPublishingToken,
    noun: 'publishing token',
    id: 'id',
    names: ['token_name'],
  },
};

/** Returns the values of a list whose names may be typed instead of them. */
export const namesIn = (list: string): List['values'] =>
  new Map(Object.entries(lookUps)).has(list)
    ? (listNamed(list)?.values ?? []).filter(([value, , name]) => value !== name)
    : [];

/** Returns how to look up the value of an argument or a field. Undefined if the value is always sent unchanged. */
export function lookUpFor(operation: Operation, name: string): LookUp | undefined {
  const list = listFor(operation, name);
  return list && lookUps[list];
}

/** Returns the name of the list of possible values of an argument or a field. Undefined if there is no list. */
export function listFor({ command }: Operation, name: string): keyof typeof lists | undefined {
  if (name === 'tokenID') return command[0] === 'ws' ? 'workspace-tokens' : 'publishing-tokens';
  return byField.get(name);
}

const byField: ReadonlyMap<string, keyof typeof lists> = new Map<string, keyof typeof lists>([
  ['workspace_id', 'workspaces'],
  ['organizationID', 'organizations'],
  ['organization_id', 'organizations'],
  ['userId', 'members'],
  ['target_id', 'targets'],
  ['generate_gen_lock_id', 'targets'],
  ['gen_lock_id', 'targets'],
  ['genLockId', 'targets'],
  ['namespace_name', 'namespaces'],
  ['namespaceName', 'namespaces'],
  ['revision_reference', 'revisions'],
  ['revision_digest', 'digests'],
]);

/** The lists of possible values, for completions: the operation that returns each list, and the fields of its rows to use. */
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';

export interface List {
  readonly operation: Operation;
  /** Fields of a row: the value to insert, its description, and the name that people know it by. */
  readonly values: readonly (readonly [value: string, help: string, label: string])[];
}

const tag = ['name', 'revision_digest', 'name'] as const;
/** Inserts the digest of a tag. Listed in addition to the tags. */
const tagged = ['revision_digest', 'name', 'revision_digest'] as const;

/** The lists by name. A list of a namespace takes the name of the namespace as an argument. */
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

/** Profiles are stored on this machine. */
export type ListName = keyof typeof lists | 'profiles';

/** Undefined for an unknown list. */
export const listNamed = (name: string): List | undefined =>
  new Map<string, List>(Object.entries(lists)).get(name);

/** A list in which a thing is found by its name or by the beginning of its id. */
export interface LookUp {
  readonly operation: Operation;
  /** What one of them is called. */
  readonly noun: string;
  /** The field of a row with the id. */
  readonly id: string;
  /** The fields with a name or a list of names. */
  readonly names: readonly string[];
  /** The only values that are looked up, if people choose the ids themselves. Others are ids. */
  readonly only?: RegExp;
  /** Whether a value that is not in the list is an id all the same. */
  readonly isOpen?: true;
}

export const workspaceLookUp: LookUp = {
  operation: operations.getWorkspaces,
  noun: 'workspace',
  id: 'id',
  names: ['name', 'slug'],
};

/** The names of namespaces are their ids, and tags are chosen by people. */
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
  // Any string may be a lock id, so only the beginning of a UUID is looked up. This list is that of the workspace in the
  // path; the newer one is always that of the credential.
  targets: {
    operation: operations.getWorkspaceTargetsDeprecated,
    noun: 'target',
    id: 'generate_gen_lock_id',
    names: [],
    only: /^[0-9a-f]{6,8}(?:-[0-9a-f-]*)?…?$/,
    isOpen: true,
  },
  // A revision to tag may also be given by a tag that it has.
  digests: {
    operation: operations.getRevisions,
    noun: 'revision',
    id: 'digest',
    names: ['tags'],
    only: /^(?:sha(?:256|512):[0-9a-f]{6,}…?|\w[\w.-]{0,127})$/,
  },
  // Anything else is a tag.
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

/** Where the name in an argument or a field is looked up; undefined if only the value itself can be sent. */
export function lookUpFor(operation: Operation, name: string): LookUp | undefined {
  const list = listFor(operation, name);
  const lookUp = list && lookUps[list];
  return lookUp && list === 'targets' && !('workspace_id' in operation.input)
    ? { ...lookUp, operation: operations.getWorkspaceTargets }
    : lookUp;
}

/** The list of possible values of an argument or a field. Undefined if it has no list. */
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

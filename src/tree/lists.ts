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

/** The list of possible values of an argument or a field. Undefined if it has no list. */
export function listFor({ command }: Operation, name: string): keyof typeof lists | undefined {
  if (name === 'tokenID') return command[0] === 'ws' ? 'workspace-tokens' : 'publishing-tokens';
  return byField.get(name);
}

const byField: ReadonlyMap<string, keyof typeof lists> = new Map<string, keyof typeof lists>([
  ['workspace_id', 'workspaces'],
  ['organizationID', 'organizations'],
  ['userId', 'members'],
  ['target_id', 'targets'],
  ['namespace_name', 'namespaces'],
  ['namespaceName', 'namespaces'],
  ['revision_reference', 'revisions'],
  ['revision_digest', 'digests'],
]);

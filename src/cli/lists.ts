/** The lists that completions ask for: an operation that reads, and what of its rows stands for one. */
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';

export interface List {
  readonly operation: Operation;
  /** Members of a row: one that is put in, and one that says what it is. */
  readonly values: readonly (readonly [value: string, help: string])[];
}

const tag = ['name', 'revision_digest'] as const;
const digest = ['revision_digest', 'name'] as const;

/** By name. Those of a namespace get its name as an argument. */
export const lists = {
  workspaces: { operation: operations.getWorkspaces, values: [['id', 'name']] },
  organizations: { operation: operations.getOrganizations, values: [['id', 'name']] },
  members: { operation: operations.getWorkspaceTeam, values: [['id', 'email']] },
  targets: {
    operation: operations.getWorkspaceTargets,
    values: [['generate_gen_lock_id', 'generate_target']],
  },
  namespaces: { operation: operations.getNamespaces, values: [['name', 'updated_at']] },
  tags: { operation: operations.getTags, values: [tag] },
  digests: { operation: operations.getTags, values: [digest] },
  revisions: { operation: operations.getTags, values: [tag, digest] },
  'workspace-tokens': { operation: operations.getWorkspaceTokens, values: [['id', 'name']] },
  'publishing-tokens': { operation: operations.getPublishingToken, values: [['id', 'token_name']] },
} as const satisfies Readonly<Record<string, List>>;

/** The profiles are on this machine. */
export type ListName = keyof typeof lists | 'profiles';

/** What an argument of an operation may be, by the name of its field; undefined where nothing lists it. */
export function listFor({ command }: Operation, name: string): keyof typeof lists | undefined {
  if (name === 'tokenID') return command[0] === 'ws' ? 'workspace-tokens' : 'publishing-tokens';
  return byField[name];
}

const byField: Readonly<Record<string, keyof typeof lists>> = {
  workspace_id: 'workspaces',
  organizationID: 'organizations',
  userId: 'members',
  target_id: 'targets',
  namespace_name: 'namespaces',
  namespaceName: 'namespaces',
  revision_reference: 'revisions',
};

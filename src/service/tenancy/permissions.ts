/** Checks what users, owners and the organization's creator may do, and what works while a workspace is inactive. */
import type { OperationId } from '../../operations/index.ts';
import type { Store } from '../data/store.ts';
import type { Caller } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import { isOrganizationMember, isOwner, mayOpen } from './members.ts';
import { findWorkspace } from './tenants.ts';

/**
 * The operations that not everybody may call, with words for the error: only an `owner` of the workspace, only the
 * `creator` of the organization, or every caller with a `key`, not only the id of a workspace. The last ones change
 * credentials or the team, or make the caller the owner of something. `createWorkspace` may name another organization.
 */
const restricted: Readonly<Partial<Record<OperationId, readonly [to: 'owner' | 'creator' | 'key', what: string]>>> = {
  updateWorkspaceDetails: ['owner', 'change its details'],
  updateWorkspaceSettings: ['owner', 'change its settings'],
  setWorkspaceFeatureFlags: ['owner', 'set its feature flags'],
  grantUserAccessToWorkspace: ['owner', 'grant access'],
  createFreeTrial: ['creator', 'start a free trial'],
  getOrganizationUsage: ['creator', 'see the usage'],
  createBillingAddOns: ['creator', 'buy add-ons'],
  getBillingAddOns: ['creator', 'see add-ons'],
  deleteBillingAddOn: ['creator', 'cancel add-ons'],
  createWorkspaceToken: ['key', 'create tokens'],
  deleteWorkspaceToken: ['key', 'delete tokens'],
  createPublishingToken: ['key', 'create publishing tokens'],
  updatePublishingTokenExpiration: ['key', 'change publishing tokens'],
  deletePublishingToken: ['key', 'delete publishing tokens'],
  codehostStorePublishingSecrets: ['key', 'store secrets'],
  revokeUserAccessToWorkspace: ['key', 'revoke access'],
  createWorkspace: ['key', 'create workspaces'],
  createOrganization: ['key', 'create organizations'],
};

/** The operations that work on an inactive workspace, because they show its state or activate it. */
const whileInactive: ReadonlySet<OperationId> = new Set([
  'validateApiKey',
  'getUser',
  'getOrganizations',
  'getOrganization',
  'getWorkspaces',
  'getWorkspaceByContext',
  'getWorkspace',
  'updateWorkspaceDetails',
] satisfies readonly OperationId[]);

/** Throws a Refusal with status 403 unless the user is an owner. `what` completes "only an owner may …". */
export function checkOwner(store: Store, workspaceId: string, caller: Caller, what: string): void {
  checkNotAnonymous(caller, what);
  if (!isOwner(store, workspaceId, caller.userId))
    throw new Refusal(403, `only an owner of workspace ${workspaceId} may ${what}`);
}

/** Throws a Refusal with status 403 unless the caller is the member of the organization. `what` completes "may …". */
export function checkOrganizationMember(store: Store, id: string, caller: Caller, what: string): void {
  checkNotAnonymous(caller, what);
  if (!isOrganizationMember(store, id, caller))
    throw new Refusal(403, `only the user who created organization ${id} may ${what}`);
}

/** Throws a Refusal with status 404 or 403 unless the workspace exists and the caller may open it. */
export function checkWorkspace(store: Store, id: string, caller: Caller): void {
  if (id === caller.workspaceId) return;
  findWorkspace(store, id);
  if (mayOpen(store, id, caller)) return;
  const why = caller.reach ? 'this credential does not open' : 'you have no access to';
  throw new Refusal(403, `${why} workspace ${id}`);
}

function checkNotAnonymous({ isAnonymous }: Caller, what: string): void {
  if (isAnonymous) {
    const text = `an access token or the id of a workspace does not allow you to ${what}: send the key of a workspace token`;
    throw new Refusal(403, text);
  }
}

/** The id of the workspace is not in the message, because everyone who knows it may use the workspace. */
export const inactiveRefusal = (): Refusal =>
  new Refusal(403, 'the workspace is inactive; an owner can set inactive to false in its details');

export const isInactive = (store: Store, workspaceId: string): boolean =>
  findWorkspace(store, workspaceId).inactive === true;

/** Throws a Refusal with status 403 if the caller may not call the operation on this workspace. */
export function checkPermission(id: OperationId, workspaceId: string, caller: Caller, store: Store): void {
  const known = workspaceId === caller.workspaceId ? caller.isInactive : undefined;
  if (!whileInactive.has(id) && (known ?? isInactive(store, workspaceId))) throw inactiveRefusal();
  const [to, what = ''] = restricted[id] ?? [];
  if (to === 'owner') checkOwner(store, workspaceId, caller, what);
  if (to === 'creator') checkOrganizationMember(store, caller.organizationId, caller, what);
  if (to === 'key') checkNotAnonymous(caller, what);
}

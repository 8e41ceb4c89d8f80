/** Checks what users, owners and the organization's creator may do, and what works while a workspace is inactive. */
import type { OperationId } from '../../operations/index.ts';
import type { Store } from '../data/store.ts';
import type { Caller } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import { isOrganizationMember, isOwner, mayOpen } from './members.ts';
import { findWorkspace } from './tenants.ts';

/** The operations for owners only, with words for the error. Others may call all the rest, for example to leave. */
const ownersOnly: Readonly<Partial<Record<OperationId, string>>> = {
  updateWorkspaceDetails: 'change its details',
  updateWorkspaceSettings: 'change its settings',
  setWorkspaceFeatureFlags: 'set its feature flags',
  grantUserAccessToWorkspace: 'grant access',
};

/** The operations for the member of the organization only, with words for the error. `createWorkspace` may name another. */
const forOrganization: Readonly<Partial<Record<OperationId, string>>> = {
  createFreeTrial: 'start a free trial',
  getOrganizationUsage: 'see the usage',
  createBillingAddOns: 'buy add-ons',
  getBillingAddOns: 'see add-ons',
  deleteBillingAddOn: 'cancel add-ons',
};

/**
 * The operations that a caller with only the id of a workspace may not call, besides those for owners, with words for
 * the error. They change credentials or the team, or make the caller the owner of something.
 */
const withKeyOnly: Readonly<Partial<Record<OperationId, string>>> = {
  createWorkspaceToken: 'create tokens',
  deleteWorkspaceToken: 'delete tokens',
  createPublishingToken: 'create publishing tokens',
  updatePublishingTokenExpiration: 'change publishing tokens',
  deletePublishingToken: 'delete publishing tokens',
  codehostStorePublishingSecrets: 'store secrets',
  revokeUserAccessToWorkspace: 'revoke access',
  createWorkspace: 'create workspaces',
  createOrganization: 'create organizations',
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
  const what = ownersOnly[id];
  if (what !== undefined) checkOwner(store, workspaceId, caller, what);
  const whole = forOrganization[id];
  if (whole !== undefined) checkOrganizationMember(store, caller.organizationId, caller, whole);
  const keyed = withKeyOnly[id];
  if (keyed !== undefined) checkNotAnonymous(caller, keyed);
}

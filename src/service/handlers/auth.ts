/** Handles the operations of the Auth area. */
import type * as area from '../../operations/auth.ts';
import { languageOf } from '../codehost/targets.ts';
import { type Handlers, type IdsOf, orNotFound, replyJson, type Scope } from '../handler.ts';
import { accessToken } from '../tenancy/credentials.ts';
import { creatorOf, isOrganizationMember, isOwner } from '../tenancy/members.ts';
import { checkWorkspace, inactiveRefusal, isInactive } from '../tenancy/permissions.ts';
import { accessOf, addOnsOf, featureFlagsOf, flagValues, isUnlimited } from '../tenancy/plans.ts';
import { findOrganization, findUser, findWorkspace, updateUser, userFor } from '../tenancy/tenants.ts';

function countCheck({ store, now, caller }: Scope): void {
  const sql = `INSERT INTO access_checks (workspace_id, day, checks) VALUES (?, ?, 1)
    ON CONFLICT (workspace_id, day) DO UPDATE SET checks = checks + 1`;
  store.run(sql, caller.workspaceId, now().toISOString().slice(0, 10));
}

const NO_ADD_ONS = "billing_add_ons is empty, because only the organization's creator may see them";

export const auth = {
  validateApiKey: (_, { store, caller, now }) => {
    const workspace = findWorkspace(store, caller.workspaceId);
    const organization = findOrganization(store, caller.organizationId);
    const features = flagValues(store, caller.workspaceId);
    const hasAddOns = isOrganizationMember(store, caller.organizationId, caller);
    const details = {
      workspace_id: workspace.id,
      workspace_slug: workspace.slug,
      org_slug: organization.slug,
      generation_access_unlimited: isUnlimited(organization, now()),
      account_type_v2: organization.account_type,
      enabled_features: features,
      billing_add_ons: hasAddOns ? addOnsOf(store, caller.organizationId) : [],
      feature_flags: features,
      telemetry_disabled: organization.telemetry_disabled,
      workspace_created_at: workspace.created_at,
    };
    return hasAddOns ? details : replyJson(200, details, { 'dtp-simplified': NO_ADD_ONS });
  },

  getUser: (_, { store, caller }) => userFor(store, caller, findUser(store, caller.userId)),

  getAccessToken: ({ workspace_id }, scope) => {
    const { store, now, caller } = scope;
    if (caller) checkWorkspace(store, workspace_id, caller);
    if (isInactive(store, workspace_id)) throw inactiveRefusal();
    const creator = orNotFound(creatorOf(store, workspace_id), `workspace ${workspace_id} not found`);
    // Without a key, the caller is unknown. The token is for the user who created the organization of the workspace.
    const owner = caller?.tokenId === undefined ? creator : caller;
    const { id, email, display_name, created_at, email_verified } = findUser(store, owner.userId);
    const { name, updated_at } = findWorkspace(store, workspace_id);
    const { account_type } = findOrganization(store, creator.organizationId);
    const admin = isOwner(store, workspace_id, owner.userId);
    updateUser(store, owner.userId, { last_login_at: now().toISOString() });
    return {
      ...accessToken(workspace_id, owner, scope),
      user: { id, email, display_name, admin, created_at, email_verified },
      // The user's other workspaces are left out, because everyone who knows an id may use its workspace.
      workspaces: [{ id: workspace_id, name, updated_at, account_type }],
      feature_flags: featureFlagsOf(store, workspace_id),
    };
  },

  getWorkspaceAccess: ({ genLockId, targetType, passive }, scope) => {
    if (!passive) countCheck(scope);
    const { store, caller, now } = scope;
    const language = targetType || (genLockId && languageOf(store, caller.workspaceId, genLockId));
    return accessOf(scope, findOrganization(store, caller.organizationId), now(), { language: language || undefined });
  },
} satisfies Handlers<IdsOf<typeof area>>;

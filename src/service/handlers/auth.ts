/** Handles the operations of the Auth area. */
import type * as area from '../../operations/auth.ts';
import { languageOf } from '../codehost/targets.ts';
import { type Handlers, type IdsOf, Refusal, type Scope } from '../handler.ts';
import { accessToken } from '../tenancy/credentials.ts';
import { isMember } from '../tenancy/members.ts';
import { inactiveRefusal, isInactive } from '../tenancy/permissions.ts';
import { accessOf, addOnsOf, flagsOf, flagValues, isUnlimited } from '../tenancy/plans.ts';
import {
  findOrganization,
  findUser,
  findWorkspace,
  membersOf,
  updateUser,
  workspacesOf,
} from '../tenancy/tenants.ts';

function countCheck({ store, now, caller }: Scope): void {
  store.run(
    `INSERT INTO access_checks (workspace_id, day, checks) VALUES (?, ?, 1)
     ON CONFLICT (workspace_id, day) DO UPDATE SET checks = checks + 1`,
    caller.workspaceId,
    now().toISOString().slice(0, 10),
  );
}

export const auth = {
  validateApiKey: (_, { store, caller, now }) => {
    const workspace = findWorkspace(store, caller.workspaceId);
    const organization = findOrganization(store, caller.organizationId);
    const features = flagValues(store, caller.workspaceId);
    return {
      workspace_id: workspace.id,
      workspace_slug: workspace.slug,
      org_slug: organization.slug,
      generation_access_unlimited: isUnlimited(organization, now()),
      account_type_v2: organization.account_type,
      enabled_features: features,
      billing_add_ons: addOnsOf(store, caller.organizationId),
      feature_flags: features,
      telemetry_disabled: organization.telemetry_disabled,
      workspace_created_at: workspace.created_at,
    };
  },

  getUser: (_, { store, caller }) => findUser(store, caller.userId),

  getAccessToken: ({ workspace_id }, scope) => {
    const { store, now } = scope;
    if (isInactive(store, workspace_id)) throw inactiveRefusal(workspace_id);
    // This request has no credential, so the caller is unknown. The token is for the first user of the workspace.
    const user = membersOf(store, workspace_id).find(({ id }) => isMember(store, workspace_id, String(id)));
    if (!user) throw new Refusal(404, `workspace ${workspace_id} has no users`);
    const userId = String(user.id);
    updateUser(store, userId, { last_login_at: now().toISOString() });
    return {
      ...accessToken(userId, workspace_id, scope),
      user: {
        id: user.id,
        email: user.email,
        display_name: user.display_name,
        admin: user.admin,
        created_at: user.created_at,
        email_verified: user.email_verified,
      },
      workspaces: workspacesOf(store, userId).map(({ id, name, updated_at, organization_id }) => ({
        id,
        name,
        updated_at,
        account_type: findOrganization(store, String(organization_id)).account_type,
      })),
      feature_flags: flagsOf(store, workspace_id),
    };
  },

  getWorkspaceAccess: ({ genLockId, targetType, passive }, scope) => {
    if (!passive) countCheck(scope);
    const { store, caller, now } = scope;
    const language = targetType || (genLockId && languageOf(store, caller.workspaceId, genLockId));
    return accessOf(store, findOrganization(store, caller.organizationId), now(), {
      language: language || undefined,
    });
  },
} satisfies Handlers<IdsOf<typeof area>>;

/** Handles the operations of the Workspaces area. */
import type * as area from '../../operations/workspaces.ts';
import type { Store } from '../data/store.ts';
import { type Handlers, type IdsOf, orNotFound, Refusal } from '../handler.ts';
import { isLocalHost } from '../http/endpoint.ts';
import { type JsonObject, jsonObject, requiredString, requiredStrings } from '../http/fields.ts';
import { checkOrganizationMember } from '../tenancy/permissions.ts';
import { featureFlagsOf } from '../tenancy/plans.ts';
import {
  addWorkspace,
  booleanOf,
  checkWorkspaceSlug,
  extendReach,
  findOrganization,
  findWorkspace,
  slugOf,
  workspacesOf,
} from '../tenancy/tenants.ts';
import { team } from './team.ts';

const settingsOf = (store: Store, id: string): JsonObject =>
  JSON.parse(String(orNotFound(store.find('workspaces', { id }), `workspace ${id} not found`).settings));

/** Throws Refusal unless the URL is https or on this machine, so that events are sent encrypted. '' removes the URL. */
function checkWebhook(url: unknown): void {
  if (url === '') return;
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLocalHost(parsed.hostname))) return;
  throw new Refusal(422, 'webhook_url must be an https URL, or an http URL of this machine');
}

export const workspaces = {
  ...team,

  getWorkspaces: (_, { store, caller }) => workspacesOf(store, caller),

  getWorkspaceByContext: (_, { store, caller }) => ({
    workspace: findWorkspace(store, caller.workspaceId),
    organization: findOrganization(store, caller.organizationId),
  }),

  createWorkspace: ({ body }, { store, caller, now }) => {
    const given = jsonObject(body);
    const name = requiredString(given, 'name');
    const slug = slugOf(given, name);
    const organizationId = given.organization_id ? requiredString(given, 'organization_id') : caller.organizationId;
    return store.transaction(() => {
      findOrganization(store, organizationId);
      checkOrganizationMember(store, organizationId, caller, 'create workspaces');
      const at = { name, slug, organizationId, userId: caller.userId, now: now() };
      const made = addWorkspace(store, given, at);
      extendReach(store, caller, made.id);
      return made;
    });
  },

  getWorkspace: ({ workspace_id }, { store }) => findWorkspace(store, workspace_id),

  updateWorkspaceDetails: ({ workspace_id, body }, { store, now }) => {
    const given = jsonObject(body);
    store.transaction(() => {
      const before = findWorkspace(store, workspace_id);
      const { id, organization_id, created_at } = before;
      const after = { ...before, ...given, id, organization_id, created_at, updated_at: now().toISOString() };
      const slug = slugOf(after, requiredString(after, 'name'));
      for (const name of ['inactive', 'telemetry_disabled', 'verified']) booleanOf(after, name, false);
      if (slug !== before.slug) checkWorkspaceSlug(store, String(organization_id), slug);
      store.update('workspaces', { id: workspace_id }, { slug, record: JSON.stringify({ ...after, slug }) });
    });
  },

  // The URL of a webhook often contains a secret.
  getWorkspaceSettings: ({ workspace_id }, { store, caller }) => ({
    ...settingsOf(store, workspace_id),
    ...(caller.isAnonymous && { webhook_url: '' }),
  }),

  updateWorkspaceSettings: ({ workspace_id, body }, { store, now }) => {
    const given = jsonObject(body);
    checkWebhook(given.webhook_url ?? '');
    store.transaction(() => {
      const before = settingsOf(store, workspace_id);
      const after = {
        ...before,
        ...given,
        webhook_url: given.webhook_url ?? before.webhook_url,
        workspace_id,
        created_at: before.created_at,
        updated_at: now().toISOString(),
      };
      store.update('workspaces', { id: workspace_id }, { settings: JSON.stringify(after) });
    });
  },

  setWorkspaceFeatureFlags: ({ body }, { store, caller }) => {
    const feature_flags = requiredStrings(jsonObject(body), 'feature_flags');
    if (feature_flags.includes('')) throw new Refusal(422, 'feature_flags must not contain an empty string');
    store.transaction(() => {
      const own = { workspace_id: caller.workspaceId };
      store.delete('feature_flags', own);
      for (const feature_flag of new Set(feature_flags)) store.insert('feature_flags', { ...own, feature_flag });
    });
    return { feature_flags: featureFlagsOf(store, caller.workspaceId) };
  },

  getWorkspaceFeatureFlags: ({ workspace_id }, { store }) => ({ feature_flags: featureFlagsOf(store, workspace_id) }),
} satisfies Handlers<IdsOf<typeof area>>;

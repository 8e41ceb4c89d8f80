/** Creates and finds organizations, workspaces, users and workspace tokens. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseRow } from '../data/columns.ts';
import { checkRoom } from '../data/room.ts';
import type { Store } from '../data/store.ts';
import type { Caller } from '../handler.ts';
import { type JsonObject, requiredString } from '../http/fields.ts';
import { orNotFound, Refusal } from '../refusal.ts';
import { addOwner, CREATOR, isMember, mayOpen, ownersOf, WORKSPACES_OF } from './members.ts';

export const recordOf = (row: DatabaseRow): JsonObject => JSON.parse(String(row.record));

export function booleanOf(given: JsonObject, name: string, otherwise: boolean): boolean {
  const value = given[name] ?? otherwise;
  if (typeof value === 'boolean') return value;
  throw new Refusal(422, `${name} must be true or false`);
}

/** Turns a string into a slug, or a name that the registry accepts. */
export const safeName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Returns the slug in the request, or else a slug derived from the name. Throws Refusal if the slug is invalid. */
export function slugOf(given: JsonObject, name: string): string {
  const slug = given.slug ?? safeName(name);
  // The slug becomes a path segment of registry URLs.
  if (typeof slug === 'string' && /^[a-z0-9]+([._-]+[a-z0-9]+)*$/.test(slug)) return slug;
  throw new Refusal(422, 'slug must be lowercase letters and digits, separated by dashes, dots or underscores');
}

export function addUser(store: Store, email: string, made: JsonObject, now: Date): JsonObject {
  const time = now.toISOString();
  const user = {
    id: randomUUID(),
    email,
    email_verified: false,
    codehost_handle: null,
    display_name: email.split('@')[0],
    photo_url: null,
    default_workspace_id: null,
    confirmed: false,
    whitelisted: true,
    last_login_at: null,
    admin: false,
    created_at: time,
    updated_at: time,
    internal: false,
    ...made,
  };
  store.insert('users', { id: user.id, email, record: JSON.stringify(user) });
  return user;
}

export function updateUser(store: Store, id: string, change: JsonObject): void {
  const user = findUser(store, id);
  store.update('users', { id }, { record: JSON.stringify({ ...user, ...change }) });
}

const userOf = (row: DatabaseRow): JsonObject => ({
  ...recordOf(row),
  has_created_api_key: row.has_created_api_key === 1,
});

const USERS = `SELECT users.record AS record,
    users.id IN (SELECT created_by FROM workspace_tokens) AS has_created_api_key
  FROM users`;

/** Leaves out a default workspace that the caller may not open, because everyone who knows its id may use it. */
export const userFor = (store: Store, caller: Caller, user: JsonObject): JsonObject =>
  mayOpen(store, String(user.default_workspace_id), caller) ? user : { ...user, default_workspace_id: null };

export const findUser = (store: Store, id: string): JsonObject =>
  userOf(orNotFound(store.get(`${USERS} WHERE id = ?`, id), `user ${id} not found`));

const TEAM = `${USERS} LEFT JOIN members ON members.user_id = users.id AND workspace_id = ?1
  WHERE users.id IN (SELECT user_id FROM members WHERE workspace_id = ?1 UNION SELECT created_by FROM (${CREATOR}) AS creator)
  ORDER BY coalesce(members.seq, 0)`;

/** Returns the users of a workspace, oldest first. `admin`: an owner. Not `confirmed`: the invitation is still open. */
export function* organizationMembersOf(store: Store, workspaceId: string, caller: Caller): Generator<JsonObject> {
  const owners = ownersOf(store, workspaceId);
  for (const user of store.all(TEAM, workspaceId).map(userOf))
    yield {
      ...userFor(store, caller, user),
      admin: owners.includes(String(user.id)),
      confirmed: user.confirmed === true && isMember(store, workspaceId, String(user.id)),
    };
}

export function addOrganization(
  store: Store,
  given: JsonObject,
  { name, slug, userId, now }: { name: string; slug: string; userId: string; now: Date },
): JsonObject {
  if (store.find('organizations', { slug }))
    throw new Refusal(409, `the slug ${slug} is already used by another organization`);
  checkRoom(store, 'organizations', userId);
  const time = now.toISOString();
  const id = randomUUID();
  // The API document lists known types, but clients may send others.
  const accountType = requiredString({ account_type: given.account_type ?? 'free' }, 'account_type');
  const organization = {
    ...given,
    id,
    name,
    slug,
    account_type: accountType,
    telemetry_disabled: booleanOf(given, 'telemetry_disabled', false),
    created_at: time,
    updated_at: time,
    free_trial_expiry: null,
    sso_connection_id: null,
    sso_activated: false,
  };
  store.insert('organizations', { id, slug, created_by: userId, record: JSON.stringify(organization) });
  return organization;
}

export const findOrganization = (store: Store, id: string): JsonObject =>
  recordOf(orNotFound(store.find('organizations', { id }), `organization ${id} not found`));

const isWithin =
  (reach: readonly string[] | undefined) =>
  ({ id }: JsonObject): boolean =>
    reach?.includes(String(id)) ?? true;

const ORGANIZATIONS = `SELECT record FROM organizations WHERE created_by = ?1 OR id IN (
    SELECT organization_id FROM workspaces WHERE id IN (${WORKSPACES_OF})
  ) ORDER BY seq`;

/** Returns the organizations of the caller's workspaces, and the organizations that the caller created. */
export const organizationsOf = (store: Store, { userId, reach }: Caller): readonly JsonObject[] =>
  store.all(ORGANIZATIONS, userId).map(recordOf).filter(isWithin(reach));

/** Creates a workspace, which the user owns. Throws Refusal if the slug is already used. */
export function addWorkspace(
  store: Store,
  given: JsonObject,
  at: { name: string; slug: string; organizationId: string; userId: string; now: Date },
): JsonObject {
  const { name, slug, organizationId, userId } = at;
  checkWorkspaceSlug(store, organizationId, slug);
  checkRoom(store, 'workspaces', userId);
  const id = randomUUID();
  const time = { created_at: at.now.toISOString(), updated_at: at.now.toISOString() };
  const workspace = {
    ...given,
    id,
    name,
    slug,
    organization_id: organizationId,
    inactive: booleanOf(given, 'inactive', false),
    telemetry_disabled: booleanOf(given, 'telemetry_disabled', false),
    verified: booleanOf(given, 'verified', true),
    ...time,
  };
  const settings = JSON.stringify({ workspace_id: id, webhook_url: '', ...time });
  const record = JSON.stringify(workspace);
  store.insert('workspaces', { id, organization_id: organizationId, slug, record, settings });
  addOwner(store, id, userId);
  return workspace;
}

export function checkWorkspaceSlug(store: Store, organizationId: string, slug: string): void {
  if (store.find('workspaces', { organization_id: organizationId, slug }))
    throw new Refusal(409, `the slug ${slug} is already used by another workspace of the organization`);
}

export const findWorkspace = (store: Store, id: string): JsonObject =>
  recordOf(orNotFound(store.find('workspaces', { id }), `workspace ${id} not found`));

const WORKSPACES = `SELECT record FROM workspaces WHERE id IN (${WORKSPACES_OF}) ORDER BY seq`;

export const workspacesOf = (store: Store, { userId, reach }: Caller): readonly JsonObject[] =>
  store.all(WORKSPACES, userId).map(recordOf).filter(isWithin(reach));

interface TokenOf extends Pick<Caller, 'workspaceId' | 'userId' | 'reach'> {
  readonly name: string;
  readonly now: Date;
  /** By default, a new one. */
  readonly key?: string | undefined;
}

/** Adds something that the caller has created to what the caller's token opens. */
export function extendReach(store: Store, { tokenId, reach }: Caller, id: unknown): void {
  if (tokenId && reach) store.insert('token_reach', { token_id: tokenId, opens: String(id) });
}

/** Creates a workspace token and returns its key. Call it in a transaction. */
export function addToken(
  store: Store,
  given: JsonObject,
  { name, workspaceId, userId, reach = [], now, key = `dtp_${randomBytes(32).toString('hex')}` }: TokenOf,
) {
  checkRoom(store, 'tokens', workspaceId);
  const id = randomUUID();
  const user = findUser(store, userId);
  const token = {
    ...given,
    id,
    name,
    workspace_id: workspaceId,
    alg: 'HS256',
    key,
    last_used: null,
    created_at: now.toISOString(),
    created_by: userId,
    created_by_name: user.display_name,
    created_by_photo_url: user.photo_url,
    email: user.email,
  };
  const record = JSON.stringify(token);
  store.insert('workspace_tokens', { id, workspace_id: workspaceId, key, created_by: userId, record });
  for (const opens of reach) store.insert('token_reach', { token_id: id, opens });
  return key;
}

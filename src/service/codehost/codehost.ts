/** Stores the state of the code host integration: linked organizations and repository settings. */
import { attempt } from '../../caught.ts';
import { Refusal, type Scope } from '../handler.ts';
import { fieldsOf, type JsonObject } from '../http/fields.ts';

type Setting = 'target' | 'docsite' | 'code-samples';

/** Reads the repository owner or top-level group from a CI run's OIDC token (RFC 7519). Throws Refusal without both. */
export function ownerOf(token: string): string {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token)?.[1] ?? '';
  const { repository_owner, namespace_path } = claimsOf(payload);
  const owner = repository_owner ?? String(namespace_path ?? '').split('/')[0];
  if (typeof owner === 'string' && owner !== '') return owner;
  // The token is a secret, so the message does not repeat it.
  throw new Refusal(422, 'codehost_oidc_token must be a JSON Web Token with a repository_owner or namespace_path');
}

const claimsOf = (payload: string): JsonObject =>
  attempt(() => fieldsOf(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))), {});

/** Links a code host organization to the caller's workspace. An empty `org` links every organization. */
export function link({ store, caller, now }: Scope, org: string, record: JsonObject): void {
  const linked = JSON.stringify({ ...record, linked_at: now().toISOString() });
  store.insert('codehost_links', { workspace_id: caller.workspaceId, org, record: linked }, 'replace');
}

export const isLinked = ({ store, caller }: Scope, org: string): boolean =>
  store.get("SELECT org FROM codehost_links WHERE workspace_id = ? AND org IN (?, '')", caller.workspaceId, org) !==
  undefined;

export interface RepositoryRef {
  readonly org: string;
  readonly repo: string;
  readonly target?: string;
}

/** Throws Refusal unless both names can be a single segment of a URL path, as code hosts require. */
export function checkCodehostNames(org: string, repo: string): void {
  for (const [field, name] of Object.entries({ org, repo }))
    if (!/^[\w.-]+$/.test(name) || /^\.+$/.test(name))
      throw new Refusal(422, `${field} must be the name of an owner or a repository, not ${JSON.stringify(name)}`);
}

export function storeSetting(
  { store, caller }: Scope,
  { org, repo, target = '' }: RepositoryRef,
  kind: Setting,
  record: JsonObject,
): void {
  const key = { workspace_id: caller.workspaceId, org, repo, kind, target };
  store.insert('codehost_settings', { ...key, record: JSON.stringify(record) }, 'replace');
}

export function setting({ store, caller }: Scope, org: string, repo: string, kind: Setting): JsonObject | undefined {
  const row = store.find('codehost_settings', { workspace_id: caller.workspaceId, org, repo, kind });
  return row && JSON.parse(String(row.record));
}

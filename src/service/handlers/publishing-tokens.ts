/** Handles the operations of the Publishing tokens area. */
import { randomBytes, randomUUID } from 'node:crypto';
import type * as area from '../../operations/publishing-tokens.ts';
import { checkRoom } from '../data/room.ts';
import { type Caller, type Handlers, type IdsOf, orNotFound, Refusal, replyWith, type Scope } from '../handler.ts';
import { type JsonObject, normalizeTime } from '../http/fields.ts';
import { KnownRefusal } from '../refusal.ts';
import { findUser, recordOf } from '../tenancy/tenants.ts';

/** Finds a publishing token in any workspace. Throws Refusal if it does not exist. */
const findAnyToken = ({ store }: Scope, id: string): JsonObject =>
  recordOf(orNotFound(store.find('publishing_tokens', { id }), `publishing token ${id} not found`));

function findToken(scope: Scope, id: string): JsonObject {
  const token = findAnyToken(scope, id);
  if (token.workspace_id !== scope.caller.workspaceId)
    throw new Refusal(403, `publishing token ${id} belongs to another workspace`);
  return token;
}

/** Returns the token without its secret if the caller only knows the id of the workspace. */
const shownTo = ({ isAnonymous }: Caller, token: JsonObject): JsonObject =>
  isAnonymous ? { ...token, token: '' } : token;

/** Returns the expiration time in a request. Throws Refusal unless it is in the future. */
function futureTime(value: unknown, { now }: Scope): string {
  const time = normalizeTime(value, 'valid_until');
  if (Date.parse(time) <= now().getTime()) throw new Refusal(422, `valid_until must be in the future, not ${time}`);
  return time;
}

/** Throws Refusal if the token has expired. Only the requests that a publisher sends need this check. */
function checkValid(token: JsonObject, scope: Scope): JsonObject {
  if (Date.parse(String(token.valid_until)) <= scope.now().getTime())
    throw new KnownRefusal(401, `publishing token ${token.id} expired at ${token.valid_until}`);
  return token;
}

const fixed = [
  'id',
  'token',
  'target_id',
  'target_resource',
  'created_at',
  'created_by',
  'created_by_name',
  'organization_id',
  'workspace_id',
] as const;

export const publishingTokens = {
  getPublishingToken: (_, { store, caller }) => {
    const rows = store.list('publishing_tokens', { workspace_id: caller.workspaceId }, 'seq');
    return rows.map((row) => shownTo(caller, recordOf(row)));
  },

  createPublishingToken: (input, scope) => {
    const { store, caller, now } = scope;
    const time = now().toISOString();
    const token = {
      ...input,
      id: randomUUID(),
      token: `dtp_publish_${randomBytes(32).toString('hex')}`,
      valid_until: futureTime(input.valid_until, scope),
      created_at: time,
      updated_at: time,
      created_by: caller.userId,
      // The token stays when its maker leaves, and then the id alone no longer says who that was.
      created_by_name: findUser(store, caller.userId).display_name,
      updated_by: caller.userId,
      organization_id: caller.organizationId,
      workspace_id: caller.workspaceId,
    };
    const { id, workspace_id } = token;
    checkRoom(store, 'publishing', workspace_id);
    store.insert('publishing_tokens', { id, workspace_id, record: JSON.stringify(token) });
    return token;
  },

  getPublishingTokenByID: ({ tokenID }, scope) => shownTo(scope.caller, findToken(scope, tokenID)),

  updatePublishingTokenExpiration: ({ tokenID, ...change }, scope) =>
    scope.store.transaction(() => {
      const before = findToken(scope, tokenID);
      const after = {
        ...before,
        ...change,
        ...Object.fromEntries(fixed.map((name) => [name, before[name]])),
        valid_until: futureTime(change.valid_until, scope),
        token_name: change.token_name || before.token_name,
        updated_at: scope.now().toISOString(),
        updated_by: scope.caller.userId,
      };
      scope.store.update('publishing_tokens', { id: tokenID }, { record: JSON.stringify(after) });
      return replyWith(200, {});
    }),

  deletePublishingToken: ({ tokenID }, scope) => {
    findToken(scope, tokenID);
    scope.store.delete('publishing_tokens', { id: tokenID });
    return replyWith(200, {});
  },

  getPublishingTokenTargetByID: ({ tokenID }, scope) => {
    const { target_id } = checkValid(findToken(scope, tokenID), scope);
    return replyWith(200, { 'content-type': 'text/plain; charset=utf-8' }, String(target_id));
  },

  // This metadata is public, so callers from all workspaces may read it.
  getPublishingTokenPublicMetadata: ({ tokenID }, scope) => {
    const token = checkValid(findAnyToken(scope, tokenID), scope);
    const { target_id, target_resource, workspace_id, organization_id, valid_until } = token;
    return { target_id, target_resource, workspace_id, organization_id, valid_until };
  },
} satisfies Handlers<IdsOf<typeof area>>;

/** The handlers of the Publishing tokens area. */
import { randomBytes, randomUUID } from 'node:crypto';
import type * as area from '../../operations/publishing-tokens.ts';
import { type Handlers, type IdsOf, Refusal, replyWith, type Scope } from '../handler.ts';
import { type JsonObject, normalizeTime } from '../http/fields.ts';
import { recordOf } from '../tenancy/tenants.ts';

function findToken({ store, caller }: Scope, id: string): JsonObject {
  const row = store.get('SELECT workspace_id, record FROM publishing_tokens WHERE id = ?', id);
  if (!row) throw new Refusal(404, `publishing token ${id} not found`);
  if (row.workspace_id !== caller.workspaceId)
    throw new Refusal(403, `publishing token ${id} belongs to another workspace`);
  return recordOf(row);
}

/** Finds a token and refuses an expired one, for requests that a publisher makes with the token. */
function findValid(scope: Scope, id: string): JsonObject {
  const token = findToken(scope, id);
  if (Date.parse(String(token.valid_until)) <= scope.now().getTime())
    throw new Refusal(401, `publishing token ${id} expired at ${token.valid_until}`);
  return token;
}

/** Fields that an update cannot change. */
const fixed = [
  'id',
  'token',
  'target_id',
  'target_resource',
  'created_at',
  'created_by',
  'organization_id',
  'workspace_id',
] as const;

export const publishingTokens = {
  getPublishingToken: (_, { store, caller }) =>
    store
      .all('SELECT record FROM publishing_tokens WHERE workspace_id = ? ORDER BY seq', caller.workspaceId)
      .map(recordOf),

  createPublishingToken: (input, { store, caller, now }) => {
    const time = now().toISOString();
    const token = {
      ...input,
      id: randomUUID(),
      token: `dtp_publish_${randomBytes(32).toString('hex')}`,
      valid_until: normalizeTime(input.valid_until, 'valid_until'),
      created_at: time,
      updated_at: time,
      created_by: caller.userId,
      updated_by: caller.userId,
      organization_id: caller.organizationId,
      workspace_id: caller.workspaceId,
    };
    store.run(
      'INSERT INTO publishing_tokens (id, workspace_id, record) VALUES (?, ?, ?)',
      token.id,
      token.workspace_id,
      JSON.stringify(token),
    );
    return token;
  },

  getPublishingTokenByID: ({ tokenID }, scope) => findToken(scope, tokenID),

  updatePublishingTokenExpiration: ({ tokenID, ...change }, scope) =>
    scope.store.transaction(() => {
      const before = findToken(scope, tokenID);
      const after = {
        ...before,
        ...change,
        ...Object.fromEntries(fixed.map((name) => [name, before[name]])),
        valid_until: normalizeTime(change.valid_until, 'valid_until'),
        token_name: change.token_name || before.token_name,
        updated_at: scope.now().toISOString(),
        updated_by: scope.caller.userId,
      };
      scope.store.run('UPDATE publishing_tokens SET record = ? WHERE id = ?', JSON.stringify(after), tokenID);
      return replyWith(200, {});
    }),

  deletePublishingToken: ({ tokenID }, scope) => {
    findToken(scope, tokenID);
    scope.store.run('DELETE FROM publishing_tokens WHERE id = ?', tokenID);
    return replyWith(200, {});
  },

  getPublishingTokenTargetByID: ({ tokenID }, scope) => {
    const { target_id } = findValid(scope, tokenID);
    return replyWith(200, { 'content-type': 'text/plain; charset=utf-8' }, String(target_id));
  },

  getPublishingTokenPublicMetadata: ({ tokenID }, scope) => {
    const { target_id, target_resource, workspace_id, organization_id, valid_until } = findValid(
      scope,
      tokenID,
    );
    return { target_id, target_resource, workspace_id, organization_id, valid_until };
  },
} satisfies Handlers<IdsOf<typeof area>>;

/** Handles the operations of the Schema store and short URLs area, and redirects short URLs. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type * as area from '../../operations/schema-store.ts';
import { readAll } from '../../request/http.ts';
import { appendContent, DOCUMENT_LIMIT, readContent } from '../data/contents.ts';
import { storeNames } from '../documents/stored-names.ts';
import { type Handlers, type IdsOf, type OpenScope, orNotFound, Refusal, type Reply, replyWith } from '../handler.ts';
import { recordOf } from '../tenancy/tenants.ts';
import { reportOfUrl, signAgain } from './reports.ts';

/** Parses the target of a short URL. Undefined if the target is not allowed, such as a `javascript:` URL. */
function parseUrl(url: string): URL | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed && ['http:', 'https:', 'local:'].includes(parsed.protocol) ? parsed : undefined;
}

/** Serves `/s/{code}`. Each redirect signs the URL of a report again, so a short URL lives as long as the report. */
export function followShortUrl(path: string, scope: OpenScope): Reply {
  const row = scope.store.find('short_urls', { code: path.slice('/s/'.length) });
  const url = row && parseUrl(String(row.url));
  if (!url) throw new Refusal(404, `short URL ${path} not found`);
  const location = signAgain(url, String(row.workspace_id), scope) ?? url.href;
  return replyWith(302, { location, 'cache-control': 'no-store' });
}

export const schemaStore = {
  // Everyone may read the schema store, so it also returns items of other workspaces.
  getSchemaStoreItem: async ({ id }, { store }) => {
    if (!id) throw new Refusal(400, 'id is required');
    const item = recordOf(orNotFound(store.find('schema_store', { id }), `the schema store has no item ${id}`));
    return {
      ...item,
      spec: item.spec ?? Buffer.from((await readAll(readContent(store, id), DOCUMENT_LIMIT)) ?? []).toString(),
    };
  },

  createSchemaStoreItem: async (input, { store, caller, worker, now, share }) => {
    await worker.run({ make: 'check', name: 'spec', format: input.format }, input.spec);
    await share.turn();
    const item = { ...input, id: randomUUID(), created_at: now().toISOString() };
    // A database server stores rows of up to 5 MB only.
    const isLarge = item.spec.length > 1_000_000;
    if (isLarge) await appendContent(store, item.id, Readable.from([Buffer.from(item.spec)]));
    const record = JSON.stringify({ ...item, ...(isLarge && { spec: undefined }) });
    store.insert('schema_store', { id: item.id, record });
    storeNames(store, caller.workspaceId, item);
    return item;
  },

  create: ({ url }, scope) => {
    const { store, caller, base } = scope;
    const parsed = parseUrl(url);
    if (!parsed) throw new Refusal(422, 'url must be an http, https or local URL');
    // Clients read no longer `Location`.
    const isLong = Math.max(url.length, parsed.href.length) > 8192;
    if (isLong) throw new Refusal(422, 'url must have at most 8192 characters, percent-encoded');
    // Refuse an expired report URL here, because its short URL would make the report accessible again.
    reportOfUrl(parsed, scope);
    const own = { workspace_id: caller.workspaceId, url };
    store.insert('short_urls', { code: randomBytes(12).toString('base64url'), ...own }, 'ignore');
    const row = store.find('short_urls', own);
    if (!row) throw new Error('the generated code belongs to another URL');
    return { short_url: `${base}/s/${row.code}`, full_url: url };
  },
} satisfies Handlers<IdsOf<typeof area>>;

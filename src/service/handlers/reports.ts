/** The handlers of the Reports area, which return signed URLs, and the handler of those URLs. */
import { createHash } from 'node:crypto';
import type * as area from '../../operations/reports.ts';
import { dropContent, readContent, storeContent } from '../data/contents.ts';
import type { Row, Store } from '../data/store.ts';
import type { Handlers, IdsOf, OpenScope, Reply, Scope } from '../handler.ts';
import { Refusal, replyWith } from '../handler.ts';
import { isRecord } from '../http/fields.ts';
import { isSignature, sign } from '../tenancy/signature.ts';

const LIFETIME_SECONDS = 3600;
const types: readonly unknown[] = ['linting', 'changes'];

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);

const findReport = (store: Store, workspaceId: string, type: string, checksum: string): Row | undefined =>
  store.get(
    'SELECT content_id, size FROM reports WHERE workspace_id = ? AND type = ? AND checksum = ?',
    workspaceId,
    type,
    checksum,
  );

const signed = (workspaceId: string, type: string, checksum: string, expires: string): string =>
  [workspaceId, type, checksum, expires].join('\n');

function signedUrl(type: string, checksum: string, scope: Scope): { readonly url: string } {
  const { workspaceId } = scope.caller;
  const expires = String(seconds(scope.now()) + LIFETIME_SECONDS);
  const signature = sign(scope.store, 'report', signed(workspaceId, type, checksum, expires));
  const query = new URLSearchParams({ workspace: workspaceId, expires, signature });
  return { url: `${scope.base}/reports/${type}/${checksum}?${query}` };
}

function signedUrlOfStored(type: string, checksum: string, scope: Scope): { readonly url: string } {
  if (!findReport(scope.store, scope.caller.workspaceId, type, checksum))
    throw new Refusal(404, `no ${type} report with documentChecksum ${checksum}`);
  return signedUrl(type, checksum, scope);
}

/** Serves `/reports/{type}/{checksum}` to everyone with a signed URL. */
export function serveReport(path: string, query: URLSearchParams, scope: OpenScope): Reply {
  const [, type = '', checksum = ''] = /^\/reports\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  const workspaceId = query.get('workspace') ?? '';
  const expires = query.get('expires') ?? '';
  const text = signed(workspaceId, type, checksum, expires);
  if (!isSignature(scope.store, 'report', text, query.get('signature') ?? ''))
    throw new Refusal(403, 'the signature of this URL is invalid');
  if (Number(expires) <= seconds(scope.now())) throw new Refusal(403, 'this URL has expired');
  const report = findReport(scope.store, workspaceId, type, checksum);
  if (!report) throw new Refusal(404, `no ${type} report with documentChecksum ${checksum}`);
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(report.size),
    // A report is untrusted HTML: its scripts may run, but not with the origin of this service.
    'content-security-policy': 'sandbox allow-scripts',
    'x-content-type-options': 'nosniff',
  };
  return replyWith(200, headers, readContent(scope.store, String(report.content_id)));
}

export const reports = {
  uploadReport: async ({ data, file }, scope) => {
    if (!isRecord(data)) throw new Refusal(422, 'data must be a JSON object');
    const type = data.type ?? 'linting';
    if (!types.includes(type)) throw new Refusal(422, 'data.type must be linting or changes');
    const hash = createHash('md5');
    const { id, size } = await storeContent(scope.store, file.open(), (piece) => hash.update(piece));
    const checksum = hash.digest('hex');
    const added = scope.store.run(
      `INSERT OR IGNORE INTO reports (workspace_id, type, checksum, content_id, size, created_at, record)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      scope.caller.workspaceId,
      String(type),
      checksum,
      id,
      size,
      scope.now().toISOString(),
      JSON.stringify({ ...data, name: file.name }),
    );
    if (added === 0) dropContent(scope.store, id);
    return signedUrl(String(type), checksum, scope);
  },

  getLintingReportSignedUrl: ({ documentChecksum }, scope) =>
    signedUrlOfStored('linting', documentChecksum, scope),

  getChangesReportSignedUrl: ({ documentChecksum }, scope) =>
    signedUrlOfStored('changes', documentChecksum, scope),
} satisfies Handlers<IdsOf<typeof area>>;

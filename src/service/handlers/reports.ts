/** Handles the operations of the Reports area, which return signed URLs, and serves the reports at these URLs. */
import { createHash } from 'node:crypto';
import { attempt } from '../../caught.ts';
import type * as area from '../../operations/reports.ts';
import type { DatabaseRow } from '../data/columns.ts';
import { contentStart, dropContent, readContent, storeContent } from '../data/contents.ts';
import type { Store } from '../data/store.ts';
import type { Handlers, IdsOf, OpenScope, Reply, Scope } from '../handler.ts';
import { orNotFound, Refusal, replyWith } from '../handler.ts';
import { isRecord } from '../http/fields.ts';
import { isSameSecret, sign } from '../tenancy/signature.ts';

const LIFETIME_SECONDS = 3600;
const types: readonly unknown[] = ['linting', 'changes'];

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);

interface ReportRef {
  readonly workspaceId: string;
  readonly type: string;
  readonly checksum: string;
}

const findReport = (store: Store, { workspaceId, type, checksum }: ReportRef): DatabaseRow | undefined =>
  store.find('reports', { workspace_id: workspaceId, type, checksum });

const storedReport = (store: Store, ref: ReportRef): DatabaseRow =>
  orNotFound(findReport(store, ref), `no ${ref.type} report with documentChecksum ${ref.checksum}`);

const signed = (workspaceId: string, type: string, checksum: string, expires: string): string =>
  [workspaceId, type, checksum, expires].join('\n');

function urlOf({ workspaceId, type, checksum }: ReportRef, { store, now, base }: OpenScope): string {
  const expires = String(seconds(now()) + LIFETIME_SECONDS);
  const signature = sign(store, 'report', signed(workspaceId, type, checksum, expires));
  // Without the id of the workspace, because everyone who knows it may use the workspace.
  const query = new URLSearchParams({ expires, signature });
  return `${base}/reports/${type}/${checksum}?${query}`;
}

function signedUrlOfStored(type: string, checksum: string, scope: Scope): { readonly url: string } {
  const ref = { workspaceId: scope.caller.workspaceId, type, checksum };
  storedReport(scope.store, ref);
  return { url: urlOf(ref, scope) };
}

/** Reads the report and the expiration time from a URL. Undefined if this service has not signed the URL. */
function refOf(path: string, query: URLSearchParams, store: Store) {
  const [, type = '', checksum = ''] = /^\/reports\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  const expires = query.get('expires') ?? '';
  const signature = query.get('signature') ?? '';
  const workspaceId = store
    .list('reports', { checksum, type }, 'workspace_id')
    .map((row) => String(row.workspace_id))
    .find((id) => isSameSecret(sign(store, 'report', signed(id, type, checksum, expires)), signature));
  return workspaceId === undefined ? undefined : { workspaceId, type, checksum, expires: Number(expires) };
}

/** Returns the report of a URL, or undefined if this service has not signed it. Throws Refusal if it has expired. */
export function reportOfUrl(url: URL, { store, now }: OpenScope): ReportRef | undefined {
  const report = refOf(url.pathname, url.searchParams, store);
  if (report && report.expires <= seconds(now())) throw new Refusal(422, 'url has expired');
  return report;
}

/** Returns the URL with a new signature. Undefined unless the URL points to an existing report of this workspace. */
export function signAgain(url: URL, workspaceId: string, scope: OpenScope): string | undefined {
  const report = refOf(url.pathname, url.searchParams, scope.store);
  if (report?.workspaceId !== workspaceId) return undefined;
  return findReport(scope.store, report) && urlOf(report, scope);
}

/** Reports are not trusted. Scripts in an HTML report may run, but not with the origin of this service. */
const SANDBOX = { html: 'sandbox allow-scripts', other: 'sandbox' } as const;

/** Returns the content type of a report. A small report that starts like JSON but does not parse is plain text. */
function typeOf(start: Buffer, isWhole: boolean): string {
  const text = start
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text === '' || text.startsWith('<')) return 'text/html; charset=utf-8';
  if (!/^[{[]/.test(text)) return start.includes(0) ? 'application/octet-stream' : 'text/plain; charset=utf-8';
  return !isWhole || isJson(text) ? 'application/json' : 'text/plain; charset=utf-8';
}

const isJson = (text: string): boolean => attempt(() => JSON.parse(text) !== undefined, false);

/** Serves `/reports/{type}/{checksum}` to everyone with a signed URL. */
export function serveReport(path: string, query: URLSearchParams, scope: OpenScope): Reply {
  const ref = refOf(path, query, scope.store);
  if (!ref) throw new Refusal(403, 'the signature of this URL is invalid');
  if (ref.expires <= seconds(scope.now())) throw new Refusal(403, 'this URL has expired');
  const report = storedReport(scope.store, ref);
  const start = contentStart(scope.store, String(report.content_id));
  const type = typeOf(start, start.byteLength === Number(report.size));
  const headers = {
    'content-type': type,
    'content-length': String(report.size),
    'content-security-policy': type.startsWith('text/html') ? SANDBOX.html : SANDBOX.other,
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
    const key = { workspace_id: scope.caller.workspaceId, type: String(type), checksum };
    const about = { created_at: scope.now().toISOString(), record: JSON.stringify({ ...data, name: file.name }) };
    const added = scope.store.insert('reports', { ...key, content_id: id, size, ...about }, 'ignore');
    if (added === 0) dropContent(scope.store, id);
    return { url: urlOf({ workspaceId: scope.caller.workspaceId, type: String(type), checksum }, scope) };
  },

  getLintingReportSignedUrl: ({ documentChecksum }, scope) => signedUrlOfStored('linting', documentChecksum, scope),

  getChangesReportSignedUrl: ({ documentChecksum }, scope) => signedUrlOfStored('changes', documentChecksum, scope),
} satisfies Handlers<IdsOf<typeof area>>;

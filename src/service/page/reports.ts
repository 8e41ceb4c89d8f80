/** The views of reports: the newest ones, and one of them as a browser shows it. */
import type { HttpResponse } from '../../request/http.ts';
import { Refusal, type Reply, replyWith } from '../handler.ts';
import { splitUrl } from '../http/router.ts';
import { type Html, html } from './html.ts';
import { boxOf, detailView, linkTo, listView, type PageView, pathTo, secureHeaders, timeElement } from './layout.ts';
import { bytesOf, parsed, type Reading, readRecord } from './reading.ts';

/** The names of the report types in the views. */
const names: Readonly<Record<string, string>> = { linting: 'lint report', changes: 'change report' };

const NEWEST = `SELECT type, checksum, size, created_at, substr(record ->> '$.name', 1, 300) AS name FROM reports
  WHERE workspace_id = ? ORDER BY created_at DESC, rowid DESC LIMIT 100`;

export function reportsView({ scope, viewer, showing }: Reading): PageView {
  const rows = scope.store.all(NEWEST, viewer.caller.workspaceId).map((row) => {
    const [type, checksum] = [String(row.type), String(row.checksum)];
    return [
      linkTo(['reports', type, checksum], String(row.name || checksum)),
      names[type] ?? type,
      timeElement(row.created_at),
      showing.size(Number(row.size)),
    ];
  });
  const empty = html`No reports yet. Upload one: <code>dtp reports upload FILE</code>`;
  return listView({ label: 'Reports', columns: ['File', 'Type', 'Uploaded'], lesser: ['Size'], rows, empty });
}

/** Returns a link to the report that an event names, or only its digest if the report was not uploaded here. */
export function reportLink({ scope, viewer }: Reading, type: string, digest?: string): Html | string | undefined {
  const checksum = digest?.split(':').at(-1);
  if (checksum === undefined) return undefined;
  const row = scope.store.find('reports', { workspace_id: viewer.caller.workspaceId, type, checksum });
  if (!row) return digest;
  return linkTo(['reports', type, checksum], String(JSON.parse(String(row.record)).name || checksum));
}

export async function reportView(reading: Reading, [type = '', checksum = '']: readonly string[]): Promise<PageView> {
  const response = await openReport(reading, type, checksum);
  const kind = response.headers['content-type'] ?? '';
  const shown = kind.startsWith('text/html')
    ? html`<p class="note">Scripts of the report do not run here.</p>
<iframe sandbox src="${pathTo('reports', type, checksum, 'content')}" title="The report"></iframe>`
    : boxOf('Content', await contentOf(response, kind), `dtp reports ${type}-url ${checksum} --download FILE`);
  const size = reading.showing.size(Number(response.headers['content-length']));
  return detailView('Report', { Type: names[type], Size: size, Checksum: checksum }, shown);
}

/** The content as text or as a value of JSON. Only the start is shown, so a very large report is not read. */
async function contentOf(response: HttpResponse, kind: string): Promise<unknown> {
  if (kind === 'application/octet-stream') return 'This report is not text.';
  if (Number(response.headers['content-length']) > 2 ** 20)
    return 'This report is too large to show. Download it with dtp.';
  const bytes = await bytesOf(response);
  const value = kind === 'application/json' ? parsed(bytes) : undefined;
  return typeof value === 'object' ? value : bytes.toString();
}

/** Opens a report by the URL that its operation signs. */
async function openReport({ get }: Reading, type: string, checksum: string): Promise<HttpResponse> {
  if (!Object.hasOwn(names, type)) throw new Refusal(404, 'no report of your workspace has this checksum');
  const { url } = await readRecord(await get(`/v1/reports/${type}/${encodeURIComponent(checksum)}`));
  const { path, query } = splitUrl(String(url));
  return get(path, Object.fromEntries(new URLSearchParams(query)));
}

/** A report runs no script and loads nothing. It has no origin, so it can read neither the page nor the service. */
const REPORT_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; " +
  "base-uri 'none'; frame-ancestors 'self'";

export async function reportContent(reading: Reading, type: string, checksum: string): Promise<Reply> {
  const { body, headers } = await openReport(reading, type, checksum);
  const kind = headers['content-type'] ?? '';
  const safe = kind.startsWith('text/html') ? kind : 'text/plain; charset=utf-8';
  const framed = { 'content-security-policy': REPORT_POLICY, 'x-frame-options': 'SAMEORIGIN' };
  return replyWith(200, { ...secureHeaders, ...framed, 'content-type': safe }, body);
}

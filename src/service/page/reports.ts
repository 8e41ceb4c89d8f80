/** The views of reports: the newest ones, and one of them as a browser shows it. */
import { newestReports } from '../data/activity.ts';
import { Refusal, type Reply, replyWith } from '../handler.ts';
import { isRecord } from '../http/fields.ts';
import { splitUrl } from '../http/router.ts';
import { html } from './html.ts';
import {
  boxOf,
  factsOf,
  linkTo,
  type PageView,
  pathTo,
  secureHeaders,
  sizeWords,
  tableOf,
  timeElement,
} from './layout.ts';
import { bytesOf, jsonOf, parsed, type Reading } from './reading.ts';

const ROWS = 100;

/** What people call the types. */
const names: Readonly<Record<string, string>> = { linting: 'lint report', changes: 'change report' };

export function reportsView({ scope, viewer }: Reading): PageView {
  const rows = newestReports(scope.store, viewer.caller.workspaceId, ROWS).map(
    ({ type, checksum, name, size, createdAt }) => [
      linkTo(['reports', type, checksum], name || checksum),
      names[type] ?? type,
      timeElement(new Date(createdAt)),
      sizeWords(size),
    ],
  );
  return {
    title: 'Reports',
    isLive: true,
    content: tableOf(
      'Reports',
      { columns: ['File', 'Type', 'Uploaded'], lesser: ['Size'] },
      rows,
      html`No reports yet. Upload one: <code>dtp reports upload FILE</code>`,
    ),
  };
}

export async function reportView(reading: Reading, type: string, checksum: string): Promise<PageView> {
  const response = await contentOf(reading, type, checksum);
  const kind = response.headers['content-type'] ?? '';
  const size = Number(response.headers['content-length']);
  const path = pathTo('reports', type, checksum, 'content');
  const shown = kind.startsWith('text/html')
    ? html`<p class="note">Scripts of the report do not run here.</p>
<iframe sandbox src="${path}" title="The report"></iframe>`
    : boxOf('Content', textOf(await bytesOf(response), kind));
  const content = html`${factsOf([
    ['Type', names[type] ?? type],
    ['Size', sizeWords(size)],
    ['Checksum', checksum],
  ])}
${shown}`;
  return { title: 'Report', content };
}

/** The content as a string. JSON is indented. */
function textOf(bytes: Buffer, kind: string): string {
  if (kind === 'application/octet-stream') return 'This report is not text.';
  const value = kind === 'application/json' ? parsed(bytes) : undefined;
  return value === undefined ? bytes.toString() : JSON.stringify(value, undefined, 2);
}

/** Opens a report by the URL that its operation signs. */
async function contentOf({ get }: Reading, type: string, checksum: string) {
  if (!Object.hasOwn(names, type)) throw new Refusal(404, 'no report of your workspace has this checksum');
  const signed = await jsonOf(await get(`/v1/reports/${type}/${encodeURIComponent(checksum)}`));
  const { path, query } = splitUrl(isRecord(signed) ? String(signed.url) : '');
  return get(path, Object.fromEntries(new URLSearchParams(query)));
}

/** No script runs, nothing is loaded, and the document has no origin, so that it can read neither page nor service. */
const REPORT_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; " +
  "base-uri 'none'; frame-ancestors 'self'";

/** The content of an HTML report, for the frame of its view. */
export async function reportContent(reading: Reading, type: string, checksum: string): Promise<Reply> {
  const { body, headers } = await contentOf(reading, type, checksum);
  const kind = headers['content-type'] ?? '';
  const safe = kind.startsWith('text/html') ? kind : 'text/plain; charset=utf-8';
  const framed = { 'content-security-policy': REPORT_POLICY, 'x-frame-options': 'SAMEORIGIN' };
  return replyWith(200, { ...secureHeaders, ...framed, 'content-type': safe }, body);
}

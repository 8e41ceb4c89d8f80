/** The views of the registry: its namespaces, the revisions of one, and the files of a revision. */
import { openArchive } from '../../documents/archive.ts';
import { shellWord } from '../../shell.ts';
import { isZip } from '../data/contents.ts';
import { Refusal } from '../handler.ts';
import { fieldsOf, isRecord, listOf } from '../http/fields.ts';
import { fullRepositoryName } from '../registry/publish.ts';
import { html, ROWS, shortened } from './html.ts';
import { boxOf, detailView, linkTo, listView, type PageView, tableOf, timeElement } from './layout.ts';
import { bytesOf, fieldText, type Reading, readRecord, readRecords } from './reading.ts';

/** The largest layer whose files are listed, in bytes. */
const LAYER_LIMIT = 16 * 1024 * 1024;

export async function registryView({ get }: Reading): Promise<PageView> {
  const namespaces = (await readRecords(await get('/v1/artifacts/namespaces'))).slice(0, ROWS);
  const rows = namespaces.map((one) => [
    linkTo(['registry', String(one.name)], String(one.name)),
    one.archived_at ? 'archived' : one.public ? 'public' : 'private',
    timeElement(one.updated_at ?? one.created_at),
  ]);
  const empty = html`No namespaces yet. Push a document: <code>dtp artifacts push FILE NAMESPACE:TAG</code>`;
  const whole = 'dtp artifacts namespaces list';
  const view = listView({ label: 'Namespaces', columns: ['Namespace', 'State', 'Updated'], rows, empty, whole });
  return { ...view, title: 'Registry' };
}

/** The command that downloads a revision. */
const pullOf = (reference: string): string => `dtp artifacts pull ${shellWord(reference, 'posix')}`;

export async function namespaceView({ get }: Reading, [namespace = '']: readonly string[]): Promise<PageView> {
  const path = `/v1/artifacts/namespaces/${encodeURIComponent(namespace)}`;
  const tags = await readRecords(await get(`${path}/tags`));
  const revisions = await readRecords(await get(`${path}/revisions`));
  const rows = revisions.map(({ digest, created_at }) => [
    linkTo(['registry', namespace, String(digest)], shortened(String(digest), 19)),
    tags.flatMap(({ name, revision_digest }) => (revision_digest === digest ? [name] : [])).join(', '),
    timeElement(created_at),
  ]);
  const columns = ['Revision', 'Tags', 'Created'];
  const newest = tags.find(({ name }) => name === 'latest') ?? tags[0];
  return {
    title: namespace,
    isLive: true,
    content: html`${newest && boxOf('Download it', pullOf(`${namespace}:${newest.name}`))}
${tableOf({ label: 'Revisions', columns, rows, empty: 'No revisions.' })}`,
  };
}

export async function revisionView(reading: Reading, [namespace = '', digest = '']: readonly string[]) {
  const { get, scope, showing, viewer } = reading;
  const name = fullRepositoryName(scope, { workspaceId: viewer.caller.workspaceId, namespace });
  const root = `/v2/${name.split('/').map(encodeURIComponent).join('/')}`;
  const response = await get(`${root}/manifests/${encodeURIComponent(digest)}`);
  const manifest = fieldsOf(showing.body(await readRecord(response)));
  const rows = await filesOf(reading, root, manifest.layers);
  const whole = pullOf(`${namespace}@${digest}`);
  return detailView(
    `${namespace}@${shortened(digest, 19)}`,
    { Digest: digest, Type: fieldText(manifest, 'artifactType') ?? fieldText(manifest, 'mediaType') },
    html`${boxOf('Download it', whole)}
<h2>Files</h2>
${tableOf({ label: 'Files', columns: ['File', 'Size'], rows, empty: 'This revision has no files.', whole })}
${boxOf('Manifest', manifest, `dtp artifacts manifests get ${shellWord(namespace, 'posix')} ${digest}`)}
<p>${linkTo(['registry', namespace], 'All revisions')}</p>`,
  );
}

type FileRow = readonly [name: string, size: string];

/** The first files of all layers. A layer that is not a bundle, or is too large to read, is one row. */
async function filesOf({ get, showing }: Reading, root: string, layers: unknown): Promise<readonly FileRow[]> {
  const rows: FileRow[] = [];
  for (const { digest, size, annotations } of listOf(layers).slice(0, ROWS).filter(isRecord)) {
    const name = fieldText(fieldsOf(annotations), 'org.opencontainers.image.title') ?? String(digest);
    const isLarge = Number(size) > LAYER_LIMIT;
    const blob = isLarge ? undefined : await bytesOf(await get(`${root}/blobs/${encodeURIComponent(String(digest))}`));
    if (blob && isZip(blob)) rows.push(...(await rowsOf(blob, showing.size)));
    else rows.push([name, showing.size(Number(size))]);
    if (rows.length >= ROWS) break;
  }
  return rows.slice(0, ROWS);
}

/** The first files of a bundle. Throws Refusal if it is damaged. */
async function rowsOf(blob: Buffer, sizeOf: (bytes: number) => string): Promise<readonly FileRow[]> {
  const rows: FileRow[] = [];
  let seen = 0;
  try {
    for await (const { name, size } of (await openArchive(blob)).entries()) {
      if (!name.endsWith('/')) rows.push([name, sizeOf(size)]);
      if (rows.length === ROWS || ++seen > 10 * ROWS) break;
    }
  } catch {
    throw new Refusal(422, 'the bundle is not a readable ZIP file');
  }
  return rows;
}

/** The views of the registry: its namespaces, the revisions of one, and the files of a revision. */
import { openArchive } from '../../documents/archive.ts';
import { fieldsOf } from '../../json-object.ts';
import { isZip } from '../data/contents.ts';
import { Refusal } from '../handler.ts';
import { isRecord, type JsonObject } from '../http/fields.ts';
import { fullRepositoryName } from '../registry/publish.ts';
import { type Html, html, shortened } from './html.ts';
import { boxOf, factsOf, linkTo, type PageView, sizeWords, tableOf, timeElement } from './layout.ts';
import { bytesOf, fieldText, jsonOf, type Reading, recordsOf } from './reading.ts';

const FILES_LIMIT = 500;

/** The largest layer whose files are listed, in bytes. */
const LAYER_LIMIT = 16 * 1024 * 1024;

export async function registryView({ get }: Reading): Promise<PageView> {
  const namespaces = await recordsOf(await get('/v1/artifacts/namespaces'));
  const rows = namespaces.map((one) => [
    linkTo(['registry', String(one.name)], String(one.name)),
    one.archived_at ? 'archived' : one.public ? 'public' : 'private',
    timeElement(new Date(String(one.updated_at ?? one.created_at))),
  ]);
  return {
    title: 'Registry',
    isLive: true,
    content: tableOf(
      'Namespaces',
      { columns: ['Namespace', 'State', 'Updated'] },
      rows,
      html`No namespaces yet. Push a document: <code>dtp artifacts push FILE NAMESPACE:TAG</code>`,
    ),
  };
}

const pathOf = (namespace: string, list: string): string =>
  `/v1/artifacts/namespaces/${encodeURIComponent(namespace)}/${list}`;

/** The command that downloads a revision. */
const pullOf = (reference: string): Html => boxOf('Download it', `dtp artifacts pull ${reference}`);

export async function namespaceView({ get }: Reading, namespace: string): Promise<PageView> {
  const tags = await recordsOf(await get(pathOf(namespace, 'tags')));
  const revisions = await recordsOf(await get(pathOf(namespace, 'revisions')));
  const tagsOf = (digest: string) =>
    tags.filter((tag) => tag.revision_digest === digest).map((tag) => String(tag.name));
  const rows = revisions.map((one) => {
    const digest = String(one.digest);
    return [
      linkTo(['registry', namespace, digest], shortened(digest, 19)),
      tagsOf(digest).join(', '),
      timeElement(new Date(String(one.created_at))),
    ];
  });
  const newest = tags.find(({ name }) => name === 'latest') ?? tags[0];
  return {
    title: namespace,
    isLive: true,
    content: html`${newest && pullOf(`${namespace}:${newest.name}`)}
${tableOf('Revisions', { columns: ['Revision', 'Tags', 'Created'] }, rows, 'No revisions.')}`,
  };
}

/** The root of a namespace in the distribution endpoint. */
function repositoryOf({ scope, viewer }: Reading, namespace: string): string {
  const name = fullRepositoryName(scope, { workspaceId: viewer.caller.workspaceId, namespace });
  return `/v2/${name.split('/').map(encodeURIComponent).join('/')}`;
}

export async function revisionView(reading: Reading, namespace: string, digest: string): Promise<PageView> {
  const root = repositoryOf(reading, namespace);
  const manifest = fieldsOf(
    reading.showing.body(await jsonOf(await reading.get(`${root}/manifests/${encodeURIComponent(digest)}`))),
  );
  const files = await filesOf(reading, root, manifest);
  const content = html`${factsOf([
    ['Digest', digest],
    ['Type', fieldText(manifest, 'artifactType') ?? fieldText(manifest, 'mediaType')],
  ])}
${pullOf(`${namespace}@${digest}`)}
<h2>Files</h2>
${tableOf('Files', { columns: ['File', 'Size'] }, files, 'This revision has no files.')}
${boxOf('Manifest', JSON.stringify(manifest, undefined, 2))}
<p>${linkTo(['registry', namespace], 'All revisions')}</p>`;
  return { title: `${namespace}@${shortened(digest, 19)}`, content };
}

type FileRow = readonly [name: string, size: string];

/** The files of all layers. A layer that is not a bundle, or is too large to read, is one row. */
async function filesOf({ get }: Reading, root: string, { layers }: JsonObject): Promise<readonly FileRow[]> {
  const rows: FileRow[] = [];
  for (const { digest, size, annotations } of Array.isArray(layers) ? layers.filter(isRecord) : []) {
    const name = fieldText(fieldsOf(annotations), 'org.opencontainers.image.title') ?? String(digest);
    const isLarge = Number(size) > LAYER_LIMIT;
    const blob = isLarge ? undefined : await bytesOf(await get(`${root}/blobs/${encodeURIComponent(String(digest))}`));
    if (blob && isZip(blob)) rows.push(...(await rowsOf(blob)));
    else rows.push([name, sizeWords(Number(size))]);
  }
  return rows;
}

/** The files of a bundle. Throws Refusal if it is damaged. */
async function rowsOf(blob: Buffer): Promise<readonly FileRow[]> {
  const rows: FileRow[] = [];
  try {
    for await (const { name, size } of (await openArchive(blob)).entries()) {
      if (!name.endsWith('/')) rows.push([name, sizeWords(size)]);
      if (rows.length === FILES_LIMIT) break;
    }
  } catch {
    throw new Refusal(422, 'the bundle is not a readable ZIP file');
  }
  return rows;
}

/** Pushes a document that the service has generated, with the same requests that OCI clients send. */
import { createHash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { bodyOfBytes, readAll } from '../../request/http.ts';
import { type OpenScope, Refusal, type Reply } from '../handler.ts';
import { creatorOf } from '../tenancy/members.ts';
import { distribution } from './distribution.ts';
import { MANIFEST_TYPE, type Repository } from './registry.ts';

export interface MadeDocument {
  /** The name of the file, such as `openapi.json`. */
  readonly name: string;
  readonly text: string;
  readonly tags: readonly string[];
}

const digestOf = (bytes: string | Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

const EMPTY = '{}';

/** Returns the full name of a repository: the slugs of the organization and the workspace, and the namespace. */
export function fullRepositoryName({ store }: Pick<OpenScope, 'store'>, { workspaceId, namespace }: Repository) {
  const sql = `SELECT organizations.slug AS organization, workspaces.slug AS workspace
    FROM workspaces JOIN organizations ON organizations.id = organization_id WHERE workspaces.id = ?`;
  const slugs = store.get(sql, workspaceId);
  return `${slugs?.organization}/${slugs?.workspace}/${namespace}`;
}

/** Pushes a document. Throws Refusal if the registry refuses it, for example because the namespace is archived. */
export async function publish(scope: OpenScope, repository: Repository, document: MadeDocument) {
  const layer = zipOf(document.name, document.text);
  const root = `/v2/${fullRepositoryName(scope, repository)}`;
  // The service pushes in the name of the organization's creator.
  const caller = creatorOf(scope.store, repository.workspaceId);
  const send = async (method: string, path: string, bytes: string | Uint8Array, type: string) => {
    const { pathname, searchParams } = new URL(path, 'local:/');
    const headers = { 'content-type': type, 'content-length': String(Buffer.byteLength(bytes)) };
    const request = { method, path: pathname, query: searchParams, headers, body: bodyOfBytes(Buffer.from(bytes)) };
    await checkReply(await distribution(request, { ...scope, caller, admit: () => scope }));
  };
  for (const blob of [EMPTY, layer])
    await send('POST', `${root}/blobs/uploads/?digest=${digestOf(blob)}`, blob, 'application/octet-stream');
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    artifactType: 'application/vnd.oai.openapi',
    config: { mediaType: 'application/vnd.oci.empty.v1+json', digest: digestOf(EMPTY), size: EMPTY.length },
    layers: [
      {
        mediaType: 'application/zip',
        digest: digestOf(layer),
        size: layer.byteLength,
        annotations: { 'org.opencontainers.image.title': 'bundle.zip' },
      },
    ],
  });
  for (const tag of document.tags) await send('PUT', `${root}/manifests/${tag}`, manifest, MANIFEST_TYPE);
  return { revision: digestOf(manifest), blob: digestOf(layer) };
}

async function checkReply({ status, body }: Reply): Promise<void> {
  if (status < 300) return;
  const bytes = body instanceof Uint8Array ? body : await readAll(body, 65_536);
  const { message }: { message?: string } = JSON.parse(Buffer.from(bytes ?? []).toString('utf8') || '{}');
  throw new Refusal(status, message ?? `the registry answered with status ${status}`);
}

const DEFLATED = 8;
/** Version 2.0 of the format, which supports compression. */
const VERSION = 20;
/** January 1, 1980, which is the earliest date in a ZIP file. */
const DATE = 0x21;
const UTF_8 = 0x0800;

/** Packs one file into a ZIP, as the registry stores documents. The same file always gives the same bytes. */
function zipOf(name: string, text: string): Buffer {
  const bytes = Buffer.from(text);
  const packed = deflateRawSync(bytes);
  const title = Buffer.from(name);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(VERSION, 0);
  shared.writeUInt16LE(UTF_8, 2);
  shared.writeUInt16LE(DEFLATED, 4);
  shared.writeUInt16LE(DATE, 8);
  shared.writeUInt32LE(crc32(bytes), 10);
  shared.writeUInt32LE(packed.byteLength, 14);
  shared.writeUInt32LE(bytes.byteLength, 18);
  shared.writeUInt16LE(title.byteLength, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), shared, title, packed]);
  const entry = Buffer.concat([
    Buffer.from('PK\u0001\u0002', 'latin1'),
    Buffer.from([VERSION, 0]),
    shared,
    Buffer.alloc(14),
    title,
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.byteLength, 12);
  end.writeUInt32LE(local.byteLength, 16);
  return Buffer.concat([local, entry, end]);
}

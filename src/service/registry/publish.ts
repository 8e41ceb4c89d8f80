/** Pushes a document that the service has generated, with the same requests that OCI clients send. */
import { createHash } from 'node:crypto';
import { readAll } from '../../request/http.ts';
import { type OpenScope, Refusal, type Reply } from '../handler.ts';
import { firstMember } from '../tenancy/members.ts';
import { distribution } from './distribution.ts';
import { MANIFEST_TYPE, type Repository } from './registry.ts';
import { zipOf } from './zip.ts';

export interface MadeDocument {
  /** The name of the file, such as `openapi.json`. */
  readonly name: string;
  readonly text: string;
  readonly tags: readonly string[];
}

export interface Published {
  /** The digest of the manifest. */
  readonly revision: string;
  /** The digest of the layer. */
  readonly blob: string;
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
export async function publish(scope: OpenScope, repository: Repository, document: MadeDocument): Promise<Published> {
  const layer = zipOf(document.name, document.text);
  const root = `/v2/${fullRepositoryName(scope, repository)}`;
  // The service pushes in the name of the first user.
  const caller = firstMember(scope.store, repository.workspaceId);
  const send = async (method: string, path: string, bytes: string | Uint8Array, type: string) => {
    const { pathname, searchParams } = new URL(path, 'local:/');
    const body = (async function* () {
      yield Buffer.from(bytes);
    })();
    const headers = { 'content-type': type, 'content-length': String(Buffer.byteLength(bytes)) };
    const request = { method, path: pathname, query: searchParams, headers, body };
    await checkReply(await distribution(request, { ...scope, caller }));
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

/** Pushes a document that the service has generated, with the same requests that OCI clients send. */
import { createHash } from 'node:crypto';
import { bodyOfBytes } from '../../request/http.ts';
import type { Document } from '../document-worker.ts';
import { type OpenScope, Refusal } from '../handler.ts';
import { creatorOf } from '../tenancy/members.ts';
import { answerRegistry } from './distribution.ts';
import { RegistryRefusal } from './refusals.ts';
import { MANIFEST_TYPE, type Repository } from './registry.ts';

const digestOf = (bytes: string | Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

const EMPTY = '{}';

/** Returns the full name of a repository: the slugs of the organization and the workspace, and the namespace. */
export function fullRepositoryName({ store }: Pick<OpenScope, 'store'>, { workspaceId, namespace }: Repository) {
  const sql = `SELECT organizations.slug AS organization, workspaces.slug AS workspace
    FROM workspaces JOIN organizations ON organizations.id = organization_id WHERE workspaces.id = ?`;
  const slugs = store.get(sql, workspaceId);
  return `${slugs?.organization}/${slugs?.workspace}/${namespace}`;
}

/**
 * Pushes a document as a file, such as `openapi.json`, with the tag `latest`, and returns its digest. Throws Refusal if
 * the registry refuses it, for example because the namespace is archived.
 */
export async function publish(scope: OpenScope, repository: Repository, name: string, text: Document): Promise<string> {
  const layer = await scope.worker.run({ make: 'bundle', name }, text);
  const root = `/v2/${fullRepositoryName(scope, repository)}`;
  // The service pushes in the name of the organization's creator.
  const caller = creatorOf(scope.store, repository.workspaceId);
  // The bytes are in memory already, and a request may publish many documents.
  const own = { ...scope, share: { ...scope.share, hold: () => undefined } };
  const send = async (method: string, path: string, bytes: string | Uint8Array, type: string) => {
    const { pathname, searchParams } = new URL(path, 'local:/');
    const headers = { 'content-type': type, 'content-length': String(Buffer.byteLength(bytes)) };
    const request = { method, path: pathname, query: searchParams, headers, body: bodyOfBytes(Buffer.from(bytes)) };
    await answerRegistry(request, { ...scope, caller, admit: () => own }).catch(withoutCode);
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
  await send('PUT', `${root}/manifests/latest`, manifest, MANIFEST_TYPE);
  return digestOf(manifest);
}

/** The code of a RegistryRefusal is not for the client, who has pushed nothing. */
function withoutCode(error: unknown): never {
  throw error instanceof RegistryRefusal ? new Refusal(error.status, error.message) : error;
}

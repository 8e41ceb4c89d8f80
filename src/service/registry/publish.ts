/** Pushes a document that the service has generated, with the same requests that OCI clients send. */
import { createHash } from 'node:crypto';
import { bodyOfBytes } from '../../request/http.ts';
import { type OpenScope, Refusal } from '../handler.ts';
import { creatorOf } from '../tenancy/members.ts';
import { answerRegistry } from './distribution.ts';
import { RegistryRefusal } from './refusals.ts';
import { MANIFEST_TYPE, type Repository } from './registry.ts';

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

const EMPTY = Buffer.from('{}');

/** Returns the full name of a repository: the slugs of the organization and the workspace, and the namespace. */
export function fullRepositoryName({ store }: Pick<OpenScope, 'store'>, { workspaceId, namespace }: Repository) {
  const sql = `SELECT organizations.slug AS organization, workspaces.slug AS workspace
    FROM workspaces JOIN organizations ON organizations.id = organization_id WHERE workspaces.id = ?`;
  const slugs = store.get(sql, workspaceId);
  return `${slugs?.organization}/${slugs?.workspace}/${namespace}`;
}

/**
 * Pushes a packed document with the tag `latest`, and returns its digest. Throws Refusal if the registry refuses it, for
 * example because the namespace is archived.
 */
export async function publish(scope: OpenScope, repository: Repository, layer: Uint8Array): Promise<string> {
  const root = `/v2/${fullRepositoryName(scope, repository)}`;
  // The service pushes in the name of the organization's creator.
  const caller = creatorOf(scope.store, repository.workspaceId);
  // A request may publish many documents, and several may wait for one, which goes on if one of them ends.
  const own = { ...scope, share: { ...scope.share, hold: () => undefined, turn: async () => undefined } };
  const send = async (method: string, path: string, bytes: Uint8Array, type: string) => {
    const { pathname, searchParams } = new URL(path, 'local:/');
    const headers = { 'content-type': type, 'content-length': String(bytes.byteLength) };
    const request = { method, path: pathname, query: searchParams, headers, body: bodyOfBytes(bytes) };
    await answerRegistry(request, { ...scope, caller, admit: () => own }).catch(withoutCode);
  };
  const pushed = async (mediaType: string, blob: Uint8Array) => {
    const digest = digestOf(blob);
    await send('POST', `${root}/blobs/uploads/?digest=${digest}`, blob, 'application/octet-stream');
    return { mediaType, digest, size: blob.byteLength };
  };
  const config = await pushed('application/vnd.oci.empty.v1+json', EMPTY);
  const bundle = await pushed('application/zip', layer);
  const content = {
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    artifactType: 'application/vnd.oai.openapi',
    config,
    layers: [{ ...bundle, annotations: { 'org.opencontainers.image.title': 'bundle.zip' } }],
  };
  const manifest = Buffer.from(JSON.stringify(content));
  await send('PUT', `${root}/manifests/latest`, manifest, MANIFEST_TYPE);
  return digestOf(manifest);
}

/** The code of a RegistryRefusal is not for the client, who has pushed nothing. */
function withoutCode(error: unknown): never {
  throw error instanceof RegistryRefusal ? new Refusal(error.status, error.message) : error;
}

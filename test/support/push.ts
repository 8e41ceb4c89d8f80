/** The requests by which any OCI client pushes a document: an empty configuration, its layer, a manifest. */
import { createHash } from 'node:crypto';

const type = 'application/vnd.oci.image.manifest.v1+json';

/** Pushes `text` as the tag `v1` of `repository` (org/workspace/namespace). Returns the manifest's digest. */
export async function push(
  { address, key }: { readonly address: string; readonly key: string },
  repository: string,
  text: string,
): Promise<string> {
  const send = async (path: string, method: string, body: string, headers: Record<string, string> = {}) => {
    const url = `${address}/v1/oci/v2/${repository}/${path}`;
    const response = await fetch(url, { method, body, headers: { 'x-api-key': key, ...headers } });
    if (response.status !== 201) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const blob = async (content: string) => {
    const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
    await send(`blobs/uploads/?digest=${digest}`, 'POST', content, {
      'content-type': 'application/octet-stream',
    });
    return { digest, size: Buffer.byteLength(content) };
  };
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: type,
    config: { mediaType: 'application/vnd.oci.empty.v1+json', ...(await blob('{}')) },
    layers: [{ mediaType: 'application/yaml', ...(await blob(text)) }],
  });
  await send('manifests/v1', 'PUT', manifest, { 'content-type': type });
  return `sha256:${createHash('sha256').update(manifest).digest('hex')}`;
}

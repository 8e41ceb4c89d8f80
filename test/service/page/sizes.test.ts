/** However much a workspace has stored, each view is small, and shows that it is cut. */
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { form, md5 } from '../../support/every-request.ts';
import { addRows, digestOf } from '../../support/large-data.ts';
import { type ServedPage, servedPage } from '../../support/page-service.ts';

/** In bytes. */
const MOST = 1_600_000;
const long = (size: number, start = '') => start + '<'.repeat(size);

let service: ServedPage;
beforeAll(async () => {
  service = await servedPage();
});
afterAll(() => service.close());

const made = async (method: string, path: string, sent: Parameters<ServedPage['call']>[2]) => {
  const answer = await service.call(method, path, sent);
  expect([path, answer.status < 300, answer.text.slice(0, 300)]).toEqual([path, true, answer.text.slice(0, 300)]);
  return answer;
};
const seen = async (path: string) => {
  const { status, text } = await service.see(path);
  expect([status, Buffer.byteLength(text) < MOST, Buffer.byteLength(text)]).toEqual([200, true, expect.any(Number)]);
  return text;
};

const registry = '/v2/local/default/large';
const type = { 'content-type': 'application/vnd.oci.image.manifest.v1+json' };
const pushed = async (blobs: readonly Uint8Array[], manifest: object) => {
  for (const body of blobs)
    await made('POST', `${registry}/blobs/uploads/?digest=${digestOf(body)}`, {
      body,
      headers: { 'content-type': 'application/octet-stream' },
    });
  const body = JSON.stringify({ schemaVersion: 2, ...manifest });
  await made('PUT', `${registry}/manifests/v1`, { body, headers: type });
  return seen(`/-/registry/large/${digestOf(body)}`);
};

describe('a revision', () => {
  const small = Buffer.from('{}');
  const titled = (size: number, digest = digestOf(small)) => ({
    ...{ mediaType: 'a/b', digest },
    annotations: { 'org.opencontainers.image.title': long(size) },
  });
  const zip = zipSync(Object.fromEntries(Array.from({ length: 400 }, (_, at) => [long(300, `${at}`), small])));
  const nested = (depth: number): unknown =>
    depth === 0 ? Array.from({ length: 50_000 }, () => 1) : [nested(depth - 1)];

  test.each<readonly [string, readonly Uint8Array[], object]>([
    ['with 4,000 layers of long names', [small], { layers: Array.from({ length: 4000 }, () => titled(800)) }],
    ['with a bundle in 1,000 layers', [zip], { layers: Array.from({ length: 1000 }, () => titled(9, digestOf(zip))) }],
    ['with a long annotation', [], { layers: [], annotations: { note: long(4_000_000) } }],
    ['with a long type', [], { layers: [], artifactType: long(4_000_000) }],
    ['with a deep annotation', [], { layers: [], annotations: nested(400) }],
  ])('%s', async (_, blobs, manifest) => {
    const text = await pushed(blobs, manifest);
    expect(text).toContain('This is the start. For all, run <code>dtp artifacts manifests get large sha256:');
    if (blobs.length > 0) expect(text).toContain('These are the first 500. For all, run <code>dtp artifacts pull ');
    expect(text.match(/<tr>/g)?.length ?? 0).toBe(blobs.length > 0 ? 501 : 0);
  });
});

test('a list of namespaces', async () => {
  addRows(
    service.store,
    'namespaces',
    { workspace_id: '?1', name: `'n' || i`, id: `'n' || i`, created_at: `''`, updated_at: `''` },
    600,
  );
  expect(await seen('/-/registry')).toContain(
    'These are the first 500. For all, run <code>dtp artifacts namespaces list',
  );
});

test('events and runs', async () => {
  const fields = ['interaction_type', 'error', 'execution_id', 'generate_gen_lock_id', 'generate_target_name'];
  const more = ['gh_action_organization', 'gh_action_repository', 'lint_report_digest', 'source_namespace_name'];
  const events = Array.from({ length: 20 }, (_, at) => ({
    ...{ id: long(300, `large-${at}`), success: false },
    ...Object.fromEntries([...fields, ...more].map((name) => [name, long(50_000, `${at}`)])),
  }));
  const same = Array.from({ length: 500 }, (_, at) => ({
    id: `e-${at}'${"'".repeat(400)}`,
    execution_id: 'r',
    error: long(500),
  }));
  for (const json of [events, same]) await made('POST', `/v1/workspace/${service.workspaceId}/events`, { json });
  for (const path of ['', 'runs', 'runs/r', `events/${encodeURIComponent(events[0]?.id ?? '')}`])
    await seen(`/-/${path}`);
});

test('reports', async () => {
  for (const content of [
    `text ${long(2_000_000)}`,
    JSON.stringify(long(500_000)),
    '['.repeat(100_000) + ']'.repeat(100_000),
  ]) {
    const data = JSON.stringify({ type: 'linting', name: long(100_000) });
    await made('POST', '/v1/reports', form({ data }, ['file', content]));
    expect(await seen(`/-/reports/linting/${md5(content)}`)).toMatch(/This is the start\.|too large to show/);
  }
  await seen('/-/reports');
});

test('requests', async () => {
  const body = '['.repeat(8000) + ']'.repeat(8000);
  const path = `/v1/workspace/${service.workspaceId}/events?x=${"'".repeat(2500)}`;
  await service.call('POST', path, {
    body,
    headers: { 'content-type': 'application/json', 'x-long': '<'.repeat(2500) },
  });
  const list = await seen('/-/requests');
  await seen(/\/-\/requests\/\d+/.exec(list)?.[0] ?? '');
});

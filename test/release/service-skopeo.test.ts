/** The registry of the embedded service with an ordinary OCI client: skopeo, if it is installed. */
import { execFile, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, test as each, expect } from 'vitest';
import { home } from '../support/process.ts';
import { request } from '../support/service-scope.ts';
import { openService } from '../support/team.ts';

const isAbsent = spawnSync('skopeo', ['--version']).status !== 0;
if (isAbsent) process.stderr.write('skipped: the registry with a real client, because skopeo is not installed\n');
const test = each.skipIf(isAbsent);

const OCI = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  list: 'application/vnd.oci.image.index.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
};
const DOCKER = {
  manifest: 'application/vnd.docker.distribution.manifest.v2+json',
  list: 'application/vnd.docker.distribution.manifest.list.v2+json',
  config: 'application/vnd.docker.container.image.v1+json',
  layer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
};

const { folder, remove } = home();
let service: Awaited<ReturnType<typeof openService>>;
let host = '';

/** As root, skopeo keeps a cache outside of every folder that can be given to it, so it runs as another user. */
const user: { uid?: number; gid: number } = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : { gid: 0 };

beforeAll(async () => {
  if (isAbsent) return;
  for (const name of ['registries.d', 'run']) mkdirSync(join(folder, name), { mode: 0o700 });
  writeFileSync(join(folder, 'registries.conf'), '');
  writeFileSync(join(folder, 'auth.json'), '{}');
  for (const name of ['', 'registries.d', 'run', 'auth.json', 'registries.conf'])
    if (user.uid !== undefined) chownSync(join(folder, name), user.uid, user.gid);
  service = await openService(folder, ['--ephemeral']);
  host = new URL(service.address).host;
});

afterAll(async () => {
  if (!isAbsent) await service.stop();
  remove();
});

/** Runs skopeo without the machine's settings. Returns its output, with the exit code in front if it failed. */
function skopeo(...argv: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: folder,
    XDG_RUNTIME_DIR: join(folder, 'run'),
    XDG_DATA_HOME: join(folder, 'run'),
    REGISTRY_AUTH_FILE: join(folder, 'auth.json'),
    CONTAINERS_REGISTRIES_CONF: join(folder, 'registries.conf'),
  };
  const own = ['--insecure-policy', '--tmpdir', folder, '--registries.d', join(folder, 'registries.d')];
  return new Promise((done) => {
    execFile(
      'skopeo',
      [...own, ...argv],
      { env, cwd: folder, ...(user.uid === undefined ? {} : user) },
      (error, stdout, stderr) => done(error ? `${error.code}: ${stderr}` : stdout),
    );
  });
}

const at = (repository: string): string => `docker://${host}/${repository}`;
const up = (...credential: readonly string[]) => ['--dest-tls-verify=false', ...credential];
const down = (...credential: readonly string[]) => ['--src-tls-verify=false', ...credential];
const key = (): string => `x:${service.key}`;

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const descriptor = (mediaType: string, bytes: Uint8Array) => ({
  mediaType,
  digest: `sha256:${sha(bytes)}`,
  size: bytes.byteLength,
});

/** An image of two layers; the second does not fit into one row of the store. */
function image(types: typeof OCI, architecture = 'amd64') {
  const layers = [Buffer.alloc(10_240), randomBytes(1_500_000)];
  const config = json({
    architecture,
    os: 'linux',
    config: { Labels: { made: 'by hand' } },
    rootfs: { type: 'layers', diff_ids: layers.map((layer) => `sha256:${sha(layer)}`) },
  });
  const packed = layers.map((layer) => gzipSync(layer));
  const manifest = json({
    schemaVersion: 2,
    mediaType: types.manifest,
    config: descriptor(types.config, config),
    layers: packed.map((layer) => descriptor(types.layer, layer)),
  });
  return { manifest, blobs: [config, ...packed], architecture };
}

/** The layout of skopeo's `dir:`. */
function writeDir(name: string, manifest: Buffer, blobs: readonly Buffer[], children: readonly Buffer[] = []) {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, 'version'), 'Directory Transport Version: 1.1\n');
  writeFileSync(join(path, 'manifest.json'), manifest);
  for (const child of children) writeFileSync(join(path, `${sha(child)}.manifest.json`), child);
  for (const blob of blobs) writeFileSync(join(path, sha(blob)), blob);
  return `dir:${path}`;
}

/** The SHA-256 of every file in a folder, by path. */
const filesOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(join(folder, name).length), sha(readFileSync(path))]),
  );

const api = (method: string, path: string, body?: unknown) =>
  request(new URL(path, service.address), {
    method,
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

test.for([
  ['OCI', OCI],
  ['Docker', DOCKER],
] as const)('an %s image comes back unchanged, by tag and by digest', async ([name, types]) => {
  const repository = `local/default/${name.toLowerCase()}`;
  const { manifest, blobs } = image(types);
  const source = writeDir(`${name}-out`, manifest, blobs);
  const pushed = await skopeo('copy', ...up('--dest-creds', key()), source, at(`${repository}:v1`));
  expect(pushed).toMatch(/^Getting image source signatures/);
  for (const [reference, back] of [
    [':v1', `${name}-tag`],
    [`@sha256:${sha(manifest)}`, `${name}-digest`],
  ] as const) {
    const target = `dir:${join(folder, back)}`;
    await skopeo('copy', ...down('--src-creds', key()), at(repository + reference), target);
    expect(filesOf(back)).toEqual(filesOf(`${name}-out`));
  }
  const inspected = JSON.parse(await skopeo('inspect', '--tls-verify=false', '--creds', key(), at(`${repository}:v1`)));
  expect(inspected).toMatchObject({
    Digest: `sha256:${sha(manifest)}`,
    RepoTags: ['v1'],
    Labels: { made: 'by hand' },
    Layers: blobs.slice(1).map((blob) => `sha256:${sha(blob)}`),
  });
});

test.for([
  ['index', OCI],
  ['list', DOCKER],
] as const)('an %s of images is stored with its media type and all its images', async ([name, types]) => {
  const images = [image(types), image(types, 'arm64')];
  const list = json({
    schemaVersion: 2,
    mediaType: types.list,
    manifests: images.map(({ manifest, architecture }) => ({
      ...descriptor(types.manifest, manifest),
      platform: { architecture, os: 'linux' },
    })),
  });
  const blobs = images.flatMap((one) => one.blobs);
  const children = images.map(({ manifest }) => manifest);
  const source = writeDir(`${name}-out`, list, blobs, children);
  const place = at(`local/default/${name}:v1`);
  await skopeo('copy', '--all', ...up('--dest-creds', key()), source, place);
  const raw = await skopeo('inspect', '--raw', '--tls-verify=false', '--creds', key(), place);
  expect(raw).toBe(list.toString());
  await skopeo('copy', '--all', ...down('--src-creds', key()), place, `dir:${join(folder, `${name}-back`)}`);
  expect(filesOf(`${name}-back`)).toEqual(filesOf(`${name}-out`));
  const head = await api('HEAD', `/v2/local/default/${name}/manifests/v1`);
  expect(head.headers.get('content-type')).toBe(types.list);
});

test('the bearer of preflight works for its namespace only', async () => {
  const { manifest, blobs } = image(OCI);
  const source = writeDir('flown-out', manifest, blobs);
  const preflight = await api('POST', '/v1/artifacts/preflight', { namespace_name: 'flown' });
  const { auth_token } = await preflight.json();
  await skopeo('copy', ...up('--dest-registry-token', auth_token), source, at('local/default/flown:v1'));
  const back = `dir:${join(folder, 'flown-back')}`;
  // As a password, it is exchanged at the token URL.
  await skopeo('copy', ...down('--src-creds', `any:${auth_token}`), at('local/default/flown:v1'), back);
  expect(filesOf('flown-back')).toEqual(filesOf('flown-out'));
  const other = at('local/default/grounded:v1');
  expect(await skopeo('copy', ...up('--dest-registry-token', auth_token), source, other)).toMatch(
    /^1: .*(denied|403)/s,
  );
});

test('layers that another namespace has are pushed again, and an OCI layout comes back', async () => {
  const { manifest, blobs } = image(OCI);
  const source = writeDir('mount-out', manifest, blobs);
  await skopeo('copy', ...up('--dest-creds', key()), source, at('local/default/first:v1'));
  // By now skopeo knows where the layers are, and asks to mount them from there.
  await skopeo('copy', ...up('--dest-creds', key()), source, at('local/default/second:v1'));
  const [from, layout] = [at('local/default/second:v1'), `oci:${join(folder, 'layout')}:v1`];
  await skopeo('copy', ...down('--src-creds', key()), from, layout);
  const pulled = Object.values(filesOf('layout/blobs/sha256'));
  expect(pulled.sort()).toEqual([manifest, ...blobs].map(sha).sort());
  await skopeo('copy', ...up('--dest-creds', key()), layout, at('local/default/third:v1'));
  const raw = await skopeo(
    ...['inspect', '--raw', '--tls-verify=false', '--creds', key(), at('local/default/third:v1')],
  );
  expect(raw).toBe(manifest.toString());
  for (const tag of ['v3', 'V2', 'latest'])
    await skopeo(
      ...['copy', ...up('--dest-creds', key()), ...down('--src-creds', key()), from],
      at(`local/default/second:${tag}`),
    );
  const listed = await skopeo(...['list-tags', '--tls-verify=false', '--creds', key(), at('local/default/second')]);
  expect(JSON.parse(listed).Tags).toEqual(['latest', 'v1', 'V2', 'v3']);
});

test('skopeo gets the reason for a refusal, and reads public content without a credential', async () => {
  const { manifest, blobs } = image(OCI);
  const source = writeDir('own-out', manifest, blobs);
  await skopeo('copy', ...up('--dest-creds', key()), source, at('local/default/own:v1'));
  const { slug } = await (await api('POST', '/v1/workspace', { name: 'Elsewhere' })).json();
  const inspect = (name: string, ...credential: readonly string[]) =>
    skopeo('inspect', '--tls-verify=false', ...credential, at(name));
  const mine = ['--creds', key()];
  expect(await inspect('local/default/own:v1', '--no-creds')).toMatch(/^1: .*unauthorized/s);
  expect(await inspect('local/default/own:v1', '--creds', 'x:wrong')).toMatch(
    /^1: .*(unauthorized|invalid username\/password)/s,
  );
  expect(await inspect('local/default/own:gone', ...mine)).toMatch(/^1: .*manifest unknown/s);
  expect(await inspect('local/default/gone:v1', ...mine)).toMatch(/^1: .*manifest unknown/s);
  expect(await inspect('no/body/here:v1', ...mine)).toMatch(/^1: .*name unknown/s);
  expect(await inspect(`local/${slug}/own:v1`, ...mine)).toMatch(/^1: .*denied/s);
  const push = (name: string) => skopeo('copy', ...up('--dest-creds', key()), source, at(name));
  expect(await push(`local/${slug}/own:v1`)).toMatch(/^1: .*(denied|403)/s);
  expect(await push('no/body/here:v1')).toMatch(/^1: .*name unknown/s);
  expect(await push('local/own:v1')).toMatch(/^1: .*organization\/workspace\/namespace/s);

  await api('POST', '/v1/artifacts/namespaces/own/visibility', { public: true });
  const back = `dir:${join(folder, 'own-back')}`;
  await skopeo('copy', ...down('--src-no-creds'), at('local/default/own:v1'), back);
  expect(filesOf('own-back')).toEqual(filesOf('own-out'));
  expect(await skopeo('copy', ...up('--dest-no-creds'), source, at('local/default/own:v2'))).toMatch(
    /^1: .*unauthorized/s,
  );
});

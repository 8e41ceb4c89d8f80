/** The workspace of a credential is requested once and stored without the secret. Failing to store it is not an error. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { credentialDigestOf, recallWorkspace, rememberWorkspace } from '../../src/store/known-workspaces.ts';
import { temporaryFolder } from '../support/context.ts';
import { dtp as runProcess } from '../support/process.ts';
import { twoWorkspaces, validateRequestLine } from '../support/two-workspaces.ts';

const list = ['artifacts', 'namespaces', 'list', '-w', 'w_1'];
const listing = 'GET /v1/artifacts/namespaces';
const secret = 'only-a-secret-5ec7e7';

/** The files below a folder with their content. */
const textsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name} ${readFileSync(join(entry.parentPath, entry.name), 'latin1')}`);

test.each([
  ['an ordinary key', 'dtp_key_1'],
  ['an empty key', ''],
  ['characters beyond ASCII', 'ключ-🔑'],
  ['several blocks of SHA-256', 'k'.repeat(1000)],
])('the digest is the SHA-256 of Node: %s', (_, key) => {
  const credential = { origin: 'https://api.example.com', scheme: 'api-key', secret: key };
  const content = JSON.stringify([credential.origin, credential.scheme, key]);
  expect(credentialDigestOf(credential)).toBe(createHash('sha256').update(content).digest('hex'));
});

test('a second command does not ask again, but another credential or service does', async () => {
  const [service, other] = [await twoWorkspaces(), await twoWorkspaces()];
  const home = temporaryFolder();
  const run = async (env = {}) => {
    service.reset();
    expect((await service.run(list, { home, env })).code).toBe(0);
    return [...service.asked];
  };
  expect(await run()).toEqual([validateRequestLine, listing]);
  expect(await run()).toEqual([listing]);
  expect(await run({ DTP_API_KEY: secret })).toEqual([validateRequestLine, listing]);
  expect(await run({ DTP_API_KEY: secret })).toEqual([listing]);
  expect(await run()).toEqual([listing]);
  await other.run(list, { home });
  expect(other.asked).toEqual([validateRequestLine, listing]);

  const refused = await service.run(['ws', 'current', '-w', 'w_2'], { home });
  expect([refused.code, service.asked.at(-1)]).toEqual([2, listing]);
});

test('the stored answer is private and has no part of the secret', async () => {
  const service = await twoWorkspaces();
  const home = temporaryFolder();
  await service.run(list, { home, env: { DTP_API_KEY: secret } });
  const folder = join(home, 'state/workspaces');
  const [name = '', ...others] = readdirSync(folder);
  expect([name, others]).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/), []]);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, name)).mode & 0o777]).toEqual([0o700, 0o600]);
  const forms = [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')];
  for (const text of textsIn(home))
    for (const form of forms)
      for (let at = 0; at + 8 <= form.length; at++) expect(text).not.toContain(form.slice(at, at + 8));
});

test('a workspace that is also the credential is not stored, and requested each time', async () => {
  const service = await twoWorkspaces(
    () => [200, '{}'],
    () => [200, '{"workspace_id":"w_1"}'],
  );
  const home = temporaryFolder();
  const env = { DTP_API_KEY: '', DTP_WORKSPACE_IDENTIFIER: 'w_1' };
  for (let count = 0; count < 2; count++) expect((await service.run(list, { home, env })).code).toBe(0);
  expect(service.asked).toEqual([validateRequestLine, listing, validateRequestLine, listing]);
  expect(existsSync(memory(home))).toBe(false);
});

const memory = (home: string) => join(home, 'state/workspaces');

test.each<readonly [string, (folder: string, file: string) => void]>([
  ['is cut', (_, file) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 50))],
  ['is empty', (_, file) => writeFileSync(file, '')],
  ['is null', (_, file) => writeFileSync(file, 'null')],
  ['is of another credential', (_, file) => writeFileSync(file, '{"of":"x","workspace":"w_2"}')],
  ['names no workspace', (_, file) => writeFileSync(file, readFileSync(file, 'utf8').replace('"w_1"', '7'))],
  [
    'is a folder',
    (_, file) => {
      rmSync(file);
      mkdirSync(join(file, 'x'), { recursive: true });
    },
  ],
  [
    'has a file in place of its folder',
    (folder) => {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, '');
    },
  ],
])('with a store that %s, the service is asked again', async (_, damage) => {
  const service = await twoWorkspaces();
  const home = temporaryFolder();
  await service.run(list, { home });
  const folder = memory(home);
  damage(folder, join(folder, readdirSync(folder)[0] ?? ''));
  service.reset();
  expect(await service.run(list, { home })).toMatchObject({ code: 0, stderr: '' });
  expect(service.asked).toEqual([validateRequestLine, listing]);
});

test.skipIf(process.getuid?.() === 0)('a read-only state folder is not an error', async () => {
  const service = await twoWorkspaces();
  const home = temporaryFolder();
  mkdirSync(join(home, 'state'));
  chmodSync(join(home, 'state'), 0o500);
  for (let count = 0; count < 2; count++) {
    service.reset();
    expect(await service.run(list, { home })).toMatchObject({ code: 0, stderr: '' });
    expect(service.asked).toEqual([validateRequestLine, listing]);
  }
  expect(existsSync(memory(home))).toBe(false);
});

const digest = (n: number) =>
  credentialDigestOf({ origin: 'https://api.example.test', scheme: 'api-key', secret: `${n}` });

test('the digest depends on origin, scheme and secret separately', () => {
  const parts = [
    ['https://a.test', 'api-key', 'k'],
    ['https://b.test', 'api-key', 'k'],
    ['https://a.test', 'bearer', 'k'],
    ['https://a.test', 'api-key', 'l'],
    ['https://a.test', 'api-', 'keyk'],
  ];
  const digests = parts.map(([origin = '', scheme = '', one = '']) =>
    credentialDigestOf({ origin, scheme, secret: one }),
  );
  expect(new Set(digests).size).toBe(parts.length);
  expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
});

test('the latest hundred answers are stored, older ones are deleted', async () => {
  const folder = join(temporaryFolder(), 'workspaces');
  for (let n = 0; n < 100; n++) {
    await rememberWorkspace(folder, digest(n), `w_${n}`);
    utimesSync(join(folder, `${digest(n)}.json`), 1000 + n, 1000 + n);
  }
  writeFileSync(join(folder, 'not-ours'), '');
  for (let n = 100; n < 103; n++) await rememberWorkspace(folder, digest(n), `w_${n}`);
  const kept = Array.from({ length: 103 }, (_, n) => recallWorkspace(folder, digest(n)));
  expect(kept).toEqual([undefined, undefined, undefined, ...kept.slice(3)]);
  expect(kept.slice(3)).toEqual(Array.from({ length: 100 }, (_, n) => `w_${n + 3}`));
  expect(readdirSync(folder)).toContain('not-ours');
});

test('concurrent writes lose nothing, and readers never see half an answer', async () => {
  const folder = join(temporaryFolder(), 'workspaces');
  const all = Array.from({ length: 40 }, (_, n) => n % 20);
  const seen: (string | undefined)[] = [];
  await Promise.all(
    all.map(async (n) => {
      await rememberWorkspace(folder, digest(n), `w_${n}`);
      for (let other = 0; other < 20; other++) seen.push(recallWorkspace(folder, digest(other)));
    }),
  );
  expect(Array.from({ length: 20 }, (_, n) => recallWorkspace(folder, digest(n)))).toEqual(
    Array.from({ length: 20 }, (_, n) => `w_${n}`),
  );
  for (const one of seen) expect(one ?? 'w_0').toMatch(/^w_\d+$/);
  expect(readdirSync(folder)).toHaveLength(20);
});

test('the answers of concurrent processes with different keys are all stored', async () => {
  const service = await twoWorkspaces(
    () => [200, '{"items":[]}'],
    () => [200, '{"workspace_id":"w_1"}'],
  );
  const home = temporaryFolder();
  const run = (n: number) =>
    runProcess(home, list, { env: { DTP_BASE_URL: service.address, DTP_API_KEY: `key-${n}` } });
  const codes = async () => (await Promise.all([0, 1, 2, 3, 4, 5].map(run))).map(({ code }) => code);
  expect(await codes()).toEqual([0, 0, 0, 0, 0, 0]);
  expect(readdirSync(memory(home))).toHaveLength(6);
  service.reset();
  expect(await codes()).toEqual([0, 0, 0, 0, 0, 0]);
  expect(service.asked).toEqual(Array(6).fill(listing));
});

const login = (address: string, ...argv: string[]) => [
  ...['auth', 'login', '--base-url', address, '--with-token'],
  ...argv,
];
const stored = (home: string) => JSON.parse(readFileSync(join(home, 'config/config.json'), 'utf8')).profiles.default;

test('a login stores the workspace in the profile, so no command asks again', async () => {
  const service = await twoWorkspaces();
  const home = temporaryFolder();
  const env = { DTP_API_KEY: '', DTP_BASE_URL: '' };
  await service.run(login(service.address), { home, env, stdin: 'k-2' });
  expect(stored(home)).toMatchObject({ workspace: 'w_2', credential_workspace: 'w_2' });
  service.reset();
  expect((await service.run(['ws', 'current'], { home, env })).code).toBe(0);
  expect((await service.run(['ws', 'current', '-w', 'w_1'], { home, env })).code).toBe(2);
  expect(service.asked).toEqual(['GET /v1/workspace']);
  expect(existsSync(memory(home))).toBe(false);
});

test('a workspace that the user sets in the profile does not skip the check', async () => {
  const service = await twoWorkspaces();
  const home = temporaryFolder();
  const env = { DTP_API_KEY: '', DTP_BASE_URL: '' };
  await service.run(login(service.address), { home, env, stdin: 'k-2' });
  expect((await service.run(['config', 'set', 'workspace', 'w_1'], { home, env })).code).toBe(0);
  for (const key of ['credential_workspace', 'credential'])
    expect((await service.run(['config', 'set', key, 'w_1'], { home, env })).code).toBe(2);
  service.reset();
  const ended = await service.run(['ws', 'current'], { home, env });
  expect([ended.code, service.asked]).toEqual([2, []]);
  expect(ended.stderr).toContain(
    'the credential from profile default belongs to workspace "w_2", but the workspace of profile default is "w_1"',
  );
  // It belongs to the stored credential. For the credential in a variable, the service is asked.
  expect((await service.run(['ws', 'current', '-w', 'w_1'], { home, env: { DTP_API_KEY: 'k-1' } })).code).toBe(0);
  expect(service.asked).toEqual([validateRequestLine, 'GET /v1/workspace']);
});

test('a logout deletes it, and a login without an answer stores none', async () => {
  const service = await twoWorkspaces(
    () => [200, '{}'],
    (key) => [200, key === 'k-2' ? '{"workspace_id":"w_2"}' : '{}'],
  );
  const home = temporaryFolder();
  const env = { DTP_API_KEY: '', DTP_BASE_URL: '' };
  await service.run(login(service.address), { home, env, stdin: 'k-2' });
  await service.run(login(service.address), { home, env, stdin: 'k-1' });
  expect(stored(home)).not.toHaveProperty('credential_workspace');
  await service.run(login(service.address), { home, env, stdin: 'k-2' });
  expect(stored(home)).toHaveProperty('credential_workspace');
  await service.run(['auth', 'logout'], { home, env });
  expect(Object.keys(stored(home)).filter((key) => /^credential|^scheme$/.test(key))).toEqual([]);
});

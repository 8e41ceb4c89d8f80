/** Manifests and blobs with a wrong digest: if one bit is flipped, nothing is shown or written. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Send } from '../../src/request/http.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';

const env = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k',
  DTP_ORGANIZATION_SLUG: 'o',
  DTP_WORKSPACE_SLUG: 'w',
};
const bytes = Buffer.from('{"schemaVersion":2,"layers":[]}');
const digest = (algorithm: string, of: Uint8Array = bytes) =>
  `${algorithm}:${createHash(algorithm).update(of).digest('hex')}`;

function flipped(bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

const token = Buffer.from('{"auth_token":"t"}');

/** As sent by the service. */
async function* inPieces(body: Uint8Array) {
  for (let at = 0; at < body.byteLength; at += 10) yield body.subarray(at, at + 10);
}

function run(argv: readonly string[], body: Uint8Array, world: World & { said?: string } = {}) {
  const headers = world.said === undefined ? {} : { 'docker-content-digest': world.said };
  const answer: Send = async ({ url }) => ({
    status: 200,
    headers: headers as Record<string, string>,
    body: inPieces(url.endsWith('/preflight') ? token : body),
  });
  const openSend = async () => ({ send: answer, close: async () => undefined });
  return dtp(['artifacts', ...argv], { env, openSend, ...world });
}

const commands = ['manifests', 'blobs'] as const;

test.each(commands.flatMap((what) => ['sha256', 'sha512'].map((algorithm) => [what, algorithm] as const)))(
  '%s get by %s',
  async (what, algorithm) => {
    const cwd = temporaryFolder();
    const get = [what, 'get', 'ns', digest(algorithm)];
    expect(await run(get, bytes)).toEqual({ code: 0, stdout: bytes.toString(), stderr: '' });
    expect((await run([...get, '-O', 'whole'], bytes, { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'whole')).equals(bytes)).toBe(true);

    writeFileSync(join(cwd, 'old'), 'mine');
    for (let bit = 0; bit < bytes.byteLength * 8; bit += 31) {
      const ways = [[], ['-o', 'json'], ['-O', 'new'], ['-O', 'old', '--force'], ['-o', 'yaml', '-O', 'new']];
      for (const way of ways) {
        const ended = await run([...get, ...way], flipped(bit), { cwd });
        expect(ended).toMatchObject({ code: 12, stdout: '' });
        expect(ended.stderr).toContain(`the ${what.slice(0, -1)} does not match its digest`);
      }
    }
    for (const cut of [0, 1, bytes.byteLength - 1])
      expect((await run([...get, '-O', 'new'], bytes.subarray(0, cut), { cwd })).code).toBe(12);
    expect([readdirSync(cwd).sort(), readFileSync(join(cwd, 'old'), 'utf8')]).toEqual([['old', 'whole'], 'mine']);
  },
);

test('nothing is shown on a terminal either', async () => {
  const ended = await run(['blobs', 'get', 'ns', digest('sha256')], flipped(9), { tty: true });
  expect(ended).toMatchObject({ code: 12, stdout: '' });
});

test('for a tag, the digest from the registry counts', async () => {
  const get = ['manifests', 'get', 'ns', 'latest'];
  for (const said of [undefined, digest('sha256'), digest('sha512'), 'md5:1', 'none'])
    expect((await run(get, bytes, said === undefined ? {} : { said })).code).toBe(0);
  for (const said of [digest('sha256', flipped(0)), digest('sha512', flipped(0)), 'sha256:'])
    expect(await run(get, bytes, { said })).toMatchObject({ code: 12, stdout: '' });
});

test('a requested digest counts, whatever the registry says', async () => {
  const [get, other] = [['manifests', 'get', 'ns', digest('sha256')], flipped(3)];
  expect((await run(get, other, { said: digest('sha256', other) })).code).toBe(12);
  expect((await run(get, bytes, { said: digest('sha256', other) })).code).toBe(12);
  expect((await run(['blobs', 'get', 'ns', 'sha256:abc'], bytes)).code).toBe(12);
});

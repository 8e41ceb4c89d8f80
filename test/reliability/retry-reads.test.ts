/**
 * `--retry` repeats each request of a read-only command, and none of a command that writes. A credential that
 * failed is requested again.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { DtpError } from '../../src/errors.ts';
import { connect } from '../../src/invocation/connect.ts';
import { operations } from '../../src/operations/index.ts';
import type { Log } from '../../src/output/log.ts';
import type { Send } from '../../src/request/http.ts';
import type { Settings } from '../../src/settings/resolve.ts';
import { hastyClock } from '../support/clocks.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { type Reply, service } from '../support/function-service.ts';

const layer = JSON.stringify('a layer');
const digest = `sha256:${createHash('sha256').update(layer).digest('hex')}`;
const manifest = { layers: [{ digest, size: layer.length, mediaType: 'text/plain', annotations: {} }] };

/** Answers by the end of a path. */
const answers: readonly (readonly [RegExp, Reply])[] = [
  [/^GET .*\/auth\/validate$/, [200, { org_slug: 'o', workspace_slug: 'w' }]],
  [/^POST .*\/preflight$/, [200, { auth_token: 't-1' }]],
  [/^GET .*\/manifests\/v1$/, [200, manifest]],
  [/^GET .*\/blobs\//, [200, 'a layer']],
  [/^HEAD .*\/blobs\//, [200]],
  [/^PUT .*\/manifests\//, [201]],
  [/^GET .*\/revisions$/, [200, { items: [{ id: 'r_1' }] }]],
  [/^GET .*\/async\/j_1$/, [200, []]],
  [/^GET .*\/reports\/linting\/[^/]*$/, [200, { url: 'https://files.example.test/r' }]],
  [/^GET \/r$/, [200, 'a report']],
];

/** Each read request fails once, and then gets its answer. */
function failing() {
  const seen = new Set<string>();
  return service(({ method, url }) => {
    const line = `${method} ${new URL(url).pathname}`;
    const isFirst = !seen.has(line);
    seen.add(line);
    if (method === 'GET' && isFirst) return [503, { message: 'not now' }];
    return answers.find(([pattern]) => pattern.test(line))?.[1] ?? [404];
  });
}

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1' };

test.each([
  [['artifacts', 'manifests', 'get', 'n', 'v1'], 2, 10],
  [['artifacts', 'pull', 'n:v1', '-O', 'out'], 3, 10],
  [['artifacts', 'push', 'spec.json', '--namespace', 'n'], 1, 10],
  [['artifacts', 'revisions', 'list', 'n', '--all'], 1, 10],
  [['code-samples', 'jobs', 'get', 'j_1', '--wait'], 1, 0],
  [['reports', 'linting-url', 'sha256:abc', '--download', 'r'], 2, 10],
])('%j: %i read requests, each sent twice', async (argv, reads, without) => {
  const run = async (more: readonly string[]) => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'spec.json'), '{"openapi":"3.1.0"}');
    const { asked, openSend } = failing();
    return { ...(await dtp([...argv, ...more], { home, env, openSend, clock: hastyClock })), asked };
  };
  const { code, stderr, asked } = await run(['--retry', '1']);
  expect(code, stderr).toBe(0);
  const count = (method: string) => asked.filter((line) => line.startsWith(`${method} `)).length;
  expect([count('GET'), new Set(asked.filter((line) => line.startsWith('GET '))).size]).toEqual([2 * reads, reads]);
  expect(asked.filter((line) => !line.startsWith('GET ')).length).toBe(new Set(asked).size - reads);
  // A user who waits for a job also waits for the service.
  expect((await run([])).code).toBe(without);
});

test('with --retry, a report above 64 MiB is not buffered', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const openSend: World['openSend'] = async () => ({
    send: async ({ url }) => ({
      status: 200,
      headers: {},
      body: (async function* () {
        if (url.endsWith('/r')) for (let count = 0; count < 65; count++) yield piece;
        else yield Buffer.from('{"url":"https://files.example.test/r"}');
      })(),
    }),
    close: async () => undefined,
  });
  const argv = ['reports', 'linting-url', 'sha256:abc', '--download', 'r', '--retry', '1'];
  const { code, stdout, stderr } = await dtp(argv, { env, openSend });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout).bytes).toBe(65 * 1024 * 1024);
});

test('a credential that failed is requested again, and stored once it works', async () => {
  let fetched = 0;
  const connection = await connect({
    context: { clock: hastyClock, random: () => 0, openSend: failing().openSend } as unknown as Context,
    settings: {
      values: { base_url: { value: env.DTP_BASE_URL, source: 'a test' } },
      untrusted: {},
    } as Settings,
    globals: {},
    operation: operations.getUser,
    log: { hide: () => undefined, sends: (send: Send) => send } as Partial<Log> as Log,
    credential: {
      scheme: 'api-key',
      origin: env.DTP_BASE_URL,
      header: 'x-api-key',
      source: 'the vault',
      fetch: async () => {
        if (++fetched === 1) throw new DtpError('config', 'the vault is shut');
        return 'k-1';
      },
    },
  });
  await expect(connection.sendFor(operations.getUser)).rejects.toThrow('the vault is shut');
  await connection.sendFor(operations.getUser);
  await connection.sendFor(operations.getWorkspaces);
  expect(fetched).toBe(2);
});

/** Injected faults: their notation, how often they happen, and what a client sees. */
import { afterAll, expect, test } from 'vitest';
import type { HttpRequest, Send } from '../../../src/request/http.ts';
import { Dropped, parseFault, withFaults } from '../../../src/service/http/faults.ts';
import { dtp, home } from '../../support/process.ts';

const { folder, remove } = home();
afterAll(remove);

test.each([
  ['postWorkspaceEvents=503x2', { operation: 'postWorkspaceEvents', what: { status: 503 }, times: 2, chance: 1 }],
  ['*=500@20%', { operation: '*', what: { status: 500 }, times: Number.POSITIVE_INFINITY, chance: 0.2 }],
  ['getUser=429x1@50%', { operation: 'getUser', what: { status: 429 }, times: 1, chance: 0.5 }],
])('%s', (text, fault) => {
  expect(parseFault(text, 'fail')).toEqual(fault);
});

test.each([
  ['fail', 'getUser'],
  ['fail', 'nothing=500'],
  ['fail', 'getUser=200'],
  ['fail', 'getUser=after-request'],
  ['fail', 'getUser=500x'],
  ['fail', 'getUser=503x0'],
  ['fail', 'getUser=503@0%'],
  ['fail', 'getUser=4e2'],
  ['fail', 'toString=503'],
  ['drop', 'getUser=500'],
  ['drop', ''],
] as const)('--%s %j is refused', (kind, text) => {
  expect(() => parseFault(text, kind)).toThrow();
});

function counted() {
  let calls = 0;
  const send: Send = async () => {
    calls++;
    return { status: 200, headers: {}, body: pieces() };
  };
  return { send, calls: () => calls };
}

async function* pieces() {
  yield Buffer.from('0123456789');
  yield Buffer.from('more');
}

const user: HttpRequest = { method: 'GET', url: 'http://127.0.0.1:1/v1/user', headers: {} };
const other: HttpRequest = { method: 'GET', url: 'http://127.0.0.1:1/v1/workspaces', headers: {} };
const options = { signal: new AbortController().signal };

function faulty(faults: readonly [kind: 'fail' | 'drop', text: string][], random = () => 0) {
  const { send, calls } = counted();
  const sleeps: number[] = [];
  const wrapped = withFaults(send, {
    faults: faults.map(([kind, text]) => parseFault(text, kind)),
    latencyMs: 200,
    sleep: async (ms) => {
      sleeps.push(ms);
    },
    random,
  });
  const get = (request: HttpRequest) =>
    wrapped(request, options).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof Dropped ? 'dropped' : 'another error'),
    );
  return { get, calls, sleeps, send: wrapped };
}

test('a status is sent N times, only for its operation, and the service does not see the request', async () => {
  const { get, calls, sleeps } = faulty([['fail', 'getUser=503x2']]);
  expect([await get(user), await get(other), await get(user), await get(user)]).toEqual([503, 200, 503, 200]);
  expect([calls(), sleeps]).toEqual([2, [200, 200, 200, 200]]);
});

test('a fault happens with its probability', async () => {
  const chances = [0.19, 0.2, 0.99, 0];
  const { get } = faulty([['fail', '*=500@20%']], () => chances.shift() ?? 1);
  expect([await get(user), await get(user), await get(other), await get(other)]).toEqual([500, 200, 200, 500]);
});

test.each(['/v1/oci/v2', '/v2'])('faults apply to the registry operations under %s', async (root) => {
  const { get } = faulty([
    ['fail', 'getManifest=503'],
    ['drop', 'getBlob=before-request'],
  ]);
  const ask = (path: string, method = 'GET') =>
    get({ method, url: `http://127.0.0.1:1${root}/o/w/n/${path}`, headers: {} });
  expect([await ask('manifests/v1'), await ask('blobs/sha256:0')]).toEqual([503, 'dropped']);
  expect([await ask('tags/list'), await ask('manifests/v1', 'PUT')]).toEqual([200, 200]);
});

test('the connection is dropped before the work, or after it', async () => {
  const before = faulty([['drop', 'getUser=before-request']]);
  expect([await before.get(user), before.calls()]).toEqual(['dropped', 0]);
  const after = faulty([['drop', 'getUser=after-request']]);
  expect([await after.get(user), after.calls()]).toEqual(['dropped', 1]);
});

test('the connection is dropped in the middle of the response', async () => {
  const { send } = faulty([['drop', 'getUser=within-answer']]);
  const { body } = await send(user, options);
  const got: string[] = [];
  const read = async () => {
    for await (const chunk of body) got.push(Buffer.from(chunk).toString());
  };
  await expect(read()).rejects.toBeInstanceOf(Dropped);
  expect(got).toEqual(['01234']);
});

const dev = (...argv: string[]) => dtp(folder, ['dev', '--ephemeral', ...argv], { env: { DTP_ERROR_FORMAT: 'text' } });
const self = `${process.execPath} ${process.cwd()}/bin/dtp.cjs`;

test('dev runs a command with its own service, and exits with its exit code', async () => {
  const { code, stdout } = await dev(
    '--',
    'sh',
    '-c',
    `${self} ws tokens create --name mine && ${self} ws tokens list && exit 7`,
  );
  expect(code).toBe(7);
  expect(stdout).toContain('"name": "mine"');
});

test('dev with faults: retries get through, and a dropped connection is reported', async () => {
  const script = `${self} events post --id e1 -v; ${self} events search -o ndjson; ${self} auth user`;
  const { stdout, stderr } = await dev(
    '--fail',
    'postWorkspaceEvents=503x2',
    '--drop',
    'getUser=after-request',
    '--',
    'sh',
    '-c',
    script,
  );
  expect(stderr.match(/status 503/g)).toHaveLength(2);
  expect(stdout).toContain('"attempts": 3');
  expect(stdout).toContain('"id":"e1"');
  expect(stderr).toContain('closed the connection');
});

test.each([
  [[], 'dtp dev needs a command'],
  [['--', 'no-such-program'], 'no-such-program is not installed'],
  [['--fail', 'x=1', '--', 'true'], 'unknown operation "x"'],
  [['--latency', 'long', '--', 'true'], '--latency must be a time'],
  [['--data', 'x', '--', 'true'], '--data and --ephemeral cannot be combined'],
])('dev %j', async (argv, words) => {
  const { code, stdout, stderr } = await dev(...argv);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(words);
});

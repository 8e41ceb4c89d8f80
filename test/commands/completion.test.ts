/** `dtp __complete`: names and ids for completions. It is fast, private, and silent if anything fails. */
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { resources, valuesToPick } from '../../src/operations/resources.ts';
import type { HttpRequest } from '../../src/request/http.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { home, dtp as runProcess } from '../support/process.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-s3cret', DTP_WORKSPACE_ID: 'w_1' };

/** A service with one fixed response. Records the requests. */
function service(said: unknown, status = 200) {
  const requests: HttpRequest[] = [];
  const openSend: World['openSend'] = async () => ({
    send: async (request) => {
      requests.push(request);
      const body = (async function* () {
        yield Buffer.from(JSON.stringify(said));
      })();
      return { status, headers: { 'content-type': 'application/json' }, body };
    },
    close: async () => undefined,
  });
  return { openSend, requests };
}

const workspaces = [
  { id: 'w_1', name: 'Pets' },
  { id: 'w_2', name: 'Shops' },
];
const listed = 'Pets\tw_1\nShops\tw_2\nw_1\tPets\nw_2\tShops\n';
const silence = { code: 0, stdout: '', stderr: '' };

test.each([
  ['workspaces', '', '/v1/workspaces', workspaces, listed],
  ['organizations', '', '/v1/organizations', [{ id: 'o_1', name: 'Acme' }], 'Acme\to_1\no_1\tAcme\n'],
  [
    'members',
    '',
    '/v1/workspace/w_1/team',
    { users: [{ id: 'u_1', email: 'a@b.test' }] },
    'a@b.test\tu_1\nu_1\ta@b.test\n',
  ],
  [
    'targets',
    '',
    '/v1/workspace/events/targets',
    [{ id: 'x', generate_gen_lock_id: 'g_1', generate_target: 'go' }],
    'g_1\tgo\n',
  ],
  ['namespaces', '', '/v1/artifacts/namespaces', { items: [{ name: 'pets' }] }, 'pets\t\n'],
  [
    'workspace-tokens',
    '',
    '/v1/workspace/w_1/tokens',
    [{ id: 't_1', name: 'ci', key: 'k-other' }],
    'ci\tt_1\nt_1\tci\n',
  ],
  ['publishing-tokens', '', '/v1/publishing-tokens', [{ id: 'p_1', token_name: 'npm' }], 'npm\tp_1\np_1\tnpm\n'],
  [
    'tags',
    'pets',
    '/v1/artifacts/namespaces/pets/tags',
    { items: [{ name: 'v1', revision_digest: 'sha256:f5' }] },
    'v1\tsha256:f5\n',
  ],
  [
    'digests',
    'pets',
    '/v1/artifacts/namespaces/pets/revisions',
    {
      items: [
        { digest: 'sha256:f5', tags: ['v1', 'latest'] },
        { digest: 'sha256:e4', tags: [] },
      ],
    },
    'sha256:f5\tv1, latest\nsha256:e4\t\n',
  ],
  [
    'revisions',
    'pets',
    '/v1/artifacts/namespaces/pets/tags',
    { items: [{ name: 'v1', revision_digest: 'sha256:f5' }] },
    'v1\tsha256:f5\nsha256:f5\tv1\n',
  ],
] as const)('%s %s', async (kind, namespace, path, said, stdout) => {
  const home = temporaryFolder();
  const { openSend, requests } = service(said);
  expect(await dtp(['__complete', kind, namespace, '--fresh'], { home, own: 'w_1', env, openSend })).toEqual({
    ...silence,
    stdout,
  });
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET ${env.DTP_BASE_URL}${path}`]);
  // The cached rows alone answer, and contain no secret.
  expect(await dtp(['__complete', kind, namespace], { home, env })).toEqual({ ...silence, stdout });
  const folder = join(home, 'state/completions');
  const names = readdirSync(folder);
  // The list, and the answer that was made from it.
  expect(names.filter((name) => !name.startsWith('answer-'))).toHaveLength(1);
  expect(names).toHaveLength(2);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of names) {
    expect(readFileSync(join(folder, name), 'utf8') + name).not.toMatch(/k-s3cret|k-other/);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  }
});

test('every list uses a read-only operation', () => {
  for (const one of resources) expect(valuesToPick(one)?.operation.method ?? 'GET').toBe('GET');
});

test('rows that are not cached are fetched in the background, so that the call ends within 300 ms', async () => {
  const asked: unknown[] = [];
  const runAside: World['runAside'] = async (argv, withinMs) => {
    asked.push([argv, withinMs]);
    return listed;
  };
  const argv = ['__complete', '--workspace', 'w_9', 'workspaces'];
  expect(await dtp(argv, { env, runAside })).toEqual({ ...silence, stdout: listed });
  expect(asked).toEqual([[['__complete', '--fresh', ...argv.slice(1)], 280]]);
  expect(await dtp(argv, { env, runAside: async () => undefined })).toEqual(silence);
});

test('a background process starts no other one, whatever was typed', async () => {
  for (const words of [
    ['--', 'workspaces'],
    ['workspaces', '--'],
    ['--', '--fresh', 'workspaces'],
    ['--profile', '--', 'workspaces'],
  ]) {
    const asked: (readonly string[])[] = [];
    const runAside: World['runAside'] = async (argv) => {
      asked.push(argv);
      return undefined;
    };
    await dtp(['__complete', ...words], { env, runAside, ...service(workspaces) });
    for (const argv of [...asked]) await dtp(argv, { env, runAside, ...service(workspaces) });
    expect(asked.length, words.join(' ')).toBeLessThanOrEqual(1);
  }
});

test('cached rows expire after a minute, and if the clock went back', async () => {
  const home = temporaryFolder();
  const start = Date.now();
  const at = (ms: number) => ({ now: () => start + ms, sleep: () => new Promise<void>(() => undefined) });
  const look = async (ms: number) =>
    (await dtp(['__complete', 'workspaces'], { home, env, clock: at(ms), runAside: async () => 'anew\t\n' })).stdout;
  await dtp(['__complete', 'workspaces', '--fresh'], { home, env, clock: at(0), ...service(workspaces) });
  expect([await look(59_999), await look(60_000), await look(-1)]).toEqual([listed, 'anew\t\n', 'anew\t\n']);

  // The next cached list also deletes them from the disk.
  const folder = join(home, 'state/completions');
  const [old = ''] = readdirSync(folder);
  utimesSync(join(folder, old), 1, 1);
  await dtp(['__complete', 'organizations', '--fresh'], {
    home,
    own: 'w_1',
    env,
    clock: at(0),
    ...service([]),
  });
  expect(readdirSync(folder)).not.toContain(old);
});

test('each service, profile, workspace, kind and namespace has separate rows', async () => {
  const home = temporaryFolder();
  const run = (argv: readonly string[], more = {}) =>
    dtp(['__complete', ...argv], { home, env: { ...env, ...more }, runAside: async () => 'another\t\n' });
  const tags = { items: [{ name: 'v1' }] };
  await dtp(['__complete', 'tags', 'pets', '--fresh'], { home, own: 'w_1', env, ...service(tags) });
  expect((await run(['tags', 'pets'])).stdout).toBe('v1\t\n');
  for (const [argv, more] of [
    [['tags', 'shops'], {}],
    [['digests', 'pets'], {}],
    [['tags', 'pets'], { DTP_BASE_URL: 'https://other.example.test' }],
    [['tags', 'pets', '-w', 'w_2'], {}],
    [['tags', 'pets', '--profile', 'local'], {}],
  ] as const)
    expect((await run(argv, more)).stdout).toBe('another\t\n');
});

test('the profiles are read from this machine', async () => {
  const home = temporaryFolder();
  for (const before of [
    ['--profile', 'local'],
    ['-o', 'json', '-v'],
  ])
    expect(await dtp([...before, '__complete', 'profiles'], { home })).toEqual({
      ...silence,
      stdout: 'local\tlocal:\n',
    });
  expect(await dtp(['__complete', 'profiles'], { home })).toEqual({ ...silence, stdout: 'local\tlocal:\n' });
  for (const [profile, address] of [
    ['default', 'https://one.example.test'],
    ['two words', 'https://two.example.test'],
  ] as const)
    await dtp(['config', 'set', 'base_url', address, '--profile', profile], { home });
  const { stdout } = await dtp(['__complete', 'profiles'], { home });
  expect(stdout).toBe('local\tlocal:\ndefault\thttps://one.example.test\ntwo words\thttps://two.example.test\n');
});

const untypable = ['tab\tbed', 'line\nfeed', '\u001b[2J', 'bidi\u202e', '--yes', '~root', ''];

test('values that cannot be typed, and names of two things, are not offered, and control characters are not shown', async () => {
  const said = [
    { id: 'good id', name: 'a\u001b[2Jb\tc' },
    ...untypable.map((id) => ({ id, name: '' })),
    { id: 7, name: '' },
    'no record',
    null,
    { id: 'long', name: `x ${'x'.repeat(98)}` },
    ...['one', 'two'].map((id) => ({ id, name: 'Twice' })),
  ];
  const { stdout } = await dtp(['__complete', 'workspaces', '--fresh'], { env, ...service(said) });
  expect(stdout).toBe(`good id\ta\\u001b[2Jb\\tc\nlong\tx ${'x'.repeat(57)}…\none\tTwice\ntwo\tTwice\n`);
});

test('any error exits with 0 and prints nothing', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'config'));
  const broken = { ...env, DTP_CONFIG_DIR: join(home, 'config') };
  writeFileSync(join(home, 'config/config.json'), '{ no json');
  const fresh = ['workspaces', '--fresh'];
  const fine = { env: { ...env, DTP_DEBUG: '1' }, tty: true };
  const lines = ['workspaces --fresh', 'workspaces', 'tags', 'tags .. --fresh', 'workspaces --profile none'];
  lines.push('workspaces --base-url nonsense', 'constructor', 'nonsense and more --unknown', '');
  const worlds: readonly (readonly [argv: readonly string[], world: World])[] = [
    ...[401, 500].map((status) => [fresh, { ...fine, ...service({ message: 'no' }, status) }] as const),
    [fresh, { ...fine, ...service('neither') }],
    [['namespaces', '--fresh'], { ...fine, ...service(workspaces) }],
    [['workspaces', '--fresh', '--debug', '-v', '--insecure'], { ...fine, ...service({}, 404) }],
    [['workspaces'], {}],
    [['workspaces', '--fresh'], { env: { DTP_BASE_URL: env.DTP_BASE_URL } }],
    [['workspace-tokens', '--fresh'], { env: { ...env, DTP_WORKSPACE_ID: '' } }],
    [['workspaces'], { env: { ...env, DTP_TIMEOUT: 'soon' } }],
    [['workspaces'], { env: broken, home }],
    [['profiles'], { env: broken, home }],
    ...lines.map((line) => [line === '' ? [] : line.split(' '), fine] as const),
  ];
  for (const [argv, world] of worlds)
    expect([argv, await dtp(['__complete', ...argv], world)]).toEqual([argv, silence]);
});

test('no credential command is run, because it might prompt', async () => {
  const home = temporaryFolder();
  const commands: string[] = [];
  const exec = async (command: string) => {
    commands.push(command);
    return 'k-1';
  };
  await dtp(['config', 'set', 'base_url', env.DTP_BASE_URL], { home });
  await dtp(['config', 'set', 'credential_command', 'vault read'], { home });
  const { openSend, requests } = service(workspaces);
  expect(await dtp(['__complete', 'workspaces', '--fresh'], { home, openSend, exec })).toEqual(silence);
  expect([commands, requests]).toEqual([[], []]);
  await dtp(['ws', 'list'], { home, openSend, exec });
  expect(commands).toEqual(['vault read']);
});

test('a slow service does not delay the shell, and the next key press gets its response', async () => {
  const { folder, remove } = home();
  onTestFinished(remove);
  const waiting: http.ServerResponse[] = [];
  const server = http.createServer((_, response) => waiting.push(response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const at = { env: { DTP_BASE_URL: `http://127.0.0.1:${port}`, DTP_API_KEY: 'k-1' } };
  const press = () => runProcess(folder, ['__complete', 'workspaces'], at);
  // The service responds only after the call has ended.
  expect(await press()).toEqual(silence);
  while (waiting.length === 0) await sleep(20);
  waiting[0]?.end(JSON.stringify(workspaces));
  const kept = join(folder, 'state/completions');
  const isKept = () => {
    try {
      return readdirSync(kept).some((name) => name.endsWith('.json') && !name.startsWith('.'));
    } catch {
      return false;
    }
  };
  while (!isKept()) await sleep(20);
  expect(await press()).toEqual({ ...silence, stdout: listed });
});

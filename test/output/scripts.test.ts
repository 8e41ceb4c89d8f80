/** Scripts get one complete document or nothing on stdout, an exit code, and no pager. */
import { expect, test } from 'vitest';
import { dtp, type World } from '../support/context.ts';
import { type Reply, service } from '../support/function-service.ts';

const env = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'a-key-of-12',
  DTP_WORKSPACE_ID: 'w_1',
};
const run = (argv: readonly string[], world: World = {}) =>
  dtp(argv, { own: 'w_1', ...world, env: { ...env, ...world.env } });
const none = (): Reply => [204];

test('stdout is one JSON document, whatever is on stderr', async () => {
  const { openSend } = service(() => [200, ['b']]);
  const ended = await run(['suggest', 'items', '--items', 'a', '--prompt', 'p', '-o', 'json', '-v'], {
    openSend,
    env: { HTTPS_PROXY: 'http://127.0.0.1:9' },
  });
  expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, ['b']]);
  expect(ended.stderr).toContain('> POST');
});

test('commands that create and delete also print JSON', async () => {
  const { openSend } = service(none);
  for (const [argv, operation] of [
    [['ws', 'tokens', 'create', '--name', 'x'], 'createWorkspaceToken'],
    [['ws', 'tokens', 'delete', 't_1', '--yes'], 'deleteWorkspaceToken'],
  ] as const) {
    const { stdout } = await run([...argv, '-o', 'json'], { openSend });
    expect(JSON.parse(stdout)).toEqual({ ok: true, operation, status: 204 });
  }
});

test('a failure has a non-zero exit code and an empty stdout', async () => {
  for (const status of [302, 400, 401, 403, 404, 418, 429, 500, 503]) {
    const { openSend } = service(() => [status, { message: 'no' }]);
    const ended = await run(['ws', 'list'], { openSend });
    expect(ended.code).toBeGreaterThan(0);
    expect(ended.stdout).toBe('');
    expect(ended.stderr).not.toBe('');
  }
});

test('a query applies to all pages as one document', async () => {
  const { openSend } = service((_, call) =>
    call === 1 ? [200, { items: [{ id: 1 }], next_page_token: 't' }] : [200, { items: [{ id: 2 }] }],
  );
  const list = ['artifacts', 'revisions', 'list', 'ns', '--all', '--query', 'items[].id', '-o', 'json'];
  expect(JSON.parse((await run(list, { openSend })).stdout)).toEqual([1, 2]);
});

test('a field that no row has is reported', async () => {
  const { openSend } = service(() => [200, [{ id: 1 }]]);
  const fields = async (names: string) => (await run(['ws', 'list', '--fields', names], { openSend })).stderr;
  expect(await fields('id,nmae')).toBe('warning: no field "nmae" in the result; its fields are: id\n');
  expect(await fields('id')).toBe('');
});

test('there is no pager', async () => {
  const rows = Array.from({ length: 500 }, (_, id) => ({ id: `w_${id}` }));
  const { openSend } = service(() => [200, rows]);
  // The test fails if any program is started.
  const { code, stdout } = await run(['ws', 'list'], { openSend, tty: true, env: { PAGER: 'less' } });
  expect([code, stdout.split('\n').length]).toEqual([0, 502]);
});

test('an unknown value of an enum is rejected', async () => {
  for (const argv of [
    ['-o', 'jsn'],
    ['--color', 'maybe'],
    ['--error-format', 'xml'],
  ])
    expect((await run(['ws', 'list', ...argv])).code).toBe(2);
  expect((await run(['ws', 'list'], { env: { DTP_OUTPUT: 'jsn' } })).code).toBe(3);
});

/** Who may use `dtp serve` beyond loopback with what, over TLS. */
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { send } from '../../support/embedded-service.ts';
import { cookieIn } from '../../support/page-service.ts';
import { home, serve } from '../../support/process.ts';

const certificates = resolve(import.meta.dirname, '../../support/tls');
const onLoopback = ['--tls-cert', join(certificates, 'server.pem'), '--tls-key', join(certificates, 'server.key')];
/** In this form, it counts as an IP address beyond loopback. */
const beyond = ['--host', '::ffff:127.0.0.1', ...onLoopback];
const { folder, remove } = home();
afterAll(remove);

type Headers = Readonly<Record<string, string>>;

/** Serves while `use` runs. */
async function serving(
  argv: readonly string[],
  use: (
    ask: (path: string, headers: Headers) => Promise<string>,
    facts: { readonly key: string; readonly workspace: string; readonly url: string },
  ) => Promise<void>,
) {
  const { address, key, workspace_id: workspace, stop } = await serve(folder, ['--ephemeral', ...argv]);
  try {
    const url = `https://127.0.0.1:${new URL(address).port}`;
    const ask = async (path: string, headers: Headers) => {
      const { status, text } = await send(url, 'GET', path, { headers });
      return `${status} ${text}`;
    };
    await use(ask, { key, workspace, url });
  } finally {
    await stop();
  }
}

test.each<readonly [argv: readonly string[], answer: RegExp]>([
  [beyond, /^401 .*dtp serve --open-access-tokens/],
  [[...beyond, '--open-access-tokens'], /^200 /],
  [onLoopback, /^200 /],
])('with %j, the id of a workspace gets %s', async (argv, answer) => {
  await serving(argv, async (ask, { key, workspace }) => {
    const token = `/v1/auth/access_token?workspace_id=${workspace}`;
    for (const path of ['/v1/user', token]) expect(await ask(path, { 'x-api-key': key })).toMatch(/^200 /);
    expect(await ask('/v1/user', { 'x-workspace-identifier': workspace })).toMatch(answer);
    expect(await ask(token, {})).toMatch(answer);
  });
});

test.each<readonly [argv: readonly string[], isShown: boolean]>([
  [beyond, false],
  [[...beyond, '--open-access-tokens'], true],
  [onLoopback, true],
])('with %j, a request with only the id of the workspace is on its page: %s', async (argv, isShown) => {
  await serving(argv, async (ask, { key, workspace, url }) => {
    await ask('/v1/user?from=somebody', { 'x-workspace-identifier': workspace });
    const cookie = cookieIn(await send(url, 'POST', '/-/login', { body: `key=${key}` }));
    expect((await ask('/-/requests', { cookie })).includes('getUser')).toBe(isShown);
  });
});

test.each<readonly [argv: readonly string[], last: RegExp]>([
  [beyond, /^429 .*too many failed log-ins/],
  [onLoopback, /^401 /],
])('with %j, the 21st wrong key gets %s', async (argv, last) => {
  await serving(argv, async (ask) => {
    for (let at = 0; at < 20; at++) expect(await ask('/v1/user', { 'x-api-key': `wrong-${at}` })).toMatch(/^401 /);
    expect(await ask('/v1/user', { 'x-api-key': 'wrong-20' })).toMatch(last);
  });
});

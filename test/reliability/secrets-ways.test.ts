/** Secrets that arrive in unusual ways: standard input, answers, bodies, a broken file, an agent. None leaks. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Send } from '../../src/request/http.ts';
import {
  api,
  canary,
  filesWithSecret,
  key,
  makeHome,
  proxy,
  responseOf,
  secretFormsIn,
  services,
  worldOf,
} from '../support/canary.ts';
import { dtp, type Ended, temporaryFolder } from '../support/context.ts';
import { connectMcp } from '../support/mcp.ts';

const digest = '5738c7ff7aa1f2e70bb693017378bc67';

describe('other ways', () => {
  const none = { env: { ...key, DTP_BASE_URL: api } };
  const clean = (ended: Ended, home: string, may: readonly string[] = []) => {
    expect(secretFormsIn(ended.stdout + ended.stderr), ended.stdout + ended.stderr).toEqual([]);
    expect(filesWithSecret(home)).toEqual(may);
  };

  test('the standard input of a login: stored if it was accepted, and nowhere else', async () => {
    const login = ['auth', 'login', '--base-url', api, '--with-token', '--debug'];
    for (const scheme of ['api-key', 'bearer', 'workspace-identifier'])
      for (const [what, send] of Object.entries(services)) {
        const home = makeHome({});
        const kind = { env: {} };
        const ended = await dtp([...login, '--scheme', scheme], {
          ...worldOf(kind, home, send),
          stdin: `${canary}\n`,
        });
        expect(ended.code === 0, ended.stderr).toBe(what === 'fine');
        clean(ended, home, what === 'fine' ? ['config/config.json 600'] : []);
      }
  });

  test('the query of a signed URL', async () => {
    const signed = `https://store.example.test/file?X-Amz-Signature=${canary}&sig=${canary}`;
    for (const [what, send] of Object.entries(services))
      for (const debug of [[], ['--debug']]) {
        const home = makeHome({});
        const two: Send = (request, options) =>
          request.url.startsWith(api)
            ? Promise.resolve(responseOf(200, JSON.stringify({ url: signed })))
            : send(request, options);
        const argv = ['reports', 'linting-url', digest, '--download', 'out.html', ...debug];
        const ended = await dtp(argv, worldOf(none, home, two));
        // The MD5 is of another file, so the download fails in any case.
        expect([ended.code === 0, ended.stdout], what).toEqual([false, '']);
        clean(ended, home);
      }
  });

  test('the bearer of a namespace', async () => {
    for (const [what, send] of Object.entries(services))
      for (const debug of [[], ['--debug']]) {
        const home = makeHome({});
        const two: Send = (request, options) =>
          request.url.endsWith('/preflight')
            ? Promise.resolve(responseOf(200, JSON.stringify({ auth_token: canary })))
            : send(request, options);
        for (const argv of [
          ['artifacts', 'manifests', 'get', 'n', 'r', '--organization-slug', 'o', '--workspace-slug', 'w'],
          ['artifacts', 'pull', 'o/w/n:r'],
        ]) {
          const ended = await dtp([...argv, ...debug], worldOf(none, home, two));
          if (what === 'not JSON') expect(secretFormsIn(ended.stderr)).toEqual([]);
          else clean(ended, home);
        }
      }
  });

  test('a token of the code host, and other secrets in bodies', async () => {
    const bodies: readonly (readonly [argv: readonly string[], stdin?: string])[] = [
      [['codehost', 'access', 'link', '--codehost-oidc-token', canary]],
      [['codehost', 'access', 'link', '--codehost-oidc-token', '-'], canary],
      [['codehost', 'access', 'link', '-f', `codehost_oidc_token=${canary}`]],
      [['codehost', 'access', 'link', '--body', `{"codehost_oidc_token":"${canary}"}`]],
      [['codehost', 'access', 'link', '--body', '-'], `{"codehost_oidc_token":"${canary}"}`],
      [['codehost', 'publishing-secrets', 'store', '--secrets', `{"NPM_TOKEN":"${canary}"}`]],
      [['codehost', 'publishing-secrets', 'store', '--body', `{"secrets":{"A":"${canary}"}}`]],
      [['api', '/v1/x', '-f', `token=${canary}`]],
    ];
    for (const [argv, stdin] of bodies)
      for (const extra of [['--dry-run'], ['--curl'], ['--debug'], ['-v']]) {
        const home = makeHome({});
        const send: Send = async () => responseOf(500, '{"message":"no"}');
        const ended = await dtp([...argv, '--yes', ...extra], {
          ...worldOf(none, home, send),
          ...(stdin !== undefined && { stdin }),
        });
        clean(ended, home);
      }
  });

  test('an unreadable configuration is saved under another name, and not quoted', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'config'), { mode: 0o700 });
    writeFileSync(join(home, 'config/config.json'), `{"profiles":{"default":{"credential":"${canary}"`, {
      mode: 0o600,
    });
    for (const argv of [
      ['config', 'list'],
      ['ws', 'list', '--debug'],
      ['doctor'],
      ['config', 'set', 'workspace', 'w_2', '--debug'],
    ]) {
      const { stdout, stderr } = await dtp(argv, worldOf(none, home, services.fine as Send));
      expect(secretFormsIn(stdout + stderr), stdout + stderr).toEqual([]);
    }
    expect(filesWithSecret(home)).toEqual([expect.stringMatching(/^config\/config\.json\.unreadable-\w+ 600$/)]);
  });

  test('an agent gets no secret either', async () => {
    const home = makeHome({});
    const server = await connectMcp(home, ['mcp', '--allow-writes', '--debug'], {
      env: {
        DTP_API_KEY: canary,
        DTP_BASE_URL: 'http://127.0.0.1:9',
        HTTPS_PROXY: proxy,
        DTP_WORKSPACE_ID: 'w_1',
      },
    });
    for (const [name, args] of [
      ['ws_list', {}],
      ['ws_tokens_list', {}],
      ['codehost_access_link', { codehost_oidc_token: canary }],
    ] as const)
      await server.call(name, args);
    await server.close();
    expect(server.written().length).toBeGreaterThan(100);
    expect(secretFormsIn(server.written() + server.stderr())).toEqual([]);
    expect(filesWithSecret(home)).toEqual([]);
  });
});

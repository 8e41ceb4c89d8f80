/** Every kind of secret, every place where something is shown or kept: a canary comes out nowhere but where it belongs. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import type { HttpResponse, Send } from '../../src/request/http.ts';
import type { Probe } from '../../src/transport/probe.ts';
import { dtp, type Ended, temporaryFolder, type World } from '../support/context.ts';
import { connectMcp } from '../support/mcp.ts';
import { sampled, seed } from '../support/random.ts';

const canary = 'canary-5ec7e7-of-the-test';
const api = 'https://api.example.test';
const withUser = `https://me:${canary}@api.example.test`;
const proxy = `http://me:${canary}@127.0.0.1:9`;

/** Forms under which it could slip through. */
const forms = [canary, Buffer.from(`me:${canary}`).toString('base64'), [...canary].reverse().join('')];
const shows = (text: string) => forms.filter((form) => text.includes(form));

interface Kind {
  readonly env?: Readonly<Record<string, string>>;
  readonly profile?: Readonly<Record<string, unknown>>;
  readonly argv?: readonly string[];
}

const key = { DTP_API_KEY: 'another-key' };
const kinds: Readonly<Record<string, Kind>> = {
  DTP_API_KEY: { env: { DTP_API_KEY: canary, DTP_BASE_URL: api } },
  DTP_TOKEN: { env: { DTP_TOKEN: canary, DTP_BASE_URL: api } },
  DTP_WORKSPACE_IDENTIFIER: { env: { DTP_WORKSPACE_IDENTIFIER: canary, DTP_BASE_URL: api } },
  'a stored credential': { profile: { base_url: api, credential: canary, credential_origin: api } },
  'what a credential_command prints': { profile: { base_url: api, credential_command: 'vault read key' } },
  'the password of HTTPS_PROXY': { env: { ...key, DTP_BASE_URL: api, HTTPS_PROXY: proxy } },
  'the password of --proxy': { env: { ...key, DTP_BASE_URL: api }, argv: ['--proxy', proxy] },
  'the password of DTP_BASE_URL': { env: { ...key, DTP_BASE_URL: withUser } },
  'the password of --base-url': { env: key, argv: ['--base-url', withUser] },
  'the password of a stored address': { env: key, profile: { base_url: withUser } },
};

const digest = '5738c7ff7aa1f2e70bb693017378bc67';
const lines: readonly (readonly string[])[] = [
  ['ws', 'current'],
  ['ws', 'list', '--retry', '1'],
  ['ws', 'tokens', 'create', '--name', 'n'],
  ['ws', 'tokens', 'create', '--name', 'n', '--dry-run'],
  ['ws', 'tokens', 'create', '--name', 'n', '--curl'],
  ['ws', 'tokens', 'delete', 't_1'],
  ['ws', 'list', '--nosuch'],
  ['ws', 'nosuch'],
  ['orgs', 'add-ons', 'delete', 'webhooks', '--no-input'],
  ['api', '/v1/user', '-i'],
  ['api', '/v1/user', '-i', '-o', 'raw'],
  ['reports', 'linting-url', digest, '--download', 'out.html'],
  ['artifacts', 'manifests', 'get', 'n', 'r'],
  ['artifacts', 'pull', 'n'],
  ['code-samples', 'jobs', 'get', 'j_1', '--wait', '--wait-timeout', '1s'],
  ['events', 'post', '--body', '{"id":"e_1"}'],
  ['events', 'post', '--no-spool', '--body', '{"id":"e_1"}'],
  ['events', 'spool', 'list', '-o', 'json'],
  ['events', 'spool', 'flush'],
  ['auth', 'status'],
  ['config', 'explain'],
  ['config', 'list'],
  ['config', 'get', 'base_url'],
  ['config', 'get', 'credential_command'],
  ['config', 'get', 'credential'],
  ['config', 'set', 'nosuch', 'x'],
  ['doctor'],
  ['schema', 'ws', 'list'],
  ['help', 'environment'],
  ['__complete', 'workspaces'],
];
const more: readonly (readonly string[])[] = [
  [],
  ['-v'],
  ['--debug'],
  ['--debug', '--error-format', 'text', '-o', 'table'],
  ['--debug', '--error-format', 'json', '-o', 'json'],
];

const says = (status: number, body: string, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers: { 'x-request-id': 'r_1', ...headers },
  body: (async function* () {
    yield Buffer.from(body);
  })(),
});
const repeating = JSON.stringify({
  message: `no ${canary}`,
  token: canary,
  details: [{ secret: canary, at: `x?key=${canary}` }],
});
const echoed = {
  'set-cookie': `s=${canary}`,
  'x-echo': canary,
  location: `https://x.example/?sig=${canary}`,
};

/** A service that answers with nothing secret, or repeats in its failures all that it was given. */
const services: Readonly<Record<string, Send>> = {
  fine: async () =>
    says(200, '{"workspace_id":"w_1","org_slug":"o","workspace_slug":"w"}', { 'set-cookie': canary }),
  'a 401': async () => says(401, repeating, echoed),
  'a 422': async () => says(422, repeating, echoed),
  'a 500': async () => says(500, repeating, echoed),
  'a 302': async () => says(302, '', echoed),
  'no JSON': async () => says(200, `<html>${canary}`, { 'set-cookie': canary }),
  'a lost connection': async () => {
    throw new DtpError('network', `lost after ${canary}`, { cause: new Error(`read ${canary}`) });
  },
  'a fault of ours': async () => {
    throw new TypeError(`cannot read ${canary}`);
  },
};

const lost = () => Promise.reject(new DtpError('network', 'nothing is there'));
const probe: Probe = { lookUp: lost, connect: lost } as unknown as Probe;

function prepared({ profile }: Kind): string {
  const home = temporaryFolder();
  mkdirSync(join(home, 'config'), { mode: 0o700 });
  const profiles = profile ? { default: profile } : {};
  writeFileSync(join(home, 'config/config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
  return home;
}

const worldOf = (kind: Kind, home: string, send: Send, asked: string[] = []): World => {
  let now = 0;
  return {
    home,
    env: {
      DTP_WORKSPACE_ID: 'w_1',
      DTP_OUTPUT_FILE: join(home, 'journal.ndjson'),
      GITHUB_ACTIONS: 'true',
      ...kind.env,
    },
    openSend: async () => ({ send, close: async () => undefined }),
    openProbe: async () => probe,
    exec: async () => canary,
    runAside: async (argv) => {
      asked.push(...argv);
      return undefined;
    },
    // Waits pass at once; deadlines, which are long, never come.
    clock: {
      now: () => now,
      sleep: (ms, signal) =>
        new Promise((done, failed) => {
          const abort = () => failed(signal?.reason);
          signal?.addEventListener('abort', abort);
          if (ms >= 10_000) return;
          now += ms;
          setImmediate(() => {
            signal?.removeEventListener('abort', abort);
            done();
          });
        }),
    },
  };
};

/** Files below a folder that hold it, and their modes. */
const holding = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => shows(readFileSync(file, 'latin1')).length > 0 || shows(file).length > 0)
    .map((file) => `${file.slice(folder.length + 1)} ${(statSync(file).mode & 0o777).toString(8)}`);

const cases = Object.entries(kinds).flatMap(([name, kind]) =>
  lines.flatMap((line) =>
    Object.entries(services).flatMap(([what, send]) =>
      more.map((extra) => ({ name, kind, line, what, send, extra })),
    ),
  ),
);
const drawn = new Set(sampled(cases, 600));

describe(`kinds, seed ${seed}`, () => {
  test.each(Object.entries(kinds))('%s', async (name, kind) => {
    const may =
      kind.profile && shows(JSON.stringify(kind.profile)).length > 0 ? ['config/config.json 600'] : [];
    for (const one of cases.filter((each) => each.name === name && drawn.has(each))) {
      const home = prepared(kind);
      const asked: string[] = [];
      const argv = [...one.line, ...(kind.argv ?? []), ...one.extra];
      const { stdout, stderr } = await dtp(argv, worldOf(kind, home, one.send, asked));
      const told = `${argv.join(' ')}, ${one.what}`;
      // A text that the service says of its own accord is its result, whatever it holds.
      const isResult = one.what === 'no JSON' && one.line[0] === 'api';
      if (!isResult) expect(shows(stdout), `stdout of ${told}: ${stdout}`).toEqual([]);
      expect(shows(stderr), `stderr of ${told}: ${stderr}`).toEqual([]);
      // What was typed is in the process' own arguments already.
      if (!kind.argv) expect(shows(asked.join(' ')), `arguments of ${told}`).toEqual([]);
      expect(holding(home), `the disk after ${told}`).toEqual(may);
    }
  });
});

describe('on its own way', () => {
  const none = { env: { ...key, DTP_BASE_URL: api } };
  const clean = (ended: Ended, home: string, may: readonly string[] = []) => {
    expect(shows(ended.stdout + ended.stderr), ended.stdout + ended.stderr).toEqual([]);
    expect(holding(home)).toEqual(may);
  };

  test('the standard input of a login: kept where it was accepted, and in no other place', async () => {
    const login = ['auth', 'login', '--base-url', api, '--with-token', '--debug'];
    for (const scheme of ['api-key', 'bearer', 'workspace-identifier'])
      for (const [what, send] of Object.entries(services)) {
        const home = prepared({});
        const kind = { env: {} };
        const ended = await dtp([...login, '--scheme', scheme], {
          ...worldOf(kind, home, send),
          stdin: `${canary}\n`,
        });
        expect(ended.code === 0, ended.stderr).toBe(what === 'fine');
        clean(ended, home, what === 'fine' ? ['config/config.json 600'] : []);
      }
  });

  test('the query of a signed address', async () => {
    const signed = `https://store.example.test/file?X-Amz-Signature=${canary}&sig=${canary}`;
    for (const [what, send] of Object.entries(services))
      for (const debug of [[], ['--debug']]) {
        const home = prepared({});
        const two: Send = (request, options) =>
          request.url.startsWith(api)
            ? Promise.resolve(says(200, JSON.stringify({ url: signed })))
            : send(request, options);
        const argv = ['reports', 'linting-url', digest, '--download', 'out.html', ...debug];
        const ended = await dtp(argv, worldOf(none, home, two));
        // The MD5 is of another file: it fails whatever comes.
        expect([ended.code === 0, ended.stdout], what).toEqual([false, '']);
        clean(ended, home);
      }
  });

  test('the bearer of a namespace', async () => {
    for (const [what, send] of Object.entries(services))
      for (const debug of [[], ['--debug']]) {
        const home = prepared({});
        const two: Send = (request, options) =>
          request.url.endsWith('/preflight')
            ? Promise.resolve(says(200, JSON.stringify({ auth_token: canary })))
            : send(request, options);
        for (const argv of [
          ['artifacts', 'manifests', 'get', 'n', 'r', '--organization-slug', 'o', '--workspace-slug', 'w'],
          ['artifacts', 'pull', 'o/w/n:r'],
        ]) {
          const ended = await dtp([...argv, ...debug], worldOf(none, home, two));
          if (what === 'no JSON') expect(shows(ended.stderr)).toEqual([]);
          else clean(ended, home);
        }
      }
  });

  test('a token of the code host, and other secrets of bodies', async () => {
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
        const home = prepared({});
        const send: Send = async () => says(500, '{"message":"no"}');
        const ended = await dtp([...argv, '--yes', ...extra], {
          ...worldOf(none, home, send),
          ...(stdin !== undefined && { stdin }),
        });
        clean(ended, home);
      }
  });

  test('a configuration that cannot be read is kept aside, and not quoted', async () => {
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
      expect(shows(stdout + stderr), stdout + stderr).toEqual([]);
    }
    expect(holding(home)).toEqual([expect.stringMatching(/^config\/config\.json\.unreadable-\w+ 600$/)]);
  });

  test('an agent gets none either', async () => {
    const home = prepared({});
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
    expect(shows(server.written() + server.stderr())).toEqual([]);
    expect(holding(home)).toEqual([]);
  });
});

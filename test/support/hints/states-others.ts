/** States of credentials, the agent server, certificates, and other commands. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createProxy } from 'node:net';
import { join } from 'node:path';
import { dtp } from '../context.ts';
import { service } from '../function-service.ts';
import { tls } from '../tls-server.ts';
import { base, completeEnv, type State } from './run.ts';
import { probed, state, stores } from './states-settings.ts';

const json = { 'content-type': 'application/json' };
const terminal = { tty: true } as const;
type Answer = NonNullable<State['answer']>;

const refused =
  (part: RegExp): Answer =>
  ({ url }) =>
    part.test(url) ? [401, { message: 'expired' }, json] : undefined;

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
export const idToken = `${part({ alg: 'RS256' })}.${part({ sub: 'x' })}.c2ln`;

const credentials: readonly State[] = [
  state('the token of a preflight is refused', 'artifacts manifests get pets v1', {
    env: completeEnv,
    answer: refused(/\/oci\//),
  }),
  state('a publishing token expired', 'publishing-tokens target p_1', {
    env: completeEnv,
    answer: refused(/\/target/),
    later: () => undefined,
  }),
  state('the credential of a command is refused', 'ws list', {
    env: {},
    prepare: stores({ work: { base_url: base, credential_command: 'true' } }),
    world: { exec: async () => 'k-1' },
    answer: refused(/workspaces/),
  }),
  state('an OIDC token on GitLab', 'auth oidc-token', {
    env: { ...completeEnv, GITLAB_CI: 'true', DTP_ID_TOKEN: idToken },
    instead: 'auth oidc-token --variable DTP_ID_TOKEN',
    fill: { DTP_ID_TOKEN: idToken },
  }),
  state('a credential as a setting', 'config set api_credential x', { env: completeEnv }),
];

const others: readonly State[] = [
  state('a page in place of data', 'ws list', {
    env: completeEnv,
    world: probed,
    answer: () => [200, Buffer.from('<!doctype html><title>log in</title>'), { 'content-type': 'text/html' }],
    later: () => undefined,
  }),
  state('an unreadable answer of a creation', 'ws create --name x', {
    env: completeEnv,
    answer: ({ method }) => (method === 'POST' ? [200, Buffer.from('{"id":NaN}'), json] : undefined),
  }),
  state('a dry run with a name', 'ws tokens list -w acme --dry-run', { env: completeEnv }),
  state('a curl command for the embedded service', '--profile local ws list --curl', { env: {} }),
  state('an unknown fault', 'dev --fail nope=503 -- true', { env: {} }),
  state('an unknown fault of serve', 'serve --drop nope=before-request', { env: {} }),
  state('a link that is not safe', 'open', {
    env: completeEnv,
    world: terminal,
    prepare: async ({ home, cwd }) => {
      const { openSend } = service(() => [200, { url: 'ftp://x.example/1' }, json]);
      const line = 'reports upload --type linting --file sample.html';
      await dtp(line.split(' '), { home, cwd, env: completeEnv, openSend, tty: true });
    },
  }),
];

const call = (name: string, args: object): string =>
  [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name, arguments: args } },
  ]
    .map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`)
    .join('');
const mcp = (name: string, tool: string, args: object, more: Partial<State> = {}): State =>
  state(`mcp: ${name}`, 'mcp', { env: completeEnv, ...more, world: { stdin: call(tool, args) } });

const tools: readonly State[] = [
  state('mcp: no folder', 'mcp', {
    env: completeEnv,
    inHome: true,
    world: { stdin: call('code_samples_preview', { language: 'go', schema_file: { path: 'x.yaml' } }) },
  }),
  mcp('a tool that writes', 'ws_create', { body: { name: 'x' } }),
  mcp(
    'a result that is too long',
    'ws_list',
    {},
    {
      answer: ({ url }) =>
        url.endsWith('/workspaces')
          ? [200, Array.from({ length: 3000 }, (_, at) => ({ id: `w_${at}`, name: 'x'.repeat(500) })), json]
          : undefined,
    },
  ),
];

export const otherStates: readonly State[] = [...credentials, ...others, ...tools];

/** Servers that refuse: a proxy with each of these statuses, and one whose port is taken. */
const refusing = [407, 403] as const;

/** Servers with certificates that are not trusted, and servers that refuse. */
export async function openTlsStates(): Promise<{ states: readonly State[]; close: () => void }> {
  const servers = await Promise.all(
    ['self-signed.pem', 'server.pem'].map(async (name) => {
      const server = createServer({ key: tls('server.key'), cert: tls(name) }, (_, response) => {
        response.setHeader('content-type', 'application/json').end('[]');
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      return { name, server, port: (server.address() as AddressInfo).port };
    }),
  );
  const others = await Promise.all(
    refusing.map(async (status) => {
      const server = createProxy((client) => client.once('data', () => client.end(`HTTP/1.1 ${status} No\r\n\r\n`)));
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      return { status, server, port: (server.address() as AddressInfo).port };
    }),
  );
  const proxies = others.map(({ status, port }) =>
    state(`a proxy that refuses: ${status}`, 'ws list', {
      env: { ...completeEnv, HTTPS_PROXY: `http://127.0.0.1:${port}` },
      isReal: 'first',
      fill: { NO_PROXY: 'api.example.test' },
    }),
  );
  const taken = state('a port that is taken', `serve --ephemeral --port ${others[0]?.port}`, {
    env: {},
    exits: 1,
  });
  const untrusted = servers.map(({ name, port }) =>
    state(`a certificate that is not trusted: ${name}`, `ws list --base-url https://localhost:${port}`, {
      env: { DTP_API_KEY: 'k-1' },
      isReal: true,
      fill: { FILE: 'trusted.pem' },
      prepare: ({ cwd }) => writeFileSync(join(cwd, 'trusted.pem'), tls(name === 'server.pem' ? 'ca.pem' : name)),
    }),
  );
  return {
    states: [...untrusted, ...proxies, taken],
    close: () => {
      for (const { server } of [...servers, ...others]) server.close();
    },
  };
}

/** States of the configuration, the queue, the network, and the embedded service. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DtpError } from '../../../src/errors.ts';
import { dtp } from '../context.ts';
import { base, completeEnv, healthyResponse, type Place, type State } from './run.ts';

export const profile = { base_url: base, credential: 'k-1', credential_origin: base };

/** Stores a configuration. */
export const stores =
  (profiles: object | string, mode = 0o600) =>
  ({ home }: Place): void => {
    mkdirSync(join(home, 'config'), { recursive: true, mode: 0o700 });
    const text = typeof profiles === 'string' ? profiles : JSON.stringify({ current: 'work', profiles });
    writeFileSync(join(home, 'config', 'config.json'), text, { mode });
    chmodSync(join(home, 'config', 'config.json'), mode);
  };

const folderFile =
  (text: string) =>
  ({ cwd }: Place): void => {
    mkdirSync(join(cwd, '.git'));
    writeFileSync(join(cwd, '.dtp.json'), text, { mode: 0o644 });
  };

export const state = (name: string, line: string, more: Partial<State> = {}): State => ({
  name,
  line,
  ...more,
});
const noKey = { DTP_BASE_URL: base };
const away = () => new DtpError('network', 'away', { retryable: true });
const probe = {
  lookUp: async () => ['192.0.2.1'],
  reach: async () => undefined,
  reachProxy: async () => undefined,
};
export const probed = { openProbe: async () => probe } as NonNullable<State['world']>;
const unreached = {
  openProbe: async () => ({
    ...probe,
    lookUp: () => Promise.reject(new DtpError('network', 'no such host')),
  }),
} as NonNullable<State['world']>;
export const isEvents = (url: string) => url.endsWith('/events');

/** The access token is for the other workspace. */
export const ofToken: NonNullable<State['later']> = ({ url, headers }) =>
  /validate|auth/.test(url) && /^(Bearer )?t-1$/m.test(Object.values(headers).join('\n'))
    ? [200, { workspace_id: 'w_2' }, { 'content-type': 'application/json' }]
    : undefined;

const settings: readonly State[] = [
  state('no base URL', 'ws list', { env: {} }),
  state('no base URL in CI', 'ws list', { env: { CI: 'true' } }),
  state('no credential', 'ws list', { env: noKey }),
  state('no credential in CI', 'ws list', { env: { ...noKey, CI: 'true' } }),
  ...['ws tokens list', 'ws tokens delete t_1 --yes', 'events list g_1', 'ws get'].map((line) =>
    state(`no workspace: ${line}`, line, { env: { ...noKey, DTP_API_KEY: 'k-1' } }),
  ),
  ...['artifacts namespaces list', 'artifacts namespaces list --profile work'].map((line) =>
    state(`another workspace: ${line}`, line, {
      later: ofToken,
      env: { ...completeEnv, DTP_WORKSPACE_ID: 'w_2' },
      prepare: stores({ work: { ...profile, credential_workspace: 'w_1' } }),
    }),
  ),
  state('another workspace, stored', 'artifacts namespaces list', {
    env: {},
    later: ofToken,
    prepare: stores({ work: { ...profile, workspace: 'w_2', credential_workspace: 'w_1' } }),
  }),
  state('ws use of another workspace', 'ws use w_2', {
    env: {},
    prepare: stores({ work: { ...profile, credential_workspace: 'w_1' } }),
  }),
  state('ws use of nothing', 'ws use', { env: {}, prepare: stores({ work: profile }) }),
  state('plain http', 'ws list --base-url http://api.example.test', { env: completeEnv }),
  state('an unknown profile', 'ws list --profile nope', { env: completeEnv }),
  state('a misspelled profile', 'ws list --profile wrk', { env: {}, prepare: stores({ work: profile }) }),
  state('a misspelled setting', 'config get base-url', { env: {}, prepare: stores({ work: profile }) }),
  state('a setting that is not stored', 'config get base_url', { env: completeEnv }),
  state('a login for another service', 'auth login --base-url https://other.example.test --with-token', {
    env: {},
    prepare: stores({ work: profile }),
    world: { stdin: 'k-2' },
  }),
  state('a login at the embedded service', 'auth login --base-url local:', {
    env: {},
    instead: 'ws current',
  }),
  state('config use', 'config use work', { env: {}, prepare: stores({ work: profile }) }),
  state('config use that a variable overrides', 'config use work', {
    env: { DTP_PROFILE: 'other' },
    instead: 'ws list',
    prepare: stores({ work: profile, other: profile }),
  }),
  state('config delete', 'config delete work --yes', {
    env: {},
    prepare: stores({ work: profile, other: profile }),
  }),
  state('a broken configuration', 'ws list', { env: {}, prepare: stores('{') }),
  state('a change of a broken configuration', 'config set output json', { env: {}, prepare: stores('{') }),
  state('a credential that expired', 'ws list', {
    env: {},
    prepare: stores({ work: profile }),
    answer: ({ headers }) => (headers['x-api-key'] === 'k-1' ? [401, { message: 'expired' }] : undefined),
  }),
  state('a credential that expired in CI', 'ws list', {
    env: { CI: 'true' },
    prepare: stores({ work: profile }),
    answer: ({ headers }) => (headers['x-api-key'] === 'k-1' ? [401, { message: 'expired' }] : undefined),
  }),
  state('a credential of --profile that expired in CI', 'ws list --profile work', {
    env: { CI: 'true' },
    prepare: stores({ work: profile }),
    answer: ({ headers }) => (headers['x-api-key'] === 'k-1' ? [401, { message: 'expired' }] : undefined),
  }),
  state('another workspace, stored, in CI', 'artifacts namespaces list', {
    env: { CI: 'true' },
    fill: { DTP_API_KEY: 't-1' },
    prepare: stores({ work: { ...profile, workspace: 'w_2', credential_workspace: 'w_1' } }),
    later: ofToken,
  }),
  state('another workspace of --profile in CI', 'artifacts namespaces list --profile work', {
    env: { CI: 'true' },
    prepare: stores({ work: { ...profile, workspace: 'w_2', credential_workspace: 'w_1' } }),
    later: ofToken,
  }),
  state('a credential of another service', 'ws list --base-url https://other.example.test', {
    env: {},
    prepare: stores({ work: profile }),
  }),
  state('a credential_command that fails', 'ws list', {
    env: {},
    prepare: stores({ work: { base_url: base, credential_command: 'false' } }),
    world: { exec: () => Promise.reject(new DtpError('config', 'the command failed')) },
  }),
  state('a credential_command without a base URL', 'ws list', {
    env: { DTP_BASE_URL: 'https://other.example.test' },
    prepare: stores({ work: { credential_command: 'true' } }),
    world: { exec: async () => 'k-1' },
  }),
  state('a folder file that is not trusted', 'ws list', {
    env: {},
    fails: /no credential for/,
    prepare: folderFile(`{"base_url":"${base}"}`),
  }),
  state('a folder file with an unknown key', 'ws list', {
    env: completeEnv,
    prepare: folderFile('{"bas_url":1}'),
  }),
  state('a broken folder file', 'ws list', { env: completeEnv, prepare: folderFile('{') }),
  ...['doctor', 'doctor --profile nope', 'doctor --profile local', 'doctor --timeout soon'].map((line) =>
    state(`a new machine: ${line}`, line, { env: {}, world: probed }),
  ),
  state('doctor in CI', 'doctor', { env: { CI: 'true' }, world: probed }),
  state('doctor without a credential', 'doctor', { env: noKey, world: probed }),
  state('doctor without DNS', 'doctor', { env: completeEnv, world: unreached }),
  state('doctor without DNS and a credential', 'doctor', { env: noKey, world: unreached }),
  state('doctor and two credentials', 'doctor', { env: { ...completeEnv, DTP_TOKEN: 't' }, world: probed }),
  state('doctor and a refused credential', 'doctor', {
    env: completeEnv,
    world: probed,
    answer: () => [401, { message: 'no' }],
  }),
  state('doctor and a limit', 'doctor', {
    env: completeEnv,
    world: probed,
    answer: ({ url }) => (url.includes('/access') ? [200, { generation_allowed: false }] : undefined),
  }),
  state('doctor and another workspace', 'doctor', {
    env: { ...completeEnv, DTP_WORKSPACE_ID: 'w_2' },
    world: probed,
  }),
  state('doctor and a folder file', 'doctor', {
    env: {},
    world: probed,
    prepare: folderFile(`{"base_url":"${base}"}`),
  }),
  state('doctor and a readable configuration', 'doctor', {
    env: {},
    world: probed,
    prepare: stores({ work: { ...profile, theme: 1 }, local: {} }, 0o644),
  }),
  state('doctor and old Node', 'doctor', {
    env: completeEnv,
    world: { ...probed, runtime: { version: 'v18.0.0', platform: 'linux' } },
  }),
];

/** Runs a command in the same home, as an earlier command. */
export const earlier =
  (line: string, answer: State['answer'], env: Readonly<Record<string, string>> = completeEnv) =>
  async ({ home, cwd }: Place): Promise<void> => {
    const { service } = await import('../function-service.ts');
    const { openSend } = service((request) => (answer?.(request) as never) ?? healthyResponse(request));
    await dtp(line.split(' '), { home, cwd, env, openSend });
  };

export const next = 'events post --interaction-type LINT --success';
/** The time limit is for a service that is down. */
export const post = `${next} --timeout 50ms`;
export const refusedEvents: NonNullable<State['answer']> = ({ url }) =>
  isEvents(url) ? [400, { message: 'bad event' }] : undefined;
export const down: NonNullable<State['answer']> = ({ url }) => (isEvents(url) ? away() : undefined);

const queue: readonly State[] = [
  state('the service is down', post, { env: completeEnv, answer: down, later: () => undefined }),
  state('the service is down for another workspace', `${post} -w w_2 --base-url https://other.example.test`, {
    env: completeEnv,
    answer: down,
    later: () => undefined,
  }),
  state('an event is refused', next, { env: completeEnv, answer: refusedEvents }),
  ...['doctor', 'events queue list', 'events queue flush', 'events queue drop nope', post].flatMap((line) => [
    state(`pending events: ${line}`, line, { env: completeEnv, world: probed, prepare: earlier(post, down) }),
    state(`rejected events: ${line}`, line, {
      env: completeEnv,
      world: probed,
      prepare: earlier(next, refusedEvents),
    }),
  ]),
  state('events of another service', 'events queue flush', {
    env: { ...completeEnv, DTP_BASE_URL: 'https://other.example.test' },
    prepare: earlier(post, down),
  }),
  state('events of an embedded service that has ended', 'events queue flush', {
    env: completeEnv,
    prepare: earlier(post, down, { ...completeEnv, DTP_BASE_URL: 'http://127.0.0.1:4001' }),
  }),
];

const local = (line: string, prepare: State['prepare'] = undefined): State => ({
  name: `the embedded service: ${line}`,
  line: `--profile local ${line}`,
  env: {},
  world: { tty: true },
  ...(prepare && { prepare }),
});
const alone = (line: string) => earlier(`--profile local ${line}`, undefined, {});

const embedded: readonly State[] = [
  { ...local('ws tokens create --name ci'), instead: '--profile local ws current' },
  local('ws create --name Petstore --slug petstore'),
  local('ws team grant ann@example.com'),
  local('events search'),
  local('events search --limit 1', alone('events post --interaction-type LINT --success')),
  local('events post --interaction-type LINT --success'),
  local('artifacts push openapi.yaml --namespace pets --tag v1'),
  local('artifacts tags list pets', alone('artifacts push openapi.yaml --namespace pets --tag v1')),
  local('artifacts pull nope:v9 -O out', alone('artifacts push openapi.yaml pets:v1')),
  local('artifacts pull pets:v9 -O out', alone('artifacts push openapi.yaml --namespace pets --tag v1')),
  local('artifacts pull pets -O .', alone('artifacts push openapi.yaml --namespace pets --tag latest')),
  local('code-samples jobs get j_9'),
  local('ws tokens delete nope --yes'),
  local('publishing-tokens get nope'),
  local('orgs get nope'),
  local('reports upload --type linting --file sample.html'),
  { ...local('artifacts push openapi.yaml'), world: {} },
  { ...local('artifacts pull', alone('artifacts push openapi.yaml --namespace pets --tag v1')), world: {} },
  state('init with CI', 'init --local --ci print --no-event', { env: {} }),
  state('init', 'init --local', { env: {} }),
];

const network: readonly State[] = [
  state('a refused connection', 'ws list --base-url http://127.0.0.1:1', { env: completeEnv, isReal: true }),
  state('a proxy that is down', 'ws list --proxy http://127.0.0.1:1', {
    env: completeEnv,
    isReal: 'first',
  }),
  state('a login page', 'ws list', {
    env: completeEnv,
    answer: () => [200, '<html>', { 'content-type': 'text/html' }],
  }),
  state('a redirect', 'ws list', {
    env: completeEnv,
    answer: () => [302, '', { location: 'https://x.example' }],
  }),
  state('an unknown timeout', 'ws list --timeout 1ms', {
    env: completeEnv,
    answer: () => new DtpError('timeout', 'no response within 1 ms'),
  }),
  state('a job that runs', 'code-samples jobs get j_1', {
    env: completeEnv,
    answer: () => [202, { status: 'running' }],
    // Otherwise, --wait waits for ten minutes.
    later: () => undefined,
  }),
  state('a job that runs on', 'code-samples jobs get j_1 --wait --wait-timeout 1ms', {
    env: completeEnv,
    answer: () => [202, { status: 'running' }],
    later: () => undefined,
  }),
  state('an existing file', 'ws list -O openapi.yaml', { env: completeEnv }),
  state('a refused API path', 'api -X PUT /v1/user --body {}', { env: completeEnv, answer: () => [422, {}] }),
];

export const settingStates: readonly State[] = [...settings, ...queue, ...embedded, ...network];

/** States that print advice about a flag or a variable, because of files, folders, or the command line. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { base, completeEnv, type Place, type State } from './run.ts';
import { down, earlier, next, post, probed, profile, state, stores } from './states-settings.ts';

type Answer = NonNullable<State['answer']>;
const json = { 'content-type': 'application/json' };
const terminal = { tty: true } as const;
const well: Answer = () => undefined;

const document = (text: string) =>
  `openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0 }\npaths:\n  /x: { $ref: '${text}' }\n`;
const push = 'artifacts push openapi.yaml --namespace pets --tag v1';

const files: readonly State[] = [
  state('a link out of the folder', '--profile local artifacts push work.yaml --namespace pets --tag v1', {
    env: {},
    prepare: ({ home, cwd }) => {
      mkdirSync(join(cwd, '.git'));
      writeFileSync(join(home, 'pets.yaml'), document('#/paths').replace(/paths:.*/s, 'paths: {}\n'));
      symlinkSync(join(home, 'pets.yaml'), join(cwd, 'work.yaml'));
    },
  }),
  state('a hidden file', `--profile local ${push}`, {
    env: {},
    prepare: ({ cwd }) => {
      writeFileSync(join(cwd, 'openapi.yaml'), document('./.more.yaml'));
      writeFileSync(join(cwd, '.more.yaml'), 'get: {}\n');
    },
  }),
  state('a name that is not allowed', '--profile local artifacts pull pets:v1 -O nul', {
    env: {},
    prepare: earlier(`--profile local ${push}`, undefined, {}),
  }),
  state('a target that is a file', '--profile local artifacts pull pets:v1 -O sample.html', {
    env: {},
    prepare: earlier(`--profile local ${push}`, undefined, {}),
  }),
  state('a target that is not empty', '--profile local artifacts pull pets:v1 -O full', {
    env: {},
    prepare: async (place) => {
      mkdirSync(join(place.cwd, 'full'));
      writeFileSync(join(place.cwd, 'full', 'x'), '');
      await earlier(`--profile local ${push}`, undefined, {})(place);
    },
  }),
  state(
    'a folder for code samples that is a file',
    'code-samples preview --schema-file openapi.yaml --language go --out-dir sample.html/x',
    {
      env: completeEnv,
    },
  ),
  state('a URL of a report that is not safe', 'reports upload --type linting --file sample.html --open', {
    env: completeEnv,
    world: terminal,
    answer: ({ url }) => (/report/.test(url) ? [200, { url: 'ftp://x.example/1' }, json] : undefined),
  }),
  state('a CI job that exists', 'init --base-url https://api.example.test --with-token --ci write --no-event', {
    env: {},
    world: { stdin: 'k-1' },
    prepare: ({ cwd }) => {
      mkdirSync(join(cwd, '.git'));
      mkdirSync(join(cwd, '.github/workflows'), { recursive: true });
      writeFileSync(join(cwd, '.github/workflows/dtp.yml'), '');
    },
  }),
];

/** Its workspace is not known yet, which would make a folder. */
const other = { ...completeEnv, DTP_API_KEY: 'k-9' };

const isAFile =
  (...path: readonly string[]) =>
  ({ home }: Place) =>
    writeFileSync(join(home, ...path), 'x');

const folders: readonly State[] = [
  ...['DTP_STATE_DIR', 'DTP_CONFIG_DIR', 'DTP_DATA_DIR'].map((name) =>
    state(`doctor: ${name} is a file`, 'doctor', {
      env: other,
      world: probed,
      prepare: isAFile(name.slice(4, -4).toLowerCase()),
    }),
  ),
  state('the queue is a file', next, {
    env: other,
    answer: down,
    later: well,
    prepare: isAFile('state'),
  }),
  state('the folder of the queue is open to others', next, {
    env: completeEnv,
    answer: down,
    later: well,
    prepare: async (place) => {
      await earlier(post, down)(place);
      chmodSync(join(place.home, 'state'), 0o777);
    },
  }),
  state('the queue is full', next, {
    exits: 1,
    env: { ...completeEnv, DTP_QUEUE_MAX_BYTES: '1' },
    answer: down,
    later: well,
  }),
  state('the embedded service is broken', '--profile local ws list', {
    env: {},
    prepare: ({ home }) => {
      mkdirSync(join(home, 'data'), { recursive: true });
      writeFileSync(join(home, 'data', 'service.db'), 'x'.repeat(5000));
    },
  }),
  state('a configuration that others can change', 'ws list', {
    env: {},
    prepare: stores({ work: profile }, 0o666),
    fails: /the credential comes from/,
  }),
  state('a credential that others can change', 'ws list', {
    env: { DTP_BASE_URL: base },
    prepare: stores({ work: profile }, 0o666),
  }),
  state('a folder file that selects a profile', 'ws list', {
    env: {},
    prepare: (place) => {
      stores({ work: profile, other: profile })(place);
      mkdirSync(join(place.cwd, '.git'));
      writeFileSync(join(place.cwd, '.dtp.json'), '{"profile":"work"}');
    },
  }),
  state('a folder that is not UTF-8', 'config list', { env: { ...completeEnv, DTP_CONFIG_DIR: '/x\ufffd' } }),
  state(
    'a login at a built-in profile',
    'auth login --profile local --base-url https://api.example.test --with-token',
    {
      env: {},
      world: { stdin: 'k-2' },
    },
  ),
  state('a workspace of a built-in profile', 'ws use default --profile local', {
    env: {},
    instead: '--profile local ws tokens list',
  }),
];

const lines: readonly State[] = [
  state('a field of a record is missing', 'ws tokens create', {
    env: completeEnv,
    fill: { '--body': '{"name":"x"}' },
  }),
  state('an argument and its flag', 'schema-store get a_1 --id b_1', { env: completeEnv }),
  ...['--dry-run', '--curl'].map(
    (flag): State => ({
      name: `an event that cannot be shown: ${flag}`,
      line: ['events', 'post', '--body', '{"id":"e_1","lint_report_info_count":1e400}', '--no-check', flag],
      env: completeEnv,
    }),
  ),
  state('tail as a table with fields', 'events tail -o table --fields id', { env: completeEnv }),
  state('tail with many events', 'events tail --since 2020-01-01', {
    env: completeEnv,
    later: well,
    world: terminal,
    lasts: true,
    answer: ({ url }) => {
      const size = Number(new URL(url).searchParams.get('limit') ?? 1000);
      return /events/.test(url)
        ? [200, Array.from({ length: size }, (_, at) => ({ id: `e_${at}`, created_at: '2026-01-01T00:00:00Z' })), json]
        : undefined;
    },
  }),
  state(
    'a folder file without a workspace',
    'init --base-url https://api.example.test --with-token --folder-file --no-event',
    {
      env: {},
      world: { stdin: 'k-1' },
      answer: ({ url }) => (url.includes('validate') ? [200, {}, json] : undefined),
    },
  ),
  state('a number that is not exact', 'ws create -F name=123456789012345678901', {
    env: completeEnv,
    fill: { '-f': 'name=123456789012345678901' },
    instead: 'ws create',
  }),
  state('a document and a summary', 'suggest from-summary --schema openapi.yaml --oas-summary {}', {
    env: completeEnv,
  }),
  state('a tool that is not enabled', 'mcp --tools ws_list', {
    env: completeEnv,
    fill: { '--tools': 'ws_get' },
    world: {
      stdin: [
        {
          id: 1,
          method: 'initialize',
          params: {
            protocolVersion: '2025-06-18',
            capabilities: {},
            clientInfo: { name: 'test', version: '1' },
          },
        },
        { method: 'notifications/initialized' },
        { id: 2, method: 'tools/call', params: { name: 'ws_get', arguments: {} } },
      ]
        .map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`)
        .join(''),
    },
  }),
];

export const placeStates: readonly State[] = [...files, ...folders, ...lines];

/** States that print advice about a flag or a variable, because of a result or of the network. */
import { createHash } from 'node:crypto';
import { DtpError } from '../../../src/errors.ts';
import { lateError } from '../../../src/transport/failures.ts';
import { completeEnv, type State } from './run.ts';
import { ofToken, state } from './states-settings.ts';

const json = { 'content-type': 'application/json' };
type Answer = NonNullable<State['answer']>;
const terminal = { tty: true } as const;
const well: Answer = () => undefined;

/** The answer to the request of the command itself. */
const answers =
  (part: RegExp, body: unknown, type = 'application/json'): Answer =>
  ({ url }) =>
    part.test(new URL(url).pathname) ? [200, body, { 'content-type': type }] : undefined;

const repeated = (count: number, row: (at: number) => unknown) => Array.from({ length: count }, (_, at) => row(at));
const record = (count: number, value: unknown) =>
  Object.fromEntries(repeated(count, (at) => [`f${at}`, value]) as [string, unknown][]);
/** Of `ws list`. */
const shown = (name: string, line: string, body: unknown, more: Partial<State> = {}) =>
  state(name, line, { env: completeEnv, answer: answers(/\/workspaces$/, body), ...more });
const many = repeated(12_000, () => record(50, 1));
const long = 'x'.repeat(17 * 1024 * 1024);
const huge = () => Buffer.alloc(65 * 1024 * 1024, 'x');
const bytes: Answer = ({ url }) =>
  /blobs/.test(url) ? [200, huge(), { 'content-type': 'application/octet-stream' }] : undefined;
const digest = createHash('sha256').update(huge()).digest('hex');
const blob = `artifacts blobs get pets sha256:${digest}`;

/** JSON with more values than fit in memory, in few bytes. */
const heavy = () => Buffer.concat([Buffer.from('['), Buffer.alloc(45_000_000, '[],'), Buffer.from('0]')]);

const results: readonly State[] = [
  state('too many values for memory', 'api /v1/user -o json', {
    env: completeEnv,
    answer: answers(/user$/, heavy()),
  }),
  state('too many cells', 'api /v1/user -o table', {
    env: completeEnv,
    answer: answers(/user$/, many),
    fill: { '--fields': 'f1', '--query': '[0:9]' },
  }),
  shown(
    'too many characters',
    'ws get -o table',
    {},
    {
      world: terminal,
      answer: answers(/\/workspace/, { id: long }),
      fill: { '--fields': 'name', '--query': 'length(id)' },
    },
  ),
  state('too many fields', 'api /v1/user -o table', {
    env: completeEnv,
    answer: answers(/user$/, [record(101, 1)]),
    fill: { '--fields': 'f1' },
  }),
  state('a hidden value', 'publishing-tokens get p_1', {
    env: completeEnv,
    world: terminal,
    answer: answers(/publishing-token/, { id: 'p_1', token: 's' }),
  }),
  shown('nested too deeply', 'ws list', Buffer.from(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)),
  shown('a line for the runner', 'ws list -o csv', [{ id: '::error::x' }], {
    env: { ...completeEnv, GITHUB_ACTIONS: 'true' },
  }),
  state('binary data on a terminal', blob, {
    env: completeEnv,
    world: terminal,
    answer: ({ url }) => (/blobs/.test(url) ? [200, Buffer.from([0, 255, 254])] : undefined),
  }),
  state('too many bytes', blob, { env: completeEnv, answer: bytes, world: terminal }),
  state('too many bytes as JSON', `${blob} -o json`, { env: completeEnv, answer: bytes }),
  shown('a response that is too long', 'ws list -o yaml', undefined, {
    instead: 'ws list',
    answer: answers(/\/workspaces$/, huge()),
    later: well,
  }),
  state('a record that is too long', 'ws get', { env: completeEnv, answer: answers(/\/workspace/, huge()) }),
  state('events that are too long', 'events search -o yaml', {
    instead: 'events search',
    env: completeEnv,
    answer: answers(/\/events/, huge()),
    later: well,
  }),
  state('a page that is too long', 'artifacts revisions list pets --all', {
    env: completeEnv,
    answer: answers(/revisions/, huge()),
    later: well,
  }),
  state('a path that is too long', 'api /v1/user --paginate', {
    env: completeEnv,
    answer: answers(/user/, huge()),
    later: well,
  }),
  state('a row that is too long', 'ws list -o ndjson', {
    env: completeEnv,
    answer: answers(/\/workspaces$/, Buffer.concat([Buffer.from('[{"id":"'), huge(), Buffer.from('"}]')])),
  }),
  state('an operation without names', 'ws tokens delete t_1 --yes -o name', { env: completeEnv }),
  state('more events', 'events search', {
    env: completeEnv,
    world: terminal,
    answer: answers(
      /events/,
      repeated(60, (at) => ({ id: `e_${at}`, created_at: '2026-01-01T00:00:00Z' })),
    ),
  }),
  state('more events than asked for', 'events search --limit 3', {
    env: completeEnv,
    world: terminal,
    answer: answers(
      /events/,
      repeated(3, (at) => ({ id: `e_${at}`, created_at: '2026-01-01T00:00:00Z' })),
    ),
  }),
  state('more pages', 'artifacts revisions list pets', {
    env: completeEnv,
    answer: ({ url }) =>
      /revisions/.test(url)
        ? [200, { items: [{ digest: 'x' }], ...(!url.includes('p_2') && { next_page_token: 'p_2' }) }, json]
        : undefined,
  }),
  ...['artifacts revisions list pets --all', 'artifacts revisions list pets --limit 3', 'api /v1/user --paginate'].map(
    (line) => {
      let page = 0;
      return state(`empty pages: ${line}`, line, {
        env: completeEnv,
        answer: ({ url }) =>
          /revisions|user/.test(url) ? [200, { items: [], next_page_token: `p_${page++}` }, json] : undefined,
      });
    },
  ),
];

const network: readonly State[] = [
  state('a slow connection', 'ws list', {
    env: completeEnv,
    answer: () => lateError('x') as DtpError,
    later: well,
  }),
  state('a slow service', 'events search --timeout 20ms', {
    env: completeEnv,
    answer: well,
    later: well,
  }),
  state('the credential is checked', "ws tokens list -w ''", {
    env: { ...completeEnv, DTP_API_KEY: 'k-9' },
    answer: ({ url }) => (url.includes('validate') ? [503, {}] : undefined),
    later: well,
  }),
  state('-w of another workspace', 'artifacts namespaces list -w w_2', { env: completeEnv, later: ofToken }),
  state('-w of another workspace in CI', 'artifacts namespaces list -w w_2', {
    env: { ...completeEnv, CI: 'true' },
    later: ({ url, headers }) =>
      url.includes('validate') && !/k-1/.test(JSON.stringify(headers))
        ? [200, { workspace_id: 'w_2', workspace_slug: 'main', org_slug: 'acme' }, json]
        : undefined,
  }),
  state('a path of another workspace', 'api /v1/workspace/w_2/tokens -w w_1', { env: completeEnv }),
  state('slugs of a dry run', 'artifacts manifests get pets v1 --dry-run', {
    env: { DTP_BASE_URL: completeEnv.DTP_BASE_URL, DTP_API_KEY: 'k-9' },
  }),
  ...['doctor --proxy http://127.0.0.1:1'].map((line) =>
    state(line, line, {
      env: completeEnv,
      fill: { '--proxy': 'http://127.0.0.1:2' },
      world: {
        openProbe: async () => ({
          lookUp: async () => ['192.0.2.1'],
          reach: async () => undefined,
          reachProxy: async ({ port }: URL) => {
            if (port === '1') throw new DtpError('network', 'refused');
          },
        }),
      } as never,
    }),
  ),
];

export const flagStates: readonly State[] = [...results, ...network];

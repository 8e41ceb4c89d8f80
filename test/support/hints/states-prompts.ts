/** States in which somebody answers prompts at a terminal, or watches something. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { racingClock, wallClock } from '../clocks.ts';
import { dtp } from '../context.ts';
import { base, completeEnv, openRealSend, type State } from './run.ts';
import {
  down,
  earlier,
  isEvents,
  next,
  post,
  probed,
  profile,
  refusedEvents,
  state,
  stores,
} from './states-settings.ts';

const json = { 'content-type': 'application/json' };
type Answer = NonNullable<State['answer']>;
const terminal = { tty: true } as const;
const dumb = { ...completeEnv, TERM: 'dumb' };

/** Two workspaces with these names, so that there is something to choose from. */
const workspaces =
  (...names: readonly string[]): Answer =>
  ({ method, url }) =>
    method === 'GET' && url.endsWith('/workspaces')
      ? [200, names.map((name, at) => ({ id: `w_${at + 1}`, name, slug: `${name}-${at + 1}` })), json]
      : undefined;
/** All lists are empty. */
const nothing: Answer = ({ method, url }) =>
  method === 'GET' && !/validate|preflight/.test(url) ? [200, [], json] : undefined;

const prompts: readonly State[] = [
  state('ws use, and back', 'ws use w_2 --no-input', {
    env: {},
    world: terminal,
    answer: workspaces('main', 'pets'),
    prepare: stores({ work: { ...profile, credential_workspace: 'w_1', workspace_slug: 'main' } }),
  }),
  state('an event that does not exist', 'events get e_1', { env: completeEnv, answer: nothing }),
  state('sample files', 'init --sample', { world: terminal }),
  state('sample files, and a set-up', 'init --sample --local'),
  state('ws use without workspaces', 'ws use', {
    env: { TERM: 'dumb' },
    world: { ...terminal, typed: [] },
    prepare: stores({ work: profile }),
    answer: nothing,
  }),
  ...['ws tokens delete', 'events list'].map((line) =>
    state(`nothing to choose from: ${line}`, line, {
      env: dumb,
      world: { ...terminal, typed: [] },
      answer: nothing,
    }),
  ),
  state('a name that two things have', 'ws tokens list -w twice', {
    env: completeEnv,
    answer: workspaces('twice', 'twice'),
  }),
];

const login = 'init --base-url https://api.example.test --with-token';
const setUp = { env: {}, world: { stdin: 'k-1' } } as const;

const init: readonly State[] = [
  state('init: nothing is chosen', 'init', { env: {}, fails: /missing flag: --with-token/ }),
  state('init: a profile without a base URL', 'init --profile new', {
    env: {},
    fails: /missing flag: --with-token/,
  }),
  state('init: a profile of another service', `${login} --profile work --no-event`, {
    ...setUp,
    prepare: stores({
      work: {
        ...profile,
        base_url: 'https://other.example.test',
        credential_origin: 'https://other.example.test',
      },
    }),
  }),
  state('init: no completions for this shell', 'init --local --completions --no-event', { env: {} }),
  state('init on a terminal', 'init --local', {
    env: { TERM: 'dumb' },
    world: { ...terminal, typed: [['Post a first event?', 'y']] },
  }),
  state('init: another profile before', 'init --local --no-event', {
    env: {},
    prepare: stores({ work: profile }),
  }),
  state('init: the event is not delivered', login, {
    ...setUp,
    answer: ({ url }) => (isEvents(url) ? [400, {}] : undefined),
    later: () => undefined,
  }),
  ...(['.github/workflows', '.gitlab-ci.yml'] as const).flatMap((sign) =>
    ['print', 'write'].map((how) =>
      state(`init: a job for ${sign}: ${how}`, `${login} --ci ${how} --no-event`, {
        env: {},
        world: { ...probed, stdin: 'k-1' },
        // The secret is for the job.
        instead: 'ws current',
        prepare: ({ cwd }) => {
          mkdirSync(join(cwd, '.git'));
          if (sign.startsWith('.github')) mkdirSync(join(cwd, sign), { recursive: true });
          else writeFileSync(join(cwd, sign), '');
        },
      }),
    ),
  ),
];

const failedEvent = { id: 'e_1', success: false, error: 'no', created_at: '2026-01-01T00:00:00Z' };
const runOf =
  (run_status: string): Answer =>
  ({ url }) =>
    /actions?/.test(url) && !url.includes('events')
      ? [200, { run_url: 'https://x.example/run', run_status }, json]
      : undefined;
/** A run that was listed after it was triggered. */
const newRun = (): Answer => {
  let looks = 0;
  return ({ method, url }) => {
    if (method !== 'GET' || !url.includes('/action')) return undefined;
    looks++;
    return [200, looks === 1 ? {} : { run_url: 'https://x.example/run', run_status: 'success' }, json];
  };
};
const watchRun = 'codehost actions get --org acme --repo pets --watch';
const trigger = 'codehost actions trigger --org acme --repo-name pets --gen-lock-id l_1 --wait';

const watching: readonly State[] = [
  state('tail: an event failed', 'events tail --since 2020-01-01', {
    env: completeEnv,
    world: terminal,
    lasts: true,
    answer: ({ url }) => (isEvents(new URL(url).pathname) ? [200, [failedEvent], json] : undefined),
  }),
  ...['failure', 'success'].map((status) =>
    state(`a watched run: ${status}`, watchRun, { env: completeEnv, world: terminal, answer: runOf(status) }),
  ),
  state('a watch without a run', watchRun, {
    env: completeEnv,
    world: { ...terminal, clock: racingClock() },
    answer: ({ url }) => (url.includes('/action') ? [200, {}, json] : undefined),
    later: newRun(),
  }),
  state('a run that does not end', `${trigger} --wait-timeout 1ms`, {
    env: completeEnv,
    answer: runOf('in_progress'),
    later: () => undefined,
  }),
];

const inSpool = (home: string): readonly string[] =>
  readdirSync(join(home, 'state'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.batch'))
    .map((name) => join(home, 'state', name));

const queues: readonly State[] = [
  state('earlier events are refused', next, {
    env: completeEnv,
    answer: refusedEvents,
    later: () => undefined,
    prepare: earlier(post, down),
  }),
  state('earlier events are refused in a flush', 'events queue flush', {
    env: completeEnv,
    answer: refusedEvents,
    prepare: earlier(post, down),
  }),
  state('earlier events are damaged', next, {
    env: completeEnv,
    prepare: async (place) => {
      await earlier(post, down)(place);
      for (const file of inSpool(place.home)) writeFileSync(file, 'damaged');
    },
  }),
  state('earlier events are old', next, {
    env: completeEnv,
    world: { date: () => new Date(Date.now() + 90 * 86_400_000) },
    prepare: earlier(post, down),
  }),
  state('a long base URL', next, {
    env: { ...completeEnv, DTP_BASE_URL: `${base}/${'a'.repeat(70_000)}` },
    // The user corrects it.
    later: () => undefined,
  }),
  state('dev: an event is not delivered', 'dev -- dtp events post --interaction-type LINT --success --timeout 50ms', {
    env: {},
    isReal: true,
    world: {
      spawn: async ({ args, env }) =>
        (
          await dtp(args, {
            home: join(env?.DTP_STATE_DIR ?? '', 'home'),
            env: env as Record<string, string>,
            openSend: async (options) => {
              const sender = await openRealSend(options);
              // The first attempt does not reach the service.
              return args.includes('flush')
                ? sender
                : { ...sender, send: () => Promise.reject(down({ url: '/events' } as never)) };
            },
            clock: wallClock,
          })
        ).code,
    },
  }),
];

export const promptStates: readonly State[] = [...prompts, ...init, ...watching, ...queues];

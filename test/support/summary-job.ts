/** A job of GitHub Actions whose commands write a summary, and a service that answers them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../src/clock.ts';
import type { DtpError } from '../../src/errors.ts';
import { dtp, temporaryFolder, type World } from './context.ts';
import { type Reply, service } from './function-service.ts';
import { parsedSummary } from './hostile-markup.ts';

export const env = {
  ...{ DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' },
  ...{ GITHUB_ACTIONS: 'true', CI: 'true' },
};

/** A job of GitHub Actions: a repository, and files of the runner outside of it. */
export function job() {
  const home = temporaryFolder();
  const cwd = join(home, 'work');
  mkdirSync(join(cwd, '.git'), { recursive: true });
  const summary = join(home, 'summary');
  writeFileSync(summary, '');
  return {
    cwd,
    summary,
    run: (argv: readonly string[], reply: Reply | DtpError | (() => Reply | DtpError), world: World = {}) =>
      dtp(argv, {
        ...{ home, cwd, own: 'w_1', openSend: service(typeof reply === 'function' ? reply : () => reply).openSend },
        ...{ clock: instant(), ...world, env: { ...env, GITHUB_STEP_SUMMARY: summary, ...world.env } },
      }),
    text: () => readFileSync(summary, 'utf8'),
    parsed: () => parsedSummary(readFileSync(summary, 'utf8')),
  };
}

/** Jumps to the end of each wait of less than 10 s. Deadlines are longer, and are never reached. */
function instant(): Clock {
  let now = 0;
  const sleep = async (ms: number) => {
    if (ms >= 10_000) return new Promise<void>(() => undefined);
    now += ms;
  };
  return { now: () => now, sleep };
}

export const post = ['events', 'post', '--no-spool', '--retry', '0', '--type', 'CI_EXEC', '--success'];
export const upload = ['reports', 'upload', '--type', 'linting', '--file', 'lint.html'];
export const trigger = ['codehost', 'actions', 'trigger', '-R', 'acme/sdk', '--lock-id', 'ts', '--wait'];

/** The answers to a trigger: no run, an accepted request, and the run. */
export const answersOf = (run: unknown): (() => Reply) => {
  const answers: Reply[] = [[200, {}], [204], [200, run]];
  return () => answers.shift() ?? [200, run];
};

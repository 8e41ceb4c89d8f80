/** Every wire fault × thirteen operations that represent all of them, as whole processes. Needs a build. */
import { expect, test } from 'vitest';
import { durationOf } from '../../src/declarations/duration.ts';
import type { Ended } from '../support/context.ts';
import { KEY, runTrials, type Trial, tryOut } from '../support/faulty-run.ts';
import { start } from '../support/process.ts';
import { rounds, seed } from '../support/random.ts';
import type { End, Fault } from '../support/wire-fault.ts';
import { faults } from '../support/wire-faults.ts';
import { endOf, isFor, isSentAgain, representatives, type Subject } from '../support/wire-subjects.ts';

/**
 * A fault that neither ends by itself nor times out soon gets a deadline. Events have time to be queued before
 * it.
 */
function timeoutOf(fault: Fault, subject: Subject): string | undefined {
  if (!fault.isEndless && !isSentAgain(fault, subject)) return undefined;
  return subject.isKept ? '10s' : '2s';
}

/** With a deadline, a retried command exits with `timeout`. Events are queued anyway. */
function trialOf(fault: Fault, subject: Subject): Trial {
  const timeout = timeoutOf(fault, subject);
  const end: End = isSentAgain(fault, subject) && !subject.isKept ? 'timeout' : endOf(fault, subject);
  return { fault, subject, toFile: false, end, ...(timeout !== undefined && { timeout }) };
}

/** A minute and a half: only a hanging process still runs then. */
const watchdogMs = 90_000;

function run(argv: readonly string[], home: string, address: string): Promise<Ended> {
  return new Promise((done, failed) => {
    const child = start(home, argv, { env: { DTP_BASE_URL: address, DTP_API_KEY: KEY, DTP_ERROR_FORMAT: 'json' } });
    let [stdout, stderr] = ['', ''];
    const watchdog = setTimeout(() => child.kill('SIGKILL'), watchdogMs);
    child.stdin.on('error', () => undefined).end();
    child.stdout.on('data', (piece) => {
      stdout += piece;
    });
    child.stderr.on('data', (piece) => {
      stderr += piece;
    });
    child.on('error', failed);
    child.on('close', (code, signal) => {
      clearTimeout(watchdog);
      done({ code: code ?? -1, stdout, stderr: stderr + (signal ?? '') });
    });
  });
}

const trials = faults.flatMap((fault) =>
  representatives.filter((subject) => isFor(fault, subject)).map((subject) => trialOf(fault, subject)),
);

/** Each fault once, with an operation chosen by the seed; in a long run all of them. */
const sample = faults.map((fault, at) => {
  const own = trials.filter((trial) => trial.fault === fault);
  return own[(at + seed) % own.length] as Trial;
});

test('thirteen operations represent all of them', () => {
  expect(new Set(representatives.map(({ name }) => name)).size).toBe(13);
});

const due = rounds(0, 1) === 1 ? trials : sample;
test(`${due.length} processes (seed ${seed})`, async () => {
  /** Milliseconds after the deadline, including process start. More than 1,500 happen only on a busy machine. */
  const beyond: number[] = [];
  const found = await runTrials(due, 8, (trial) =>
    tryOut(trial, async (argv, home, { address }) => {
      const from = performance.now();
      const ended = await run(argv, home, address);
      if (trial.fault.isEndless && trial.timeout !== undefined)
        beyond.push(performance.now() - from - durationOf(trial.timeout, ''));
      return ended;
    }),
  );
  expect(found).toEqual([]);
  const [slowest = 0] = beyond.sort((one, other) => other - one);
  process.stdout.write(`${beyond.length} deadlines, slowest exit ${slowest.toFixed(0)} ms after the deadline\n`);
});

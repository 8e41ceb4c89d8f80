/** `--watch` of local commands. */
import { expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { ExitCode } from '../../src/errors.ts';
import { localCommands } from '../../src/local/index.ts';
import { hastyClock } from '../support/clocks.ts';
import { dtp, type World } from '../support/context.ts';

/** Presses Ctrl-C in the third pause. */
async function watching(words: string, world: World) {
  const end = new AbortController();
  let pauses = 0;
  const clock: Clock = {
    now: hastyClock.now,
    sleep: async (ms, signal) => {
      if (ms !== 7000) return hastyClock.sleep(ms, signal);
      pauses++;
      if (pauses === 3) end.abort(new ExitCode(130));
      end.signal.throwIfAborted();
    },
  };
  const argv = [...words.split(' '), '--watch', '7s'];
  const env = { NO_COLOR: '1', DTP_BASE_URL: 'local:', ...world.env };
  const { code, stdout, stderr } = await dtp(argv, { ...world, clock, signal: end.signal, env });
  return { code, stdout, stderr, pauses };
}

const watched = localCommands.filter(({ watches }) => watches);

test('it is for commands that only read', () => {
  expect(watched.map(({ words }) => words).sort()).toEqual([
    'auth status',
    'config list',
    'doctor',
    'events queue list',
  ]);
  expect(watched.filter(({ effect }) => effect !== 'read')).toEqual([]);
});

test.each(watched.map(({ words }) => words))('%s is run again until Ctrl-C', async (words) => {
  const { code, stdout, stderr, pauses } = await watching(words, { tty: true, columns: 80 });
  expect([code, pauses, stderr]).toEqual([0, 3, '']);
  expect(stdout.match(new RegExp(`dtp ${words}, every 7 s, at `, 'g'))).toHaveLength(3);
});

test('elsewhere, a result that did not change is not printed again', async () => {
  const { stdout } = await watching('events queue list', {});
  expect(stdout).toBe('[]\n');
});

test('a failed check of doctor is shown, and does not end the watch', async () => {
  const { code, stdout, pauses } = await watching('doctor', {
    tty: true,
    columns: 80,
    env: { DTP_TIMEOUT: 'soon' },
  });
  expect([code, pauses]).toEqual([0, 3]);
  expect(stdout).toContain('✘');
});

/** Every example of the help is run by bash, each in a separate world. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describe as describeCommand } from '../../src/describe/describe.ts';
import { bodyExamples } from '../../src/describe/help/topics.ts';
import { localCommands } from '../../src/local/index.ts';
import { examples, examplesIn } from '../../src/operations/examples.ts';
import { operations } from '../../src/operations/index.ts';
import type { Example } from '../../src/operations/operation.ts';
import { rootCommand, runnableBelow } from '../../src/tree/tree.ts';
import { type ExampleWorld, environment, inShell, makeWorld } from '../support/example-world.ts';

let world: ExampleWorld;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.remove());

const filled = ({ command }: Example) =>
  world.table.reduce((text, [shown, real]) => text.replaceAll(shown, real), command);

/** Commands that manage profiles run with a logged-in profile; all others with the embedded service. */
const isOfProfiles = (words: string) => /^(auth log|auth move|auth status|config|ws use)/.test(words);

/** Commands that run until they are interrupted. */
const lasting = ['serve', 'events tail'];

const all = [
  ...Object.entries(operations).flatMap(([id, { command }]) =>
    (examples[id] ?? []).map((one) => [command.join(' '), one] as const),
  ),
  ...localCommands.flatMap(({ words, examples: two }) => examplesIn(two).map((one) => [words, one] as const)),
  ...bodyExamples.map((one) => ['bodies', one] as const),
];

const run = all.filter(([words]) => !lasting.includes(words)).map(([words, one]) => [words, one.says, one] as const);
const examplesOf = (words: string) =>
  all.filter(([command]) => command === words).map(([, one]) => [one.says, one] as const);

describe('the example', () => {
  test.concurrent.each(run)('%s: %s', async (words, _, example) => {
    const env = isOfProfiles(words) ? {} : { DTP_PROFILE: 'local' };
    const ended = await inShell(world.copy(), filled(example), { ...world.runner, ...env });
    expect(ended.code, `${filled(example)}\n${ended.stderr}`).toBe(example.exit ?? 0);
    // The path to search for exists.
    if (/ (--query|-o name)/.test(example.command) && !example.command.includes(' -O '))
      expect(ended.stdout.trim(), filled(example)).not.toBe('');
  });

  test.concurrent.each(examplesOf('serve'))('serve: %s', async (_, example) => {
    const { child, ended } = lastingIn(world.copy(), filled(example));
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  test.concurrent.each(examplesOf('events tail'))('events tail: %s', async (_, example) => {
    const folder = world.copy();
    const { child, ended } = lastingIn(folder, filled(example));
    let shown = '';
    child.stdout.on('data', (text) => {
      shown += text;
      child.kill('SIGINT');
    });
    const isRunning = () => child.exitCode === null && child.signalCode === null;
    // It may have started after the first events. And if its reader has ended, it only notices when it prints another.
    while (isRunning()) {
      const posted = await inShell(folder, `echo '${failedEvent()}' | dtp events post --body @-`);
      expect(posted.stderr).toBe('');
    }
    expect(await ended).toBe(0);
    expect(shown).toContain('no such file');
  });
});

/** Runs a shell command that does not end by itself. */
function lastingIn(folder: string, text: string) {
  const child = spawn('bash', ['-o', 'pipefail', '-c', text], {
    cwd: join(folder, 'work'),
    env: environment(folder),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, ended: once(child, 'close').then(([code]) => code) };
}

const failedEvent = () =>
  JSON.stringify({
    ...{ execution_id: 'run-77', interaction_type: 'LINT', success: false, error: 'no such file' },
    local_started_at: new Date().toISOString(),
  });

test('every command has two examples, and at least one uses the command itself', () => {
  for (const command of runnableBelow(rootCommand)) {
    const { command: words, examples: two } = describeCommand(command);
    expect(two.length, words).toBe(2);
    expect(two.filter((one) => one.command.includes(`dtp ${words}`)).length, words).toBeGreaterThan(0);
  }
});

test('no example is for a command that does not exist', () => {
  const known = runnableBelow(rootCommand).map((command) => describeCommand(command).command);
  expect(localCommands.map(({ words }) => words).filter((words) => !known.includes(words))).toEqual([]);
});

test('each fits 80 columns, differs from the other one, and contains no id of a run', () => {
  for (const [words, { says, command }] of all) {
    for (const line of command.split('\n')) expect(line.length, line).toBeLessThanOrEqual(78);
    expect(says, words).not.toMatch(/\.$/);
    expect(command, words).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
  }
  const own = all.filter(([words]) => words !== 'first page').map(([, { command }]) => command);
  expect(new Set(own).size).toBe(own.length);
});

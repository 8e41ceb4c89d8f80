/** Random sequences of commands against a model of what must be visible in the embedded service. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { quoteWord } from '../../src/shell.ts';
import { removeFolder } from '../support/folders.ts';
import { randomOf, rounds, seed } from '../support/random.ts';
import { type Ended, type Job, openDrivers } from './drivers.ts';
import { actions } from './model.ts';
import { openWorld } from './model-world.ts';

const drivers = openDrivers(2);
afterAll(() => drivers.close());

const LENGTH = 40;

/** What a sequence does, and the numbers that it draws: the same however much is left out before it. */
type Draft = readonly (readonly [action: string, seed: number])[];

function draftOf(start: number): Draft {
  const random = randomOf(start);
  const names = Object.keys(actions);
  return Array.from({ length: LENGTH }, () => [
    names[Math.floor(random() * names.length)] as string,
    Math.floor(random() * 2 ** 31),
  ]);
}

/** Runs a sequence on a new store. Returns the shell script up to the first fault, and the fault. */
async function faultOf(draft: Draft, run: (job: Job) => Promise<Ended>): Promise<string | undefined> {
  const home = mkdtempSync(join(tmpdir(), 'dtp-model-'));
  const cwd = join(home, 'here');
  mkdirSync(cwd);
  const world = openWorld();
  const script: string[] = [];
  try {
    for (const [name, start] of draft) {
      const random = randomOf(start);
      const step = actions[name]?.(world, (count) => Math.floor(random() * count));
      if (!step) continue;
      for (const [file, text] of Object.entries(step.files ?? {})) {
        writeFileSync(join(cwd, file), text);
        script.push(`printf %s ${quoteWord(text)} > ${file}`);
      }
      script.push(`dtp ${step.argv.map(quoteWord).join(' ')}`);
      const env = { HOME: home, PATH: '', TMPDIR: home, DTP_BASE_URL: 'local:' };
      const { code, stdout, stderr, crash } = await run({ argv: ['--json', ...step.argv], env, cwd });
      try {
        expect([code, crash], stderr).toEqual([step.code ?? 0, '']);
        if (code === 0) step.after?.(stdout === '' ? undefined : JSON.parse(stdout));
      } catch (error) {
        return `${script.join('\n')}\n# ${String(error)}`;
      }
    }
    return undefined;
  } finally {
    removeFolder(home);
  }
}

/** Leaves out what the fault does not need. */
async function shortest(draft: Draft, fault: string, run: (job: Job) => Promise<Ended>): Promise<string> {
  let [least, found] = [draft, fault];
  for (let size = Math.floor(draft.length / 2); size > 0; size = Math.floor(size / 2))
    for (let at = 0; at < least.length; ) {
      const less = [...least.slice(0, at), ...least.slice(at + size)];
      const next = await faultOf(less, run);
      if (next === undefined) at += size;
      else [least, found] = [less, next];
    }
  return found;
}

const count = rounds(20, 500);

test(`${count} sequences of ${LENGTH} commands (seed ${seed})`, async () => {
  const drafts = Array.from({ length: count }, (_, at) => draftOf(seed + at));
  const faults = await drivers.each(drafts, async (draft, run) => {
    const fault = await faultOf(draft, run);
    return fault === undefined ? [] : [await shortest(draft, fault, run)];
  });
  expect(faults.flat()[0]).toBeUndefined();
});

test('each action is drawn', () => {
  const drawn = new Set(
    Array.from({ length: 20 }, (_, at) => draftOf(seed + at)).flatMap((draft) => draft.map(([name]) => name)),
  );
  expect([...drawn].sort()).toEqual(Object.keys(actions).sort());
});

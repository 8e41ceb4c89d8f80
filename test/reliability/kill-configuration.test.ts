/** `dtp config set` killed at any moment: the file is the old one or the new one, complete and private. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dtp, home, start } from '../support/process.ts';
import { randomOf, rounds, seed } from '../support/random.ts';

const KILLS = rounds(8, 200);
const AT_ONCE = 4;
/** Milliseconds between the first and the last file that a write creates and removes, on an idle machine. */
const CRITICAL = 40;
const START = 250;

let place: ReturnType<typeof home>;
beforeAll(() => {
  place = home();
});
afterAll(() => place.remove());

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Starts it and kills it: every fourth time at any moment, otherwise once it has created its first file. */
async function killed(folder: string, argv: readonly string[], kill: number, random: () => number) {
  const moment = random();
  const watcher = watch(join(folder, 'config'));
  const begun = new Promise<void>((done) => watcher.once('change', () => done()));
  const child = start(folder, argv);
  const ended = new Promise<void>((done) => child.on('close', () => done()));
  child.stdout.resume();
  child.stderr.resume();
  if (kill % 4 === 3) await pause(moment * START);
  else await Promise.race([begun.then(() => pause(moment * CRITICAL)), ended]);
  child.kill('SIGKILL');
  await ended;
  watcher.close();
}

test(`a configuration survives ${KILLS} kills (seed ${seed})`, async () => {
  const total = { before: 0, after: 0, amid: 0 };
  const lane = async (at: number) => {
    const random = randomOf(seed + at);
    const folder = join(place.folder, String(at));
    const config = join(folder, 'config');
    const file = join(config, 'config.json');
    mkdirSync(config, { recursive: true, mode: 0o700 });
    let old = '{"profiles":{"default":{"timeout":1}}}';
    writeFileSync(file, old, { mode: 0o600 });
    for (let kill = at; kill < KILLS; kill += AT_ONCE) {
      const what = `kill ${kill} of seed ${seed}`;
      const names = new Set(readdirSync(config));
      await killed(folder, ['config', 'set', 'timeout', String(kill + 2)], kill, random);
      const text = readFileSync(file, 'utf8');
      if (text === old) total.before++;
      else {
        expect(JSON.parse(text), what).toEqual({ profiles: { default: { timeout: kill + 2 } } });
        total.after++;
      }
      expect(statSync(file).mode & 0o777, what).toBe(0o600);
      // A lock, or the file that would have become the configuration: it was killed between its first and last
      // step.
      if (readdirSync(config).some((name) => !names.has(name))) total.amid++;
      old = text;
    }
    // The killed processes' files block nobody, and are removed.
    const ended = await dtp(folder, ['config', 'set', 'timeout', '999']);
    expect(ended, `after the kills of seed ${seed}`).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(file, 'utf8')).profiles.default.timeout).toBe(999);
    const left = readdirSync(config).filter((name) => !/\.lock(\.break)+$/.test(name));
    expect(left, `left by the kills of seed ${seed}`).toEqual(['config.json']);
    expect(existsSync(`${file}.lock`)).toBe(false);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => lane(at)));
  process.stdout.write(`configuration: ${KILLS} kills, seed ${seed}, ${JSON.stringify(total)}\n`);
  expect(total.before + total.after).toBe(KILLS);
  // In a short run there may be no such kill.
  if (KILLS > 50) expect(total.amid).toBeGreaterThan(0);
});

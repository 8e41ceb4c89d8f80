/** However the compiled code is damaged, every command has its normal result, and the code is stored again. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dtp, home } from '../support/process.ts';
import { randomOf, seed } from '../support/random.ts';

const commands = [
  ['--profile', 'local', 'ws', 'list', '-o', 'json'],
  ['--profile', 'local', 'artifacts', 'namespaces', 'list'],
  ['config', 'list', '-o', 'json'],
  ['doctor', '--profile', 'local', '-o', 'name'],
] as const;

const random = randomOf(seed);
const below = (limit: number) => Math.floor(random() * limit);
let place: ReturnType<typeof home>;
let whole: Buffer;
let normal: readonly unknown[];

const file = () => {
  const folder = join(place.folder, 'state/compiled');
  const [name = '', ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  return join(folder, name);
};
const runAll = async () => {
  const ended: unknown[] = [];
  for (const command of commands) ended.push(await dtp(place.folder, command));
  return ended;
};

beforeAll(async () => {
  place = home();
  // Storing the code may take several runs, because it never delays an exit.
  for (let before: Buffer | undefined; !before?.equals(whole); ) {
    before = whole;
    normal = await runAll();
    whole = readFileSync(file());
  }
});
afterAll(() => place.remove());

/** Damages the code, and returns the result of the next command and its normal result. */
async function afterDamage(round: number, damaged: Buffer) {
  writeFileSync(file(), damaged);
  const which = round % commands.length;
  return [await dtp(place.folder, commands[which] ?? []), normal[which]];
}

test('the commands succeed without damage', () => {
  for (const ended of normal) expect(ended).toMatchObject({ code: 0, stderr: '' });
});

test(`200 changes of a single byte (seed ${seed})`, async () => {
  for (let round = 0; round < 200; round++) {
    const damaged = Buffer.from(whole);
    const at = below(whole.length);
    damaged[at] = ((damaged[at] ?? 0) + 1 + below(255)) % 256;
    const [ended, expected] = await afterDamage(round, damaged);
    expect(ended, `byte ${at}`).toEqual(expected);
  }
});

test(`50 blocks of zeros (seed ${seed})`, async () => {
  for (let round = 0; round < 50; round++) {
    const damaged = Buffer.from(whole);
    const at = below(Math.ceil(whole.length / 512)) * 512;
    damaged.fill(0, at, Math.min(at + 512 * (1 + below(16)), whole.length));
    const [ended, expected] = await afterDamage(round, damaged);
    expect(ended, `block at ${at}`).toEqual(expected);
  }
});

test('damaged code is stored again', async () => {
  writeFileSync(file(), Buffer.from(whole).fill(1, 64 * 1024));
  for (let before: Buffer | undefined, now: Buffer | undefined; !now || !before?.equals(now); ) {
    before = now;
    expect(await runAll()).toEqual(normal);
    now = readFileSync(file());
  }
  expect(readFileSync(file()).length).toBeGreaterThan(whole.length / 2);
});

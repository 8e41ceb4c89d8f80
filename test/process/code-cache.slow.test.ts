/** Compiled code: written once, used by the next command, and never a reason for a command to fail. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { dtp, home } from '../support/process.ts';

let place: { folder: string; remove: () => void };
beforeEach(() => {
  place = home();
});
afterEach(() => place.remove());

const compiled = () => join(place.folder, 'state/compiled');
const file = () => join(compiled(), readdirSync(compiled())[0] ?? '');
const run = (argv: readonly string[] = ['config', 'path'], env: Readonly<Record<string, string>> = {}) =>
  dtp(place.folder, argv, { env });

/** Runs a command until it finds all its code: storing it may take several runs, because it never delays an exit. */
async function settled(argv?: readonly string[], env?: Readonly<Record<string, string>>) {
  let before = -1;
  for (let runs = 0; runs < 40; runs++) {
    const ended = await run(argv, env);
    const { ino } = statSync(file());
    if (ino === before) return ended;
    before = ino;
  }
  throw new Error('each of 40 runs stored its code');
}

/** How many scripts V8 accepted and rejected, as the tool exits. */
const counting = () => {
  const watcher = join(place.folder, 'count.cjs');
  writeFileSync(
    watcher,
    `const vm = require('node:vm');
    const counts = { accepted: 0, rejected: 0, none: 0 };
    vm.Script = class extends vm.Script {
      constructor(...given) {
        super(...given);
        const { cachedDataRejected: was } = this;
        counts[was === undefined ? 'none' : was ? 'rejected' : 'accepted']++;
      }
    };
    process.on('exit', () => require('node:fs').writeFileSync(process.env.COUNTS, JSON.stringify(counts)));`,
  );
  return { NODE_OPTIONS: `--require=${watcher}`, COUNTS: join(place.folder, 'counts.json') };
};
const counts = () => JSON.parse(readFileSync(join(place.folder, 'counts.json'), 'utf8'));

test('a later run uses the code of the first, and writes nothing', async () => {
  const env = counting();
  const first = await run(undefined, env);
  expect(counts()).toMatchObject({ accepted: 0 });
  const second = await settled(undefined, env);
  expect(second).toEqual(first);
  expect(second).toMatchObject({ code: 0, stderr: '' });
  // The entry and the bundler's helpers, which are small, are always compiled.
  expect(counts()).toMatchObject({ rejected: 0, none: 2 });
  expect(counts().accepted).toBeGreaterThan(3);
});

test('V8 accepts the code of a command that posts many events', async () => {
  const server = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end()));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const events = join(place.folder, 'events.ndjson');
  const event = JSON.stringify({ interaction_type: 'LINT', error: 'x'.repeat(10_000) });
  writeFileSync(events, `${event}\n`.repeat(1000));
  const key = { DTP_BASE_URL: `http://127.0.0.1:${port}`, DTP_API_KEY: 'key-of-a-test', DTP_WORKSPACE_ID: 'w_1' };
  const posted = await settled(['events', 'post', '--body', `@${events}`], { ...counting(), ...key });
  expect(posted).toMatchObject({ code: 0, stdout: expect.stringMatching(/1000/) });
  // How many parts are first needed in the middle of the work, and are read a second time, is a matter of speed.
  expect(counts()).toMatchObject({ none: 2 });
});

test('another kind of command adds its code', async () => {
  await settled();
  const { size } = statSync(file());
  await settled(['doctor', '--profile', 'local', '-o', 'json']);
  expect(statSync(file()).size).toBeGreaterThan(size);
  expect(readdirSync(compiled()).length).toBe(1);
});

test('code of other flags is rejected and replaced', async () => {
  const env = counting();
  await settled(undefined, env);
  const other = { ...env, NODE_OPTIONS: `${env.NODE_OPTIONS} --stack-trace-limit=5` };
  expect(await run(undefined, other)).toMatchObject({ code: 0, stderr: '' });
  expect(counts()).toMatchObject({ accepted: 0, rejected: 1 });
  await settled(undefined, other);
  expect(counts()).toMatchObject({ rejected: 0, none: 2 });
});

test.each(['', 'x', 'zeros', 'half'])('a damaged file (%s) is replaced', async (how) => {
  const first = await settled();
  const whole = readFileSync(file());
  const damaged = { zeros: Buffer.alloc(whole.length), half: whole.subarray(0, whole.length / 2) };
  const content = damaged[how as keyof typeof damaged] ?? Buffer.from(how);
  writeFileSync(file(), content);
  expect(await run()).toEqual(first);
  expect(readFileSync(file())).not.toEqual(content);
});

test('simultaneous commands each succeed, and leave one whole file', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => run()));
  for (const ended of all) expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(compiled()).length).toBe(1);
  const env = counting();
  await run(undefined, env);
  expect(counts()).toMatchObject({ rejected: 0 });
});

test('nothing is written for help, if it is turned off, or where it would not be private', async () => {
  await run(['--help']);
  expect(existsSync(compiled())).toBe(false);
  await run(undefined, { NODE_DISABLE_COMPILE_CACHE: '1' });
  expect(existsSync(compiled())).toBe(false);
  mkdirSync(compiled(), { recursive: true });
  chmodSync(compiled(), 0o777);
  expect(await run()).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(compiled())).toEqual([]);
});

test('the digest in the loader is that of the built files', () => {
  const loader = readFileSync(resolve(import.meta.dirname, '../../dist/load.cjs'), 'utf8');
  expect(loader).toMatch(/[`"'-][\da-f]{16}\b/);
  expect(loader).not.toContain('BUILD');
});

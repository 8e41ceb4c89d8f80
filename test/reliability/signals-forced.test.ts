/** A signal when the tool cannot exit by itself: it is forced to after a while, and at once by a second signal. */
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { home, start } from '../support/process.ts';
import { codes, type Kind, moment, signals, until, writePreload } from '../support/stubborn-processes.ts';

/** A tool in a separate home, and how it exits. */
function started(argv: readonly string[], kind?: Kind) {
  const { folder, remove } = home();
  onTestFinished(remove);
  const { env, ready } = writePreload(folder, kind);
  const address = { DTP_BASE_URL: 'http://127.0.0.1:9', DTP_API_KEY: 'key-of-the-test' };
  const child = start(folder, argv, { env: { ...address, ...env } });
  const ended = new Promise<unknown[]>((done) => child.on('close', (...how) => done(how)));
  /** The first signal, which does not end it. A second one at the same moment would count as the same. */
  const signalInVain = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await until(() => existsSync(`${ready}.${signal}`));
    await moment();
    expect(child.exitCode).toBe(null);
  };
  return { child, ended, signalInVain, isReady: () => existsSync(ready) };
}

const onStuckDisk = ['ws', 'create', '--body', '@body.json'];

test.each(signals)('a disk that does not answer: forced to exit after a while: %s', async (signal) => {
  const { child, ended, isReady } = started(onStuckDisk, 'forced and stuck');
  await until(isReady);
  await moment();
  child.kill(signal);
  expect(await ended).toEqual([codes[signal], null]);
});

test.each(signals)('a disk that does not answer: forced to exit at once by the second %s', async (signal) => {
  const { child, ended, signalInVain, isReady } = started(onStuckDisk, 'stuck');
  await until(isReady);
  await moment();
  await signalInVain(signal);
  child.kill(signal);
  expect(await ended).toEqual([codes[signal], null]);
});

test.each(signals)('dtp serve with an open request: forced to exit by the second %s', async (signal) => {
  const { child, ended, signalInVain } = started(['serve', '--ephemeral', '--latency', '5m', '-o', 'json']);
  const line = await new Promise<string>((done) => child.stdout.once('data', (text) => done(String(text))));
  const cut = fetch(`${JSON.parse(line).address}/v1/user`).catch(() => 'cut');
  await moment();
  await signalInVain(signal);
  child.kill(signal);
  expect([await ended, await cut]).toEqual([[codes[signal], null], 'cut']);
});

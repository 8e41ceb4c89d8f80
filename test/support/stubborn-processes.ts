/**
 * A tool that is never forced to exit: it exits by itself after a signal, or not at all, however slow the
 * machine is.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomOf, rounds, seed } from './random.ts';

/**
 * `$READY` is written, with the process id, when the tool listens for signals; `$READY.SIGNAL` when it has
 * handled one. The write is delayed, because `newListener` fires before the listener is added.
 */
const telling = `
const { writeFileSync } = require('node:fs');
let ready = process.env.READY;
const handled = process.env.READY + '.';
process.on('newListener', (name) => {
  if (name !== 'SIGHUP' || !ready) return;
  const file = ready;
  ready = undefined;
  queueMicrotask(() => {
    for (const one of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(one, () => writeFileSync(handled + one, ''));
    writeFileSync(file, String(process.pid));
  });
});
`;

/**
 * Ten minutes instead of the 250 ms after which main.ts forces an exit, the two seconds of a server, and the
 * second that remains at exit.
 */
const waiting = stretching('[250, 1000, 2000].includes(ms)');

/**
 * The 250 ms stay, and every longer wait becomes ten minutes: a process that is not forced to exit after 250 ms
 * never is.
 */
const forcing = stretching('ms > 250');

function stretching(isLonger: string): string {
  return `
const { setTimeout: real } = globalThis;
globalThis.setTimeout = Object.assign(
  (work, ms, ...args) => real(work, ${isLonger} ? 600_000 : ms, ...args),
  real,
);
`;
}

/** A disk that never answers `stat` of body.json. */
const stuck = `
const files = require('node:fs/promises');
const { stat } = files;
files.stat = (path, ...args) =>
  String(path).endsWith('body.json')
    ? new Promise(() => setInterval(() => undefined, 60_000))
    : stat(path, ...args);
require('node:module').syncBuiltinESMExports();
`;

export type Kind = 'stuck' | 'forced' | 'forced and stuck';

/** The environment variables to add, and the file that appears when the process listens for signals. */
export function writePreload(folder: string, kind?: Kind): { env: Record<string, string>; ready: string } {
  const file = join(folder, 'patient.cjs');
  const parts = [telling, kind?.includes('forced') ? forcing : waiting, kind?.includes('stuck') ? stuck : ''];
  writeFileSync(file, parts.join(''));
  const ready = join(folder, 'ready');
  return { env: { NODE_OPTIONS: `--require=${file}`, READY: ready }, ready };
}

export const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
export type Signal = keyof typeof codes;
export const signals = Object.keys(codes) as Signal[];

/** A normal run tries one signal for each point. */
const random = randomOf(seed);
export const signalsToTest = (): readonly Signal[] =>
  rounds(1, signals.length) === 1 ? [signals[Math.floor(random() * signals.length)] as Signal] : signals;

/** Polls until it is true. If it never is, vitest's time limit applies. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((done) => setTimeout(done, 10));
}

export const moment = () => new Promise((done) => setTimeout(done, 300));

/** Whether a process exists. */
export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The batches queued below a home. */
export const spooled = (folder: string): readonly unknown[] =>
  existsSync(join(folder, 'state'))
    ? readdirSync(join(folder, 'state'), { recursive: true }).filter((name) => String(name).endsWith('.batch'))
    : [];

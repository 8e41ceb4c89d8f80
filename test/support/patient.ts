/** A tool that is never forced to end: it ends by itself at a signal, or not at all, however slow the machine is. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomOf, rounds, seed } from './random.ts';

/**
 * `$READY` is written when the tool listens to signals, with its process id; `$READY.SIGNAL` when it has handled one. Not
 * at once: a listener is announced before it is there.
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

/** The 250 ms after which main.ts ends a process by force, the two seconds of a server, and the second that is left at an end, become ten minutes. */
const waiting = stretching('[250, 1000, 2000].includes(ms)');

/** The 250 ms stay, and all that is longer becomes as much: who is not ended by force after them is not ended. */
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

/** A disk that never says what body.json is. */
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

/** What to add to the environment, and the file that appears when the process listens to signals. */
export function patient(folder: string, kind?: Kind): { env: Record<string, string>; ready: string } {
  const file = join(folder, 'patient.cjs');
  const parts = [telling, kind?.includes('forced') ? forcing : waiting, kind?.includes('stuck') ? stuck : ''];
  writeFileSync(file, parts.join(''));
  const ready = join(folder, 'ready');
  return { env: { NODE_OPTIONS: `--require=${file}`, READY: ready }, ready };
}

export const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
export type Signal = keyof typeof codes;
export const signals = Object.keys(codes) as Signal[];

/** A plain run draws one signal for each point. */
const random = randomOf(seed);
export const drawn = (): readonly Signal[] =>
  rounds(1, signals.length) === 1 ? [signals[Math.floor(random() * signals.length)] as Signal] : signals;

/** Asked again until it is so; vitest's own limit ends what never comes. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((done) => setTimeout(done, 10));
}

export const moment = () => new Promise((done) => setTimeout(done, 300));

/** Whether a process is there. */
export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Batches that are kept below a home. */
export const spooled = (folder: string): readonly unknown[] =>
  existsSync(join(folder, 'state'))
    ? readdirSync(join(folder, 'state'), { recursive: true }).filter((name) =>
        String(name).endsWith('.batch'),
      )
    : [];

/** A tool that is never forced to end: it ends by itself at a signal, or not at all, however slow the machine is. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `$READY` is written when the tool listens to signals, with its process id. */
const telling = `
let ready = process.env.READY;
process.on('newListener', (name) => {
  if (name !== 'SIGHUP' || !ready) return;
  require('node:fs').writeFileSync(ready, String(process.pid));
  ready = undefined;
});
`;

/** The 250 ms after which main.ts ends a process by force, and the second that it leaves at an end, become ten minutes. */
const waiting = `
const { setTimeout: real } = globalThis;
globalThis.setTimeout = Object.assign(
  (work, ms, ...args) => real(work, [250, 1000].includes(ms) ? 600_000 : ms, ...args),
  real,
);
`;

/** A disk that never gives what is in body.json. */
const stuck = `
const files = require('node:fs/promises');
const { readFile } = files;
files.readFile = (path, ...args) =>
  String(path).endsWith('body.json')
    ? new Promise(() => setInterval(() => undefined, 60_000))
    : readFile(path, ...args);
require('node:module').syncBuiltinESMExports();
`;

export type Kind = 'stuck' | 'forced' | 'forced and stuck';

/** What to add to the environment, and the file that appears when the process listens to signals. */
export function patient(folder: string, kind?: Kind): { env: Record<string, string>; ready: string } {
  const file = join(folder, 'patient.cjs');
  const parts = [telling, kind?.includes('forced') ? '' : waiting, kind?.includes('stuck') ? stuck : ''];
  writeFileSync(file, parts.join(''));
  const ready = join(folder, 'ready');
  return { env: { NODE_OPTIONS: `--require=${file}`, READY: ready }, ready };
}

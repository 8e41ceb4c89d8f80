/** A program that reports each signal it gets, for commands that run the user's programs. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './stubborn-processes.ts';

/**
 * `ends`: half a second after its first signal, it calls the service 20 times, prints its last line and exits with 42. The calls go through the tool, which by then has forwarded everything it will forward.
 * `stays`: it ignores signals, and prints each one a moment later.
 */
export type Manner = 'ends' | 'stays';

const source = `
const { appendFileSync } = require('node:fs');
const [, , file, manner, ...extra] = process.argv;
const write = (words) => appendFileSync(file, words.join(' ') + '\\n');
let isFirst = true;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(name, async () => {
    write(['got', name]);
    // From here on, the next signal counts as a new one.
    if (manner === 'stays') setTimeout(() => process.stdout.write('got ' + name + '\\n'), 200);
    if (manner === 'stays' || !isFirst) return;
    isFirst = false;
    await new Promise((done) => setTimeout(done, 500));
    for (let times = 0; times < 20; times++)
      write(['answered', (await fetch(process.env.DTP_BASE_URL + '/v1/user')).status]);
    process.stdout.write('the last line\\n', () => process.exit(42));
  });
// Writing to a terminal that has hung up fails.
process.stdout.on('error', () => process.exit(42));
setInterval(() => undefined, 60_000);
process.stdout.write('up\\n');
write(['up', process.pid, process.ppid, ...extra]);
`;

/** Writes the program into a folder. Returns the words that run it, and what it has reported so far. */
export function reporting(folder: string, manner: Manner) {
  const program = join(folder, 'reporting.cjs');
  const file = join(folder, 'reported');
  writeFileSync(program, source);
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
  const words = (kind: string) =>
    lines()
      .map((line) => line.split(' '))
      .filter(([first]) => first === kind)
      .map(([, ...rest]) => rest);
  return {
    argv: [process.execPath, program, file, manner],
    signals: () => words('got').flat(),
    answers: () => words('answered').flat(),
    /** Waits until it runs: its process id, its parent's, and its additional arguments. */
    up: async () => {
      await until(() => words('up').length > 0);
      const [pid, parent, ...extra] = words('up')[0] ?? [];
      return { pid: Number(pid), parent: Number(parent), extra };
    },
  };
}

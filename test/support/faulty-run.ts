/** A command on a faulty wire: where it runs, what it leaves on the disk, and what is wrong with its result. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Ended } from './context.ts';
import { type Faulty, startFaultyServer, TOKEN } from './faulty-server.ts';
import type { End, Fault } from './wire-fault.ts';
import { exitCodeFor, type Subject, timesOf } from './wire-subjects.ts';

export const KEY = 'Canary-Key-51C2';

export interface Trial {
  readonly fault: Fault;
  readonly subject: Subject;
  /** Whether the result goes to a file. */
  readonly toFile: boolean;
  readonly end: End;
  /** `--timeout`: the command may end before a second attempt. */
  readonly timeout?: string;
}

/** Runs the command of a trial with its fault. Returns what is wrong, at most one line. */
export async function tryOut(
  trial: Trial,
  run: (argv: readonly string[], home: string, server: Faulty) => Promise<Ended>,
): Promise<readonly string[]> {
  const { fault, subject } = trial;
  const server = await startFaultyServer(fault, subject.good, subject.isOwn);
  const home = mkdtempSync(join(tmpdir(), 'dtp-fault-'));
  try {
    for (const [name, text] of Object.entries(subject.files)) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
    }
    const ended = await run(lineOf(trial), home, server);
    const left = leftIn(home, subject);
    const out = left.includes('out') ? readFileSync(join(home, 'out'), 'latin1') : '';
    const words = problems(trial, ended, left, out, server.asked.length);
    const about = `${fault.name}, ${subject.name}`;
    return words.length === 0 ? [] : [`${about}: ${words.join(', ')} (${ended.stderr.slice(0, 500)})`];
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const lineOf = ({ subject, toFile, timeout }: Trial): readonly string[] => [
  ...subject.argv,
  ...(toFile ? ['-O', 'out'] : []),
  ...(timeout === undefined ? [] : ['--timeout', timeout]),
];

/** Files that were not there before, except those that are stored on purpose. */
function leftIn(home: string, { files }: Subject): readonly string[] {
  const given = Object.keys(files);
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => {
      const isKnown = name.startsWith('state') || given.some((one) => one.startsWith(name));
      return name.includes('.dtp-') || !isKnown;
    })
    .sort();
}

function problems(
  { fault, subject, toFile, end, timeout }: Trial,
  { code, stdout, stderr }: Ended,
  left: readonly string[],
  out: string,
  asked: number,
): readonly string[] {
  const isOk = end === 'ok';
  const error = isOk ? undefined : errorIn(stderr);
  const expectedFiles = isOk ? [toFile ? 'out' : '', subject.makes ?? ''].filter(Boolean) : [];
  const times = timesOf(fault, subject);
  // A URL that was passed is shown with its signature.
  const secrets = isOk ? [KEY] : [KEY, TOKEN];
  const found: Readonly<Record<string, boolean>> = {
    [`exit code ${code} instead of ${exitCodeFor(end)}`]: code !== exitCodeFor(end),
    'no error code of its kind': !isOk && (error?.code !== end || error.exit_code !== code),
    'prints a secret': secrets.some((one) => (stdout + stderr + out).toLowerCase().includes(one.toLowerCase())),
    'prints a stack trace': /\n\s+at /.test(stderr),
    'prints something on stdout': stdout !== '' && (toFile || !(isOk || (subject.streams && isLines(stdout)))),
    [`leaves files: ${left}`]: String(left) !== String(expectedFiles),
    // Ended by the deadline, not by a timeout of the connection.
    'not ended by the deadline': fault.isEndless === true && !error?.message.includes('no result within'),
    [`sent ${asked} requests`]:
      fault.on === 'request' && !timeout && !fault.isEndless && (times === 'more' ? asked < 2 : asked !== times),
  };
  return Object.keys(found).filter((one) => found[one]);
}

const isLines = (text: string) => text.endsWith('\n') && text.trimEnd().split('\n').every(isJson);

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** The error that is printed as JSON; undefined without an error. */
export function errorIn(stderr: string) {
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  return line.startsWith('{"error":')
    ? (JSON.parse(line).error as { code: string; message: string; exit_code: number })
    : undefined;
}

/** Runs several at once. Returns what is wrong with all of them. */
export async function runTrials(
  trials: readonly Trial[],
  count: number,
  work: (trial: Trial) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const queue = trials.values();
  const found: string[] = [];
  const worker = async () => {
    for (const trial of queue) found.push(...(await work(trial)));
  };
  await Promise.all(Array.from({ length: count }, worker));
  return found;
}

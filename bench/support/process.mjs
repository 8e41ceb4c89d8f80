/** One command run to its end: how long it took, what it wrote, and the most memory that it held. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Of stdout, characters that are kept. */
const kept = 4096;

/**
 * Times in milliseconds, memory in MB. `onData` gets each piece of stdout. Throws what stands on stderr where the command
 * does not end with 0.
 */
export function run([program, ...argv], { env, cwd, onData } = {}) {
  const start = performance.now();
  const child = spawn(program, argv, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const peakOf = watchPeak(child.pid);
  let [bytes, lines, text, errors] = [0, 0, '', ''];
  child.stdout.on('data', (piece) => {
    onData?.(piece);
    bytes += piece.byteLength;
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines++;
    if (text.length < kept) text += piece.toString().slice(0, kept);
  });
  child.stderr.on('data', (piece) => {
    errors += piece;
  });
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code) => {
      const [ms, peak] = [performance.now() - start, peakOf()];
      if (code === 0) done({ ms, bytes, lines, text, peak });
      else failed(new Error(`${program} ${argv.join(' ')} ended with ${code}: ${errors || text}`));
    });
  });
}

/** Looks each 5 ms; the function that it gives ends that, and tells the most that the process held, in MB. */
function watchPeak(pid) {
  let peak = Number.NaN;
  const look = setInterval(() => {
    const now = peakOf(pid);
    if (now > 0) peak = now;
  }, 5);
  return () => {
    clearInterval(look);
    return peak;
  };
}

/** The most that a process held until now, in MB; not known but on Linux, nor when it has ended. */
export function peakOf(pid) {
  try {
    const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (Number(kib) * 1024) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** Whether a program is on the PATH and runs. */
export const isThere = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

export function median(all) {
  const sorted = [...all].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The medians of time and memory of each command, which are run in turn, so that what disturbs one disturbs all. */
export async function inTurn(rounds, commands) {
  const runs = commands.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [at, command] of commands.entries()) runs[at].push(await command());
  return runs.map((all) => ({
    ...all[0],
    ms: median(all.map(({ ms }) => ms)),
    peak: median(all.map(({ peak }) => peak)),
  }));
}

/** Runs a command until it exits, and measures its time, its output and its peak memory. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** How many characters of stdout are stored. */
const kept = 4096;

/**
 * Times are in milliseconds, memory in MB. `onData` gets each piece of stdout. If the exit code is not 0, it throws an
 * error with the content of stderr.
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
      else failed(new Error(`${program} ${argv.join(' ')} exited with ${code}: ${errors || text}`));
    });
  });
}

/** Checks the memory of a process every 5 ms. The returned function stops that, and returns the peak in MB. */
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

/** The peak memory of a process so far, in MB. NaN if the process has exited, or the system is not Linux. */
export function peakOf(pid) {
  try {
    const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (Number(kib) * 1024) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/**
 * The CPU time of all processes that this one started and that have exited, in seconds, with those that they started. NaN
 * if the system is not Linux.
 */
export function cpuOfChildren() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // There are a hundred ticks in a second. The fields are cutime and cstime of proc(5).
    return (Number(fields[13]) + Number(fields[14])) / 100;
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

/** The median time and memory of each command. The commands take turns, so that other load affects all of them. */
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

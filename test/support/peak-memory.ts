/** Runs the tool as a process, and measures its peak memory as Linux counts it. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { home, start } from './process.ts';

/** Returns the exit code or signal, the output, and the peak memory of a command in MB (0 if it is not on Linux). */
export function runMeasured(argv: readonly string[], env: Readonly<Record<string, string>>) {
  const place = home();
  const child = start(place.folder, argv, { env });
  child.stdin.end();
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (piece) => {
      // Only the beginning counts.
      if (text[stream].length < 10_000) text[stream] += piece;
    });
  let most = 0;
  // The peak only rises, so the last successful read has it.
  const timer = setInterval(() => {
    most = Math.max(most, peakOf(child.pid));
  }, 10);
  return new Promise<{ code: number | string | null; stdout: string; stderr: string; most: number }>((done) =>
    child.on('close', (code, signal) => {
      clearInterval(timer);
      place.remove();
      done({ code: signal ?? code, ...text, most });
    }),
  );
}

/** Returns the peak memory of a process in MB, and 0 if it has ended or if this is not Linux. */
export function peakOf(pid: number | undefined | null): number {
  try {
    const [, kb = 0] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kb) / 1024;
  } catch {
    return 0;
  }
}

/** Counts a mark on stdout. Resolves to the count, the number of bytes, and the peak memory in MB. */
export async function countedOutput(child: ChildProcessWithoutNullStreams, mark: string) {
  let [count, length, peak, err] = [0, 0, 0, ''];
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  child.stdout.on('data', (chunk: Buffer) => {
    length += chunk.byteLength;
    for (let at = chunk.indexOf(mark); at >= 0; at = chunk.indexOf(mark, at + 1)) count++;
    peak = peakOf(child.pid) || peak;
  });
  const code = await new Promise((done) => child.on('close', done));
  return { code, count, length, peak, err };
}

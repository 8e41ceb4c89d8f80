/** Temporary file systems for tests, in a long run as root only. */
import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { rounds } from './random.ts';

/** Mounts a file system on a folder until the test ends. Returns false, and prints the reason, if it cannot. */
export function mounted(options: readonly string[], folder: string): boolean {
  const without = (why: string) => {
    process.stdout.write(`no separate file system (${why}): part of this test is skipped\n`);
    return false;
  };
  if (rounds(0, 1) === 0) return without('not a long run');
  try {
    execFileSync('mount', [...options, folder], { stdio: 'pipe' });
  } catch (error) {
    return without(`mount failed: ${(error as Error).message.split('\n')[0]}`);
  }
  onTestFinished(() => void execFileSync('umount', [folder]));
  return true;
}

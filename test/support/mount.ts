/** File systems of a test's own: in a long run, and for root alone. */
import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { rounds } from './random.ts';

/** Mounts on a folder until the test is over; false, with the reason printed, where that may not be. */
export function mounted(options: readonly string[], folder: string): boolean {
  const without = (why: string) => {
    process.stdout.write(`without a file system of its own, as ${why}: a part of this test\n`);
    return false;
  };
  if (rounds(0, 1) === 0) return without('this is no long run');
  try {
    execFileSync('mount', [...options, folder], { stdio: 'pipe' });
  } catch (error) {
    return without(`nothing can be mounted here (${(error as Error).message.split('\n')[0]})`);
  }
  onTestFinished(() => void execFileSync('umount', [folder]));
  return true;
}

/** Says why a program could not be started. */
import { existsSync } from 'node:fs';
import { messageOf, systemCode } from '../caught.ts';

/** Returns a sentence about the error of `spawn`, which itself only has a code. */
export function startFault(program: string, error: unknown): string {
  const isFile = /[\\/]/.test(program);
  switch (systemCode(error)) {
    case 'ENOENT':
      if (!isFile) return `${program} is not installed, or not in a folder of PATH`;
      return existsSync(program)
        ? `${program} cannot be started: the program in its first line does not exist`
        : `file not found: ${program}`;
    case 'EACCES':
      return `${program} is not executable`;
    case 'ENOEXEC':
      return `${program} is not a program; if it is a script, its first line must start with #!`;
    default:
      return `${program} cannot be started: ${messageOf(error)}`;
  }
}

/** Says why a program could not be started. */
import { existsSync } from 'node:fs';
import { messageOf, systemCode } from '../caught.ts';

/** Returns a sentence about the error of `spawn`, which itself only has a code. */
export function startFault(program: string, error: unknown): string {
  const code = systemCode(error);
  if (code === 'EACCES') return `${program} is not executable`;
  if (code === 'ENOEXEC') return `${program} is not a program; if it is a script, its first line must start with #!`;
  if (code !== 'ENOENT') return `${program} cannot be started: ${messageOf(error)}`;
  if (!/[\\/]/.test(program)) return `${program} is not installed, or not in a folder of PATH`;
  if (!existsSync(program)) return `file not found: ${program}`;
  return `${program} cannot be started: the program in its first line does not exist`;
}

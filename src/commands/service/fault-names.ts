/** Reads the operation of `--fail` and `--drop`, which people name by its command or by its id. */
import { DtpError } from '../../errors.ts';
import { allOperations } from '../../operations/index.ts';
import { nearest } from '../../render/nearest.ts';
import { unshortened } from '../../tree/nouns.ts';

/**
 * Replaces the words of a command with the id of its operation: `events post=503` is `postWorkspaceEvents=503`. Throws
 * `usage` for an unknown operation. Text without `=` is returned unchanged.
 */
export function withOperationId(flag: string, text: string): string {
  const [, name = '', rest = ''] = /^([^=]+)(=.*)$/s.exec(text) ?? [];
  if (name === '' || name === '*') return text;
  const words = unshortened(name.trim().replace(/^dtp /, '').split(/\s+/)).join(' ');
  const found = allOperations.find(({ id, command }) => id === name || command.join(' ') === words);
  if (found) return found.id + rest;
  const names = allOperations.flatMap(({ id, command }) => [command.join(' '), id]);
  const similar = nearest(words, names);
  throw new DtpError(
    'usage',
    `--${flag}: unknown operation "${name}"${similar === undefined ? '' : ` (did you mean "${similar}"?)`}`,
    {
      hint: 'Use the words of a command, such as "events post", or the id of an operation, or * for all. List them with:',
      next: ["dtp schema --query 'commands[?operation].[command, operation]'"],
    },
  );
}

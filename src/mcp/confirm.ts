/** What destroys or costs is done only where the call repeats what it is about. */

import { harms } from '../commands/confirm.ts';
import { DtpError } from '../errors.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { jsonBody } from '../request/build.ts';
import { argumentsOf } from '../tree/operation-flags.ts';
import { withoutFlags } from './schema.ts';

/**
 * What a call is about: the values of its path, else those of its body, else the noun. So no `confirm` that was right for
 * one thing is right for another.
 */
export function subjectOf(operation: Operation, input: Input): string {
  const ids = argumentsOf(operation).map(([name]) => String(input[name]));
  if (ids.length > 0) return ids.join(' ');
  const said = leavesOf(jsonBody(operation, input));
  return said.length > 0 ? said.join(', ') : operation.command.slice(0, -1).join(' ');
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return value === undefined || value === null ? [] : [String(value)];
}

/** Throws `usage`, with what would be done, where `given` is not the subject of what destroys or costs. */
export function checkConfirmed(operation: Operation, input: Input, given: unknown): void {
  const { effect, summary } = operation;
  if (effect !== 'destroy' && effect !== 'bill') return;
  const subject = subjectOf(operation, input);
  if (given === subject) return;
  const what = given === undefined ? 'confirm is missing' : 'confirm names something else';
  throw new DtpError(
    'usage',
    `${what}, and nothing was sent: ${withoutFlags(summary)} (${subject}) ${harms[effect]}`,
    {
      hint: `Where the user has asked for exactly this, call again with confirm ${JSON.stringify(subject)}.`,
    },
  );
}

/** Checks that calls that delete data or cost money name in `confirm` what they act on. */

import { harms } from '../commands/confirm.ts';
import { DtpError } from '../errors.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { jsonBody } from '../request/build.ts';
import { argumentsOf } from '../tree/operation-flags.ts';
import { withoutFlags } from './schema.ts';

/**
 * Returns what a call acts on: the ids in its path. If there are no ids, returns the values in its body, or else the
 * noun of the command. A `confirm` for one object is therefore not valid for another.
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

/** Throws `usage` unless `given` matches what the call acts on. The error says what the call would do. */
export function checkConfirmed(operation: Operation, input: Input, given: unknown): void {
  const { effect, summary } = operation;
  if (effect !== 'destroy' && effect !== 'bill') return;
  const subject = subjectOf(operation, input);
  if (given === subject) return;
  const what = given === undefined ? 'confirm is missing' : 'confirm does not match';
  throw new DtpError(
    'usage',
    `${what}, so nothing was sent: "${withoutFlags(summary)}" (${subject}) ${harms[effect]}`,
    {
      hint: `If the user asked for exactly this, call again with confirm set to ${JSON.stringify(subject)}.`,
    },
  );
}

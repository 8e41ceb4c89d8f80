/** Checks that harmful calls name in `confirm` what they act on. */

import { createHash } from 'node:crypto';
import { harmReasons } from '../commands/confirm.ts';
import { DtpError } from '../errors.ts';
import { harmOf, isHarmless } from '../operations/effect.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { jsonBody } from '../request/build.ts';
import { argumentsOf } from '../tree/operation-flags.ts';
import { withoutFlags } from './schema.ts';

/** The maximum number of characters of a value that is shown as it is. */
const LONGEST = 100;

/**
 * Returns what a call acts on: the ids in its path. If there are no ids, returns the values in its body, or else the
 * noun of the command. A `confirm` for one object is therefore not valid for another. A long text, such as an API
 * document, is shown as its digest.
 */
export function subjectOf(operation: Operation, input: Input): string {
  const ids = argumentsOf(operation).map(([name]) => String(input[name]));
  if (ids.length > 0) return ids.join(' ');
  const said = leavesOf(jsonBody(operation, input));
  return said.length > 0 ? said.join(', ') : operation.command.slice(0, -1).join(' ');
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  if (value === undefined || value === null) return [];
  const text = String(value);
  return [text.length > LONGEST ? `sha256:${createHash('sha256').update(text).digest('hex')}` : text];
}

/** Throws `usage` unless `given` matches what the call acts on. The error says what the call would do. */
export function checkConfirmed(operation: Operation, input: Input, given: unknown): void {
  const harm = harmOf(operation);
  if (harm === undefined || isHarmless(operation, jsonBody(operation, input))) return;
  const subject = subjectOf(operation, input);
  if (given === subject) return;
  const what = given === undefined ? 'confirm is missing' : 'confirm does not match';
  throw new DtpError(
    'usage',
    `${what}, so nothing was sent: "${withoutFlags(operation.summary)}" (${subject}) ${harmReasons[harm]}`,
    { hint: `If the user asked for exactly this, call again with confirm set to ${JSON.stringify(subject)}.` },
  );
}

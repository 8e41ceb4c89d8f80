/** Input against its operation, before anything is sent: what the document requires inline, and the kinds of values. */

import { DtpError } from '../errors.ts';
import { fieldsOf, isRecord } from '../json-object.ts';
import { typeOf } from '../operations/field-types.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { values } from '../operations/records.ts';
import { isDeeper } from '../request/http.ts';
import { checkValue } from './kinds.ts';
import { lackingFields, missing, ofCommandLine, type Wording } from './lacking.ts';

/** No service reads deeper JSON, and some Nodes do not write it. */
const depthLimit = 500;

/**
 * Throws `usage`, naming the field, as `wording` has it, and what would be right. Known fields of records are never
 * required.
 */
export function checkInput(
  operation: Operation,
  input: Input,
  argv: readonly string[] = [],
  wording: Wording = ofCommandLine,
): void {
  const label = (name: string) => wording.label(operation, name);
  const { body } = input;
  if (isDeeper(body, depthLimit))
    throw new DtpError('usage', `${label('body')} is nested deeper than ${depthLimit}`);
  if (hasMembers(operation) && body !== undefined && !isRecord(body))
    throw new DtpError('usage', `${label('body')} must be a JSON object`);
  for (const [name, field] of Object.entries(operation.input)) {
    const value = input[name] ?? (field.in === 'member' ? fieldsOf(body)[name] : undefined);
    if (value !== undefined) checkValue(label(name), typeOf(field), value, wording.kinds);
  }
  // A record of this one operation.
  if (operation.id === 'getCodeSamples') checkMethodPaths(label('method_paths'), input.method_paths);
  const lacking = lackingFields(operation, input);
  if (lacking.length > 0) throw missing(operation, input, argv, wording);
}

const hasMembers = (operation: Operation) =>
  Object.values(operation.input).some((field) => field.in === 'member');

/** Both fields of a method path selector are required (api.md); of the methods, capitals do as well. */
function checkMethodPaths(label: string, given: unknown): void {
  const all: readonly unknown[] = Array.isArray(given) ? given : [];
  const wrong = all.find((one) => {
    const { method, path } = fieldsOf(one);
    return typeof path !== 'string' || path === '' || !isMethod(method);
  });
  if (wrong !== undefined)
    throw new DtpError('usage', `each of ${label} must be an object with method and path`, {
      hint: `The method is one of ${values.HttpMethod?.join(', ')}, the path a text: {"method":"get","path":"/pets"}.`,
    });
}

const isMethod = (value: unknown): boolean =>
  typeof value === 'string' && values.HttpMethod?.includes(value.toLowerCase()) === true;

/** Checks the input of an operation before anything is sent: required fields and the types of values. */
import { DtpError } from '../errors.ts';
import { fieldsOf, isRecord } from '../json-object.ts';
import { typeOf } from '../operations/field-types.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { enumValues } from '../operations/records.ts';
import { isDeeper } from '../request/http.ts';
import { checkValue } from './kinds.ts';
import { commandLineWording, missingError, missingFields, type Wording } from './missing-fields.ts';

/** The maximum nesting depth of JSON to send. Services may reject deeper JSON, and some versions of Node fail on it. */
const depthLimit = 500;

/** Throws `usage` with the field and the expected value for an invalid input. Fields of records are never required. */
export function checkInput(
  operation: Operation,
  input: Input,
  argv: readonly string[] = [],
  wording: Wording = commandLineWording,
): void {
  const label = (name: string) => wording.label(operation, name);
  const { body } = input;
  if (isDeeper(body, depthLimit))
    throw new DtpError('usage', `${label('body')} is nested deeper than ${depthLimit} levels`);
  const hasBodyFields = Object.values(operation.input).some((field) => field.in === 'member');
  if (hasBodyFields && body !== undefined && !isRecord(body))
    throw new DtpError('usage', `${label('body')} must be a JSON object`);
  for (const [name, field] of Object.entries(operation.input)) {
    const value = input[name] ?? (field.in === 'member' ? fieldsOf(body)[name] : undefined);
    if (value !== undefined) checkValue(label(name), typeOf(field), value, wording.kinds);
    if (field.isMethodPaths) checkMethodPaths(label(name), value);
  }
  if (missingFields(operation, input).length > 0) throw missingError(operation, input, argv, wording);
}

/** Throws `usage` if a selector has no method or path (api.md). The method may be in upper case. */
function checkMethodPaths(label: string, given: unknown): void {
  const selectors: readonly unknown[] = Array.isArray(given) ? given : [];
  const wrong = selectors.find((one) => {
    const { method, path } = fieldsOf(one);
    return typeof path !== 'string' || path === '' || !isMethod(method);
  });
  if (wrong !== undefined)
    throw new DtpError('usage', `each value of ${label} must be an object with a method and a path`, {
      hint: `Example: {"method":"get","path":"/pets"}. Methods: ${enumValues.HttpMethod?.join(', ')}.`,
    });
}

const isMethod = (value: unknown): boolean =>
  typeof value === 'string' && enumValues.HttpMethod?.includes(value.toLowerCase()) === true;

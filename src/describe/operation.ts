/** Describes what an operation needs and how it ends, for help and schema. */
import type { ErrorCode } from '../errors.ts';
import { harmOf } from '../operations/effect.ts';
import type { Operation } from '../operations/operation.ts';
import { settingFields } from '../settings/setting-fields.ts';
import { takesBody } from '../tree/operation-flags.ts';
import { kebab } from '../tree/vocabulary.ts';

/** Returns the global flags that set fields of an operation. */
export const settingFlags = ({ input }: Operation): readonly string[] =>
  Object.keys(input)
    .filter((name) => name in settingFields)
    .map((name) => `--${kebab(settingFields[name] ?? '')}`);

/** Describes the body of an operation. `record` is the name of its record. Undefined if the operation has no body. */
export function bodyRecordOf(operation: Operation) {
  if (!takesBody(operation)) return undefined;
  const { body, ...others } = operation.input;
  const parts = Object.values(others).filter((field) => field.in === 'part');
  // The forms are those of code samples. The API document requires the form, but not any single part.
  const isForm = parts.length > 0;
  return {
    required:
      isForm || body?.required === true || body?.wanted === true || Object.values(others).some(isRequiredMember),
    many: body?.many === true,
    ...(body?.record !== undefined && { record: body.record }),
  };
}

const isRequiredMember = (field: Operation['input'][string]) => field.in === 'member' && field.required === true;

/** The errors that every command with a request may exit with. */
export const requestErrors: readonly ErrorCode[] = [
  'config',
  'auth',
  'forbidden',
  'not_found',
  'rejected',
  'rate_limited',
  'server',
  'network',
  'bad_response',
  'timeout',
];

/** Returns the errors that an operation may exit with, except internal errors and invalid usage. */
export function exitErrorsOf(operation: Operation): readonly ErrorCode[] {
  const { flow, ends = [] } = operation;
  return [
    ...requestErrors,
    ...(flow === 'wait' ? (['pending'] as const) : []),
    ...(flow === 'run' ? (['pending', 'partial'] as const) : []),
    ...(flow === 'spool' ? (['partial', 'kept'] as const) : []),
    ...ends,
    ...(harmOf(operation) === undefined ? [] : (['cancelled'] as const)),
  ];
}

/** Returns what a user must know about an operation besides its flags, one paragraph each. */
export const notesOf = ({ auth, notes = [] }: Operation): readonly string[] =>
  auth === 'none' ? ['This command needs no credential and sends none.'] : notes;

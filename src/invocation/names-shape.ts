/** Decides whether a value is an id or has to be looked up. Small, because every command with an id loads it. */
import { fieldsOf, isRecord } from '../json-object.ts';
import type { Input, Operation } from '../operations/operation.ts';
import type { Setting } from '../settings/resolve.ts';
import { type LookUp, lookUpFor } from '../tree/lists.ts';
import { settingFields } from '../tree/operation-flags.ts';

/** The forms of ids that services issue. A value in one of them is never looked up. */
const idForms: readonly RegExp[] = [
  // A UUID.
  /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  // A short prefix for the kind, such as ws_2c81. Without a digit, it is more likely to be a name.
  /^[a-z]{1,4}_(?=[A-Za-z]*\d)[0-9A-Za-z]+$/,
  // Long and random: ULID, KSUID, cuid, ObjectId.
  /^(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[0-9A-Za-z]{20,}$/,
  // A digest with all its characters.
  /^sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/i,
];

/** Whether a value has the form of a full id. */
export const isIdShaped = (value: string): boolean => idForms.some((form) => form.test(value));

/** The beginning of an id as tables show it, with or without the `…` at its end. */
export const shortenedForm = /^((?:sha(?:256|512):)?[0-9A-Za-z_-]{6,})…?$/;

/** Whether the id that a value stands for can only be found in the list. */
export const needsLookUp = ({ only }: LookUp, value: string): boolean =>
  value !== '' && !isIdShaped(value) && (only === undefined || only.test(value));

/** An input that has to be looked up. */
export interface Unknown {
  readonly field: string;
  readonly value: string;
  readonly lookUp: LookUp;
  /** Whether it is a field of the body. */
  readonly isInBody: boolean;
}

/** The values of an operation that stand for things in a list and are not ids. */
export function unknownsIn(operation: Operation, input: Input): readonly Unknown[] {
  const found = (isInBody: boolean) => (name: string, value: unknown) => {
    if (typeof value !== 'string' || name in settingFields) return [];
    const lookUp = lookUpFor(operation, name);
    return lookUp && needsLookUp(lookUp, value) ? [{ field: name, value, lookUp, isInBody }] : [];
  };
  const { body, ...others } = input;
  return [
    ...Object.entries(others).flatMap(([name, value]) => found(false)(name, value)),
    ...(isRecord(body) ? Object.entries(body) : []).flatMap(([name, value]) => found(true)(name, value)),
  ];
}

/** The input with the id that a value stands for. */
export const withIdOf = ({ field, isInBody }: Unknown, input: Input, id: string): Input =>
  isInBody ? { ...input, body: { ...fieldsOf(input.body), [field]: id } } : { ...input, [field]: id };

/** Whether the workspace setting may be a name. `DTP_WORKSPACE_ID` is always an id. */
export const isNamedWorkspace = ({ value, source }: Setting): boolean =>
  source !== 'DTP_WORKSPACE_ID' && value !== '' && !isIdShaped(value);

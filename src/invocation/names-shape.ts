/** Decides whether a value is an id or has to be looked up. Small, because every command with an id loads it. */
import type { Input, Operation } from '../operations/operation.ts';
import type { Setting } from '../settings/resolve.ts';
import { type LookUp, lookUpFor } from '../tree/lists.ts';
import { argumentsOf } from '../tree/operation-flags.ts';

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
}

/** The arguments of an operation that are not ids. */
export const unknownsIn = (operation: Operation, input: Input): readonly Unknown[] =>
  argumentsOf(operation).flatMap(([field]) => {
    const [value, lookUp] = [input[field], lookUpFor(operation, field)];
    return typeof value === 'string' && lookUp && needsLookUp(lookUp, value)
      ? [{ field, value, lookUp }]
      : [];
  });

/** Whether the workspace setting may be a name. `DTP_WORKSPACE_ID` is always an id, as it says. */
export const isNamedWorkspace = ({ value, source }: Setting): boolean =>
  source !== 'DTP_WORKSPACE_ID' && value !== '' && !isIdShaped(value);

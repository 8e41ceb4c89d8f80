/** Decides whether a value is certainly an id, or may be a name. It is small, as every command with an id loads it. */
import { fieldsOf } from '../json-object.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { type ListedResource, listedResourceFor } from '../operations/resources.ts';
import type { Named } from '../render/short.ts';
import { settingFields } from '../settings/keys.ts';
import type { Setting } from '../settings/resolve.ts';
import { flagsOf } from '../tree/operation-flags.ts';

export interface WithIds {
  /** The input with ids in place of names. */
  readonly input: Input;
  readonly names: Readonly<Record<string, Named>>;
}

/** Forms that names do not have. A value in one of these forms is an id, which is never looked up. */
const idForms: readonly RegExp[] = [
  // A UUID.
  /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  // A short prefix and a random part, such as ws_2c81. Without a digit, the value is more likely to be a name.
  /^[a-z]{1,4}_(?=[A-Za-z]*\d)[0-9A-Za-z]+$/,
  // A long random string, such as a ULID, KSUID, cuid or ObjectId.
  /^(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[0-9A-Za-z]{20,}$/,
  // A full digest.
  /^sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/i,
];

export const isIdShaped = (value: string): boolean => idForms.some((form) => form.test(value));

/** The beginning of an id as tables show it, with or without the `…` at its end, or of a digest. */
export const shortenedForm = /^(sha(?:256|512):[0-9a-f]{4,}|[0-9A-Za-z_-]{6,})…?$/;

/** Whether a value may be a name or the beginning of an id, so that the list has to be read. */
export const needsLookUp = ({ nameForm }: ListedResource, value: string): boolean =>
  value !== '' && !isIdShaped(value) && nameForm?.test(value) === true;

export interface ValueToLookUp {
  readonly field: string;
  readonly value: string;
  readonly resource: ListedResource;
  /** Whether it is an error if the list can be read and does not have the value. */
  readonly mustExist: boolean;
  readonly isInBody: boolean;
}

/** The input of an operation, and how the fields of its body were typed. */
export interface TypedInput {
  readonly input: Input;
  /** The fields of the body that were passed with their flags. Other fields of a body are never looked up. */
  readonly members?: Input | undefined;
  /** Looks up every value, because a person is going to be asked about an existing thing. */
  readonly mustExist?: boolean;
}

/** Returns the values in the path, the query and the flags of an operation that have to be looked up. */
export function unknownsIn(operation: Operation, { input, members = {}, mustExist = false }: TypedInput) {
  const found = (isInBody: boolean) => (name: string, value: unknown) => {
    if (typeof value !== 'string' || name in settingFields) return [];
    const resource = listedResourceFor(operation, name);
    const isLookedUp = resource && (mustExist || needsLookUp(resource, value));
    return isLookedUp ? [{ field: name, value, resource, isInBody, mustExist }] : [];
  };
  const outside = Object.entries(operation.input).filter(([, { in: place }]) => place === 'path' || place === 'query');
  const body = Object.entries(fieldsOf(input.body)).filter(([name, value]) => members[name] === value);
  return [
    ...outside.flatMap(([name]) => found(false)(name, input[name])),
    ...body.flatMap(([name, value]) => found(true)(name, value)),
  ];
}

/** Returns the fields of the body that the user passed with their flags. */
export const membersIn = (operation: Operation, flags: Input): Input =>
  Object.fromEntries(flagsOf(operation).flatMap(({ member, name }) => (member ? [[member, flags[name]]] : [])));

/** Returns the input with the id in place of the value that was looked up. */
export const withIdOf = ({ field, isInBody }: ValueToLookUp, input: Input, id: string): Input =>
  isInBody ? { ...input, body: { ...fieldsOf(input.body), [field]: id } } : { ...input, [field]: id };

/** Whether the workspace setting may be a name. `DTP_WORKSPACE_ID` is always an id. */
export const isNamedWorkspace = ({ value, source }: Setting): boolean =>
  source !== 'DTP_WORKSPACE_ID' && value !== '' && !isIdShaped(value);

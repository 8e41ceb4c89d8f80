/** The flags of an operation: one for each field, and one for each known field inside a field that is a record. */

import { type FieldType, type KnownField, memberTypes, typeOf } from '../operations/field-types.ts';
import { type Direction, type Field, fieldNamed, type Operation } from '../operations/operation.ts';
import type { RecordField } from '../operations/record-field.ts';
import { globalNames } from '../settings/global-flags.ts';

/** A flag: the type of its value, and the field of the Input that it sets. */
export type Flag = FieldType & {
  /** Without dashes: `created-at`. */
  readonly name: string;
  readonly help: string;
  readonly field: string;
  /** The field of the record, if the flag is for one. */
  readonly member?: string;
  /** Whether a duration given for a time counts back from now, or forward. */
  readonly direction?: Direction;
  /** Who sets the field if the user does not. Help hides the flags of fields that the service sets. */
  readonly setBy?: RecordField[2];
};

/** The forms of a time, in the few words of a flag's help. */
export const timeForms: Readonly<Record<Direction, string>> = {
  past: '1h is an hour ago; also yesterday, 2026-01-31 or RFC 3339',
  future: '90d is in 90 days; also tomorrow, 2026-01-31 or RFC 3339',
};

type SettingName = 'workspace' | 'organization_slug' | 'workspace_slug';

/** Path and query fields that get their values from settings. They have global flags, and no flags of operations. */
export const settingFields: Readonly<Record<string, SettingName>> = Object.assign(Object.create(null), {
  workspace_id: 'workspace',
  organization_slug: 'organization_slug',
  workspace_slug: 'workspace_slug',
} satisfies Readonly<Record<string, SettingName>>);

/** `genLockId` → `gen-lock-id`, `jobID` → `job-id`. This cannot be reversed. */
export const kebab = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

/** The path fields that are arguments, in the order of the path. */
export function argumentsOf(operation: Operation): readonly (readonly [name: string, field: Field])[] {
  return [...operation.path.matchAll(/\{([^{}]+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in settingFields))
    .map((name) => [name, fieldNamed(operation, name)] as const);
}

/** The field that may be passed as an argument after those of the path, or as a flag. */
export const operandOf = (operation: Operation): readonly (readonly [name: string, field: Field])[] =>
  operation.operand === undefined ? [] : [[operation.operand, fieldNamed(operation, operation.operand)]];

/** The flags of an operation, in the order of its fields. */
export function flagsOf(operation: Operation): readonly Flag[] {
  const flags = Object.entries(operation.input).flatMap(([name, field]): readonly Flag[] => {
    if (field.in === 'path' || (field.in === 'query' && name in settingFields)) return [];
    return [fieldFlag(name, field), ...memberFlags(name, field)];
  });
  return takesBody(operation) && !('body' in operation.input) ? [...flags, wholeBody] : flags;
}

/** Whether `--body` can set the body of the operation. */
export const takesBody = (operation: Operation) =>
  Object.values(operation.input).some(
    ({ in: place }) => place === 'member' || place === 'part' || place === 'body',
  );

/** The help for passing a document. */
const documentHelp = ': JSON or YAML, @FILE, or - for standard input';

const wholeBody: Flag = {
  is: 'plain',
  kind: 'json',
  many: false,
  nullable: false,
  required: false,
  name: 'body',
  field: 'body',
  help: `the whole request body${documentHelp}; field flags override its values`,
};

function fieldFlag(name: string, field: Field): Flag {
  const type = typeOf(field);
  return {
    ...type,
    name: field.flag ?? kebab(name),
    // A whole body is one document, whatever it contains.
    many: type.many && field.in !== 'body',
    // The help of a batch is complete, because batches have more formats.
    help: field.in === 'body' && !field.many ? `${field.help}${documentHelp}` : field.help,
    field: name,
    ...(field.direction && { direction: field.direction }),
  };
}

const memberFlags = (name: string, field: Field): readonly Flag[] =>
  memberTypes(typeOf(field)).map((known) => memberFlag(name, known));

function memberFlag(field: string, [member, type, meaning, setBy]: KnownField): Flag {
  const name = kebab(member);
  return {
    ...type,
    name: globalNames.has(name) ? `${name}-value` : name,
    help: type.nullable ? `${meaning}, or null` : meaning,
    field,
    member,
    ...(setBy && { setBy }),
  };
}

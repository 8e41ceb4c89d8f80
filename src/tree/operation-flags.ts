/** The flags of an operation: one for each field, and one for each known member of a record. */
import { type Field, fieldNamed, type Kind, type Operation } from '../operations/operation.ts';
import { readType } from '../operations/record-types.ts';
import { records, values } from '../operations/records.ts';
import { globalNames } from '../settings/global-flags.ts';

/** A flag and the place in the Input that it fills. */
export interface Flag {
  /** Without dashes: `created-at`. */
  readonly name: string;
  readonly kind: Kind;
  readonly many: boolean;
  readonly help: string;
  readonly field: string;
  /** The member of the field's record, for a flag of a record. */
  readonly member?: string;
  /** Known values, for help and completion. */
  readonly values?: readonly string[];
  /** Whether they are the only ones. */
  readonly closed?: true;
  /** Whether the word `null` is a value. */
  readonly nullable?: true;
  /** The record that a value of the kind `json` must be. */
  readonly record?: string;
  readonly required: boolean;
}

type SettingName = 'workspace' | 'organization_slug' | 'workspace_slug';

/** Fields that are flags of every command, filled from the settings. The names of a query are looked up in it too. */
export const settingFields: Readonly<Record<string, SettingName>> = Object.assign(Object.create(null), {
  workspace_id: 'workspace',
  organization_slug: 'organization_slug',
  workspace_slug: 'workspace_slug',
} satisfies Readonly<Record<string, SettingName>>);

/** `genLockId` → `gen-lock-id`, `jobID` → `job-id`. One way only: nothing turns a flag back into a name. */
export const kebab = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

/** The path fields that are arguments, in the path's order. */
export function argumentsOf(operation: Operation): readonly (readonly [name: string, field: Field])[] {
  return [...operation.path.matchAll(/\{([^{}]+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in settingFields))
    .map((name) => [name, fieldNamed(operation, name)] as const);
}

/** The flags of an operation, in the order of its fields. */
export function flagsOf(operation: Operation): readonly Flag[] {
  const flags = Object.entries(operation.input).flatMap(([name, field]): readonly Flag[] => {
    if (field.in === 'path' || (field.in === 'query' && name in settingFields)) return [];
    return [fieldFlag(name, field), ...memberFlags(name, field)];
  });
  return takesBody(operation) && !('body' in operation.input) ? [...flags, wholeBody] : flags;
}

/** Whether `--body` may give the body's members. */
export const takesBody = (operation: Operation) =>
  Object.values(operation.input).some(
    ({ in: place }) => place === 'member' || place === 'part' || place === 'body',
  );

/** How a document is given. */
const documentHelp = ': JSON or YAML, @FILE or - for standard input';

const wholeBody: Flag = {
  name: 'body',
  kind: 'json',
  many: false,
  field: 'body',
  help: `All of the body${documentHelp}; flags win over it`,
  required: false,
};

function fieldFlag(name: string, field: Field): Flag {
  const known = field.oneOf ?? (field.record === undefined ? undefined : values[field.record]);
  return {
    name: field.flag ?? kebab(name),
    kind: field.kind,
    // A whole body is one document, whatever it holds.
    many: field.many === true && field.in !== 'body',
    // That of a batch tells of more forms.
    help: field.in === 'body' && !field.many ? `${field.help}${documentHelp}` : field.help,
    field: name,
    required: field.required === true,
    ...(known ? { values: known } : {}),
    ...(field.oneOf ? { closed: true } : {}),
  };
}

function memberFlags(name: string, field: Field): readonly Flag[] {
  const known = field.kind === 'json' && field.record !== undefined ? records[field.record] : undefined;
  return Object.entries(known ?? {}).map(([member, type]) => memberFlag(name, member, type));
}

function memberFlag(field: string, member: string, type: string): Flag {
  const { kind, many, nullable, known, record } = readType(type);
  const name = kebab(member);
  return {
    name: globalNames.has(name) ? `${name}-value` : name,
    kind,
    many,
    help: nullable ? `${kindWords[kind]}, or null` : kindWords[kind],
    field,
    member,
    required: false,
    ...(known && { values: known }),
    ...(nullable && { nullable }),
    ...(record !== undefined && { record }),
  };
}

/** What a member takes: the document says no more of it. */
export const kindWords = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  datetime: 'date and time',
  json: 'JSON, @FILE or -',
  file: 'file, or -',
} as const satisfies Record<Kind, string>;

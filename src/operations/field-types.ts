/** Determines the type of a field of an operation or a record. No other file parses the types of records. */
import type { Field, Kind, RecordField } from './operation.ts';
import { enumValues, records } from './records.ts';

interface Plain {
  readonly is: 'plain';
  readonly kind: Kind;
}

interface Enum {
  readonly is: 'enum';
  readonly kind: 'string';
  readonly values: readonly string[];
  /** Whether all other values are invalid. */
  readonly isClosed: boolean;
  /** Whether the enum has a name in records.ts. The service may have new values that are not listed there. */
  readonly isNamed: boolean;
}

interface OfRecord {
  readonly is: 'record';
  readonly kind: 'json';
  readonly record: string;
}

/** `is` is the type of one value. The other fields say whether it may be a list, null or absent. */
export type FieldType = (Plain | Enum | OfRecord) & {
  readonly many: boolean;
  readonly nullable: boolean;
  readonly required: boolean;
};

const plainKinds = ['string', 'integer', 'boolean', 'datetime', 'json'] as const;

/** Parses the type of a field of a record, such as `string`, `Diagnostic[]?`, `datetime|null?` or `enum(a,b)`. */
export function parseType(text: string): FieldType {
  const type = text.replace(/\?$/, '');
  const bare = type.replace(/\|null$/, '');
  const one = bare.replace(/\[\]$/, '');
  return { ...parseOne(one), many: one !== bare, nullable: bare !== type, required: type === text };
}

function parseOne(text: string): Plain | Enum | OfRecord {
  const inline = /^enum\((.*)\)$/.exec(text)?.[1]?.split(',');
  if (inline) return enumOf(inline, { isClosed: false, isNamed: false });
  const kind = plainKinds.find((one) => one === text);
  return kind === undefined ? named(text) : { is: 'plain', kind };
}

/** Returns the enum or the record that a name in records.ts refers to. */
function named(name: string): Enum | OfRecord {
  const known = enumValues[name];
  return known ? enumOf(known, { isClosed: false, isNamed: true }) : { is: 'record', kind: 'json', record: name };
}

const enumOf = (all: readonly string[], how: Pick<Enum, 'isClosed' | 'isNamed'>): Enum => ({
  is: 'enum',
  kind: 'string',
  values: all,
  ...how,
});

export const typeOf = (field: Field): FieldType => ({
  ...oneOf(field),
  many: field.many === true,
  nullable: false,
  required: field.required === true,
});

function oneOf({ kind, oneOf: only, record }: Field): Plain | Enum | OfRecord {
  if (only) return enumOf(only, { isClosed: true, isNamed: false });
  return record === undefined ? { is: 'plain', kind } : named(record);
}

/** A field of a record in `records`: its name, type and meaning, and who sets it if the user does not. */
export type KnownField = readonly [name: string, type: FieldType, meaning: string, setBy: RecordField[2]];

/** Returns the known fields of the record that a type refers to. The list is empty for any other type. */
export const memberTypes = (type: FieldType): readonly KnownField[] =>
  type.is === 'record'
    ? Object.entries(records[type.record] ?? {}).map(
        ([name, [text, meaning, setBy]]) => [name, parseType(text), meaning, setBy] as const,
      )
    : [];

export const valuesOf = (type: FieldType): readonly string[] | undefined =>
  type.is === 'enum' ? type.values : undefined;

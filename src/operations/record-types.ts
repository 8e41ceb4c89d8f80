/** Reads the types that records.ts writes as text. */
import { values } from './records.ts';

export interface RecordType {
  /** The kind of one value. A record is `json`, an enum is a string. */
  readonly kind: (typeof kinds)[number];
  readonly many: boolean;
  readonly nullable: boolean;
  readonly required: boolean;
  /** Known values; other values are legal. */
  readonly known?: readonly string[];
  /** Whether the known values are part of the type itself, and not a named enum. */
  readonly inline?: true;
  /** The name of a record. */
  readonly record?: string;
}

const kinds = ['string', 'integer', 'boolean', 'datetime', 'json'] as const;

/** Reads a type such as `string`, `Diagnostic[]?`, `datetime|null?` or `enum(a,b)`. */
export function readType(text: string): RecordType {
  const type = text.replace(/\?$/, '');
  const bare = type.replace(/\|null$/, '');
  const one = bare.replace(/\[\]$/, '');
  const inline = /^enum\((.*)\)$/.exec(one)?.[1]?.split(',');
  const known = inline ?? values[one];
  const kind = known ? 'string' : (kinds.find((plain) => plain === one) ?? 'json');
  return {
    kind,
    many: one !== bare,
    nullable: bare !== type,
    required: type === text,
    ...(known && { known }),
    ...(inline && { inline: true }),
    ...(kind === 'json' && one !== 'json' && { record: one }),
  };
}

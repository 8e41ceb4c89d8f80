/** Converts the input of an operation to the JSON Schema of its tool. */
import { neededFlags } from '../input/missing-fields.ts';
import { harmOf } from '../operations/effect.ts';
import { type FieldType, memberTypes, typeOf } from '../operations/field-types.ts';
import type { Field, Operation } from '../operations/operation.ts';
import { type Flag, flagsOf, isRequired, takesBody } from '../tree/operation-flags.ts';

export interface JsonSchema {
  readonly [word: string]: string | boolean | readonly string[] | JsonSchema | undefined;
}

/** The inputs that a tool has in addition to those of its operation. */
export const toolInputs = {
  confirm: {
    type: 'string',
    description: 'Omit it at first: the error then says what the call would do and what to set here',
  },
  query: {
    type: 'string',
    description: "A JMESPath expression over the result, such as '[].id', 'length(@)' or '[100:200]'",
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** Returns the additional inputs: `confirm` for harmful operations, `query` for lists of rows. */
export const ownInputs = (operation: Operation): readonly (keyof typeof toolInputs)[] => [
  ...(harmOf(operation) === undefined ? [] : (['confirm'] as const)),
  ...(operation.result === 'list' || operation.rows !== undefined ? (['query'] as const) : []),
];

/** Whether `body` may contain fields that the operation does not list. */
export const takesMore = (operation: Operation): boolean =>
  takesBody(operation) &&
  !('body' in operation.input) &&
  Object.values(operation.input).every((field) => field.in !== 'part');

/** Returns the known fields of records by name. They can be set as inputs, just as flags set fields of `--body`. */
export const memberInputs = (operation: Operation): ReadonlyMap<string, Flag> =>
  new Map(
    flagsOf(operation).flatMap((flag) =>
      flag.member === undefined || flag.member in operation.input ? [] : [[flag.member, flag]],
    ),
  );

/** Returns the schema of a tool. It does not require the known fields of records, and allows no unknown inputs. */
export function inputSchema(operation: Operation): JsonSchema & { readonly type: 'object' } {
  const fields = Object.entries(operation.input);
  const required = fields
    // A record is not required if its required fields are inputs too.
    .filter(([name]) => isRequired(operation, name) && neededFlags(operation, name).length === 0)
    .map(([name]) => name);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(fields.map(([name, field]) => [name, ofField(operation, name, field)])),
      ...Object.fromEntries([...memberInputs(operation)].map(([name, flag]) => [name, ofMember(flag)])),
      ...(takesMore(operation) && {
        body: { type: 'object', description: 'Further fields of the body', additionalProperties: true },
      }),
      ...Object.fromEntries(ownInputs(operation).map((name) => [name, toolInputs[name]])),
    },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function ofMember(flag: Flag): JsonSchema {
  const filled = flag.setBy === 'filled' ? ['filled in if left out'] : [];
  return { ...ofType(flag), description: [flag.help, ...filled, ...knownText(flag)].join('; ') };
}

function ofField(operation: Operation, name: string, field: Field): JsonSchema {
  const type = typeOf(field);
  // The fields of a record are described only once, as inputs.
  const one = type.is === 'record' ? { type: 'object', additionalProperties: true } : ofOne(type);
  const description = [withoutFlags(field.help), ...knownText(type), ...fieldsText(operation, name, field)].join('; ');
  return {
    ...(field.many ? { type: 'array', items: one } : one),
    description,
    ...(field.default !== undefined && { default: field.default }),
  };
}

/** Returns the note that the fields of a record can be given as inputs. */
function fieldsText(operation: Operation, name: string, { many }: Field): readonly string[] {
  const needed = neededFlags(operation, name).map(({ member }) => member);
  if (needed.length === 0) return [];
  const all = many ? 'each of them' : 'it';
  return [`its fields can also be given as inputs (such as ${needed.join(', ')}), which override those in ${all}`];
}

/** Removes flags from help that is written for the command line. */
export const withoutFlags = (text: string): string =>
  text.replace(/--no-([a-z-]+)/g, '$1: false').replace(/:[^:]*@FILE.*$/, '');

const kinds = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  datetime: { type: 'string', format: 'date-time' },
  file: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'A file in a folder that the tools may read' },
      text: { type: 'string', description: 'The content itself, instead of a path' },
      name: { type: 'string', description: 'The file name to send with it' },
    },
    additionalProperties: false,
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** Returns the schema of a type. An open list of values is only described, so that other values are valid. */
function ofType(type: FieldType): JsonSchema {
  const one = ofOne(type);
  const [description] = knownText(type);
  const all: JsonSchema = {
    ...(type.many ? { type: 'array', items: one } : one),
    ...(description !== undefined && { description }),
  };
  return type.nullable ? { ...all, type: [String(all.type), 'null'] } : all;
}

/** Returns the schema of a single value of a type. */
function ofOne(type: FieldType): JsonSchema {
  if (type.is === 'plain') return type.kind === 'json' ? {} : kinds[type.kind];
  if (type.is === 'enum') return type.isClosed ? { type: 'string', enum: type.values } : kinds.string;
  const fields = memberTypes(type).map(([name, member]) => [name, ofType(member)] as const);
  return { type: 'object', properties: Object.fromEntries(fields), additionalProperties: true };
}

const knownText = (type: FieldType): readonly string[] =>
  type.is === 'enum' && !type.isClosed ? [`known: ${type.values.join(', ')}`] : [];

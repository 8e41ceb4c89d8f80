/** The input of an operation as a JSON Schema: what a tool says that it takes. */
import { neededFlags } from '../input/lacking.ts';
import { type FieldType, memberTypes, typeOf } from '../operations/field-types.ts';
import { type Field, fieldNamed, type Operation } from '../operations/operation.ts';
import { type Flag, flagsOf, settingFields, takesBody } from '../tree/operation-flags.ts';

/** Plain JSON. */
export interface JsonSchema {
  readonly [word: string]: string | boolean | readonly string[] | JsonSchema | undefined;
}

export interface InputSchema extends JsonSchema {
  readonly type: 'object';
}

/** The inputs of a tool that are none of its operation's. */
export const own = {
  confirm: {
    type: 'string',
    description: 'Leave it out at first: the refusal says what would be done, and what to give here',
  },
  query: {
    type: 'string',
    description: "A JMESPath expression over the result, such as '[].id', 'length(@)' or '[100:200]'",
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** Which of them an operation has: what destroys or costs is confirmed, what has rows can be narrowed. */
export const ownInputs = ({ effect, result, rows }: Operation): readonly (keyof typeof own)[] => [
  ...(effect === 'destroy' || effect === 'bill' ? (['confirm'] as const) : []),
  ...(result === 'list' || rows !== undefined ? (['query'] as const) : []),
];

/** Whether `body` may give members that the operation does not name. */
export const takesMore = (operation: Operation): boolean =>
  takesBody(operation) &&
  !('body' in operation.input) &&
  Object.values(operation.input).every((field) => field.in !== 'part');

/** The known fields of records, by their names: inputs beside the record, as they are flags beside `--body`. */
export const memberInputs = (operation: Operation): ReadonlyMap<string, Flag> =>
  new Map(
    flagsOf(operation).flatMap((flag) =>
      flag.member === undefined || flag.member in operation.input ? [] : [[flag.member, flag]],
    ),
  );

/** Known fields of records are described and never required; the inputs themselves are all there are. */
export function inputSchema(operation: Operation): InputSchema {
  const fields = Object.entries(operation.input);
  const required = fields.filter(([name]) => isRequired(operation, name)).map(([name]) => name);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(fields.map(([name, field]) => [name, ofField(operation, name, field)])),
      ...Object.fromEntries([...memberInputs(operation)].map(([name, flag]) => [name, ofMember(flag)])),
      ...(takesMore(operation) && {
        body: { type: 'object', description: 'Further members of the body', additionalProperties: true },
      }),
      ...Object.fromEntries(ownInputs(operation).map((name) => [name, own[name]])),
    },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Not required: what the settings or a default fill, and a record whose fields are inputs too. */
function isRequired(operation: Operation, name: string): boolean {
  const { required, default: usual } = fieldNamed(operation, name);
  const isFilled = usual !== undefined || name in settingFields || name === 'x-session-id';
  return required === true && !isFilled && neededFlags(operation, name).length === 0;
}

/** A field of a record, as an input. */
function ofMember(flag: Flag): JsonSchema {
  const filled = flag.setBy === 'filled' ? ['filled in if left out'] : [];
  return { ...ofType(flag), description: [flag.help, ...filled, ...knownText(flag)].join('; ') };
}

function ofField(operation: Operation, name: string, field: Field): JsonSchema {
  const type = typeOf(field);
  // The fields of a record are listed once, as inputs.
  const one = type.is === 'record' ? { type: 'object', additionalProperties: true } : ofOne(type);
  const description = [
    withoutFlags(field.help),
    ...knownText(type),
    ...fieldsText(operation, name, field),
  ].join('; ');
  return {
    ...(field.many ? { type: 'array', items: one } : one),
    description,
    ...(field.default !== undefined && { default: field.default }),
  };
}

/** How the fields of a record are given beside it. */
function fieldsText(operation: Operation, name: string, { many }: Field): readonly string[] {
  const needed = neededFlags(operation, name).map(({ member }) => member);
  if (needed.length === 0) return [];
  const all = many ? 'each of them' : 'it';
  return [
    `its fields can be given as inputs instead (such as ${needed.join(', ')}), and win over those in ${all}`,
  ];
}

/** The texts of the operations speak of a command line. */
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
      path: { type: 'string', description: 'A file in a folder that is open to the tools' },
      text: { type: 'string', description: 'The content itself, instead of a path' },
      name: { type: 'string', description: 'The file name of the text' },
    },
    additionalProperties: false,
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** What is known of a type is no wall. */
function ofType(type: FieldType): JsonSchema {
  const one = ofOne(type);
  const [description] = knownText(type);
  const all: JsonSchema = {
    ...(type.many ? { type: 'array', items: one } : one),
    ...(description !== undefined && { description }),
  };
  return type.nullable ? { ...all, type: [String(all.type), 'null'] } : all;
}

/** One value of a type. */
function ofOne(type: FieldType): JsonSchema {
  if (type.is === 'plain') return type.kind === 'json' ? {} : kinds[type.kind];
  if (type.is === 'enum') return type.isClosed ? { type: 'string', enum: type.values } : kinds.string;
  const members = memberTypes(type).map(([name, member]) => [name, ofType(member)] as const);
  return { type: 'object', properties: Object.fromEntries(members), additionalProperties: true };
}

const knownText = (type: FieldType): readonly string[] =>
  type.is === 'enum' && !type.isClosed ? [`known: ${type.values.join(', ')}`] : [];

/** Converts the input of an operation to the JSON Schema of its tool. */
import { eventFields, usualEventFields } from '../operations/event-fields.ts';
import { type FieldType, memberTypes, typeOf } from '../operations/field-types.ts';
import { effectOf, type Field, harmOf, type Operation } from '../operations/operation.ts';
import { settingFields } from '../settings/keys.ts';
import { type Flag, flagsOf, isRequired, isWholeRecord, neededFlags, takesBody } from '../tree/operation-flags.ts';

export interface JsonSchema {
  readonly [word: string]: string | boolean | readonly string[] | JsonSchema | undefined;
}

/**
 * The inputs that a tool has in addition to those of its operation. The instructions of the server explain `confirm` and
 * `query`, so that the list of tools does not repeat it for each tool.
 */
export const toolInputs = {
  confirm: { type: 'string' },
  query: { type: 'string' },
  all: { type: 'boolean', description: 'all pages' },
  wait: { type: 'boolean', description: 'wait for the job' },
  shorten: { type: 'boolean', description: 'also return a short URL' },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** Returns the additional inputs: `confirm` if it is harmful, `query` for rows, `all` for pages, and so on. */
export const ownInputs = (operation: Operation): readonly (keyof typeof toolInputs)[] => [
  ...(harmOf(operation) === undefined ? [] : (['confirm'] as const)),
  ...(operation.result === 'list' || operation.rows !== undefined ? (['query'] as const) : []),
  ...(operation.flow === 'pages' ? (['all'] as const) : []),
  ...(operation.flow === 'wait' && effectOf(operation) === 'read' ? (['wait'] as const) : []),
  ...(operation.flow === 'upload' ? (['shorten'] as const) : []),
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

/**
 * Returns the schema of a tool, in few bytes, because clients load the schemas of all tools into the context of their
 * model. It does not forbid unknown inputs, because the server refuses them and names the known ones. It leaves out what
 * is rarely set: `body` if its fields are inputs, headers and slugs, what the service sets, most fields of an event.
 */
export function inputSchema(operation: Operation): JsonSchema & { readonly type: 'object' } {
  const fields = Object.entries(operation.input).filter(([name, one]) => one.in !== 'header' && !/_slug$/.test(name));
  const isUsual = (name: string) => operation.flow !== 'spool' || usualFields.includes(name);
  const members = [...memberInputs(operation)].filter(([name, { setBy }]) => setBy !== 'service' && isUsual(name));
  const whole = fields.filter(([name, { many }]) => many || !members.some(([, { field }]) => field === name));
  const required = fields.flatMap(([name, field]) => {
    const needed = neededFlags(operation, name);
    if (needed.length === 0) return isRequired(operation, name) ? [name] : [];
    if (field.many || isWholeRecord(operation, name) || !(field.required || field.wanted)) return [];
    return needed.flatMap((flag) => (flag.required && flag.member !== undefined ? [flag.member] : []));
  });
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(whole.map(([name, field]) => [name, ofField(operation, name, field)])),
      ...Object.fromEntries(members.map(([name, flag]) => [name, described(name, flag.help, ofType(flag))])),
      ...Object.fromEntries(ownInputs(operation).map((name) => [name, toolInputs[name]])),
      // Next to inputs that filter the rows, it could be taken for words to search for.
      ...(whole.length + members.length > 1 &&
        ownInputs(operation).includes('query') && { query: { ...text, description: 'JMESPath' } }),
    },
    ...(required.length > 0 && { required }),
  };
}

const usualFields: readonly string[] = usualEventFields;

const eventsText = `events, with the inputs as fields; others: ${Object.keys(eventFields)
  .filter((name) => !usualFields.includes(name))
  .join(' ')}`;

function ofField(operation: Operation, name: string, field: Field): JsonSchema {
  if (operation.flow === 'spool' && field.in === 'body')
    return { type: 'array', items: { type: 'object' }, description: eventsText };
  if (name in settingFields) return kinds.string;
  return {
    ...described(name, field.help, ofType(typeOf(field))),
    ...(field.default !== undefined && { default: field.default }),
  };
}

/** Adds a description to the schema of an input, unless it has no other words than the name. */
function described(name: string, help: string, { description, ...schema }: JsonSchema): JsonSchema {
  const text = [withoutFlags(help), description].filter(Boolean).join('; ');
  const known = new Set([...wordsOf(name), 'full', 'of', 'the']);
  return wordsOf(text).every((word) => known.has(word)) ? schema : { ...schema, description: text };
}

const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/[_-]|(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(' ');

/** Removes what is written for the command line from help, such as flags, and remarks that a model does not need. */
export const withoutFlags = (text: string): string =>
  text
    .replace(/:[^:]*@FILE.*$/, '')
    .replace(/with --no-[a-z-]+: /, 'false: ')
    .replace(/ on the code host|( \((default:|4 characters)[^()]*\))/, '');

const text = { type: 'string' } as const;

const kinds = {
  string: text,
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  datetime: { type: 'string', format: 'date-time' },
  file: { type: 'object', properties: { path: text, text, name: text }, description: '{path} or {text}' },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** Returns the schema of a type. Only describes an open list of values, and the fields of a record. */
function ofType(type: FieldType): JsonSchema {
  const { description, ...one } = ofOne(type);
  const all: JsonSchema = {
    ...(type.many ? { type: 'array', items: one } : one),
    ...(description !== undefined && { description }),
  };
  return type.nullable ? { ...all, type: [String(all.type), 'null'] } : all;
}

/** Returns the schema of a single value of a type. */
function ofOne(type: FieldType): JsonSchema {
  if (type.is === 'plain') return type.kind === 'json' ? {} : kinds[type.kind];
  if (type.is === 'record') return { type: 'object', description: fieldsText(type) };
  return type.isClosed ? { ...text, enum: type.values } : { ...text, description: type.values.join(', ') };
}

/** Describes the fields of a record, such as `{info: {title, version}, tags}`. */
const fieldsText = (type: FieldType): string =>
  `{${memberTypes(type)
    .map(([name, member]) => (member.is === 'record' ? `${name}: ${fieldsText(member)}` : name))
    .join(', ')}}`;

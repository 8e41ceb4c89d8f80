/** The input of an operation as a JSON Schema: what a tool says that it takes. */
import type { Field, Operation } from '../../operations/operation.ts';
import { records, values } from '../../operations/records.ts';
import { settingFields, takesBody } from '../flags.ts';

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

/** Which of them an operation has: what destroys or costs is confirmed, what is a list can be narrowed. */
export const ownInputs = ({ effect, result }: Operation): readonly (keyof typeof own)[] => [
  ...(effect === 'destroy' || effect === 'bill' ? (['confirm'] as const) : []),
  ...(result === 'list' ? (['query'] as const) : []),
];

/** Whether `body` may give members that the operation does not name. */
export const takesMore = (operation: Operation): boolean =>
  takesBody(operation) &&
  !('body' in operation.input) &&
  Object.values(operation.input).every((field) => field.in !== 'part');

/** Known fields of records are described and never required; the inputs themselves are all there are. */
export function inputSchema(operation: Operation): InputSchema {
  const fields = Object.entries(operation.input);
  const required = fields.filter(([name, field]) => isRequired(name, field)).map(([name]) => name);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(fields.map(([name, field]) => [name, ofField(field)])),
      ...(takesMore(operation) && {
        body: { type: 'object', description: 'Further members of the body', additionalProperties: true },
      }),
      ...Object.fromEntries(ownInputs(operation).map((name) => [name, own[name]])),
    },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** What the settings or a default fill need not be given. */
const isRequired = (name: string, { required, default: usual }: Field): boolean =>
  required === true && usual === undefined && !(name in settingFields) && name !== 'x-session-id';

function ofField(field: Field): JsonSchema {
  const one = field.oneOf ? { type: 'string', enum: field.oneOf } : ofKind(field);
  const known = field.record === undefined ? undefined : values[field.record];
  const description = [withoutFlags(field.help), ...(known ? [knownText(known)] : [])].join('; ');
  return {
    ...(field.many ? { type: 'array', items: one } : one),
    description,
    ...(field.default !== undefined && { default: field.default }),
  };
}

/** The texts of the operations speak of a command line. */
export const withoutFlags = (text: string): string =>
  text.replace(/--no-([a-z-]+)/g, '$1: false').replace(/:[^:]*@FILE.*$/, '');

const ofKind = ({ kind, record }: Field): JsonSchema =>
  kind === 'json' ? (record === undefined ? {} : ofType(record)) : kinds[kind];

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

/** A type as records.ts writes it. What is known of it is no wall. */
function ofType(type: string): JsonSchema {
  const bare = type.replace(/\?$/, '');
  if (bare.endsWith('|null')) {
    const one = ofType(bare.replace('|null', ''));
    return { ...one, type: [String(one.type), 'null'] };
  }
  if (bare.endsWith('[]')) return { type: 'array', items: ofType(bare.slice(0, -2)) };
  const known = /^enum\((.*)\)$/.exec(bare)?.[1]?.split(',') ?? values[bare];
  if (known) return { type: 'string', description: knownText(known) };
  if (bare === 'json') return {};
  if (bare in kinds) return kinds[bare as keyof typeof kinds];
  const members = Object.entries(records[bare] ?? {}).map(([name, inner]) => [name, ofType(inner)] as const);
  return { type: 'object', properties: Object.fromEntries(members), additionalProperties: true };
}

const knownText = (known: readonly string[]) => `known: ${known.join(', ')}`;

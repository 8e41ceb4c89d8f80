/** Defines the JSON Schema (2020-12) for the output of `dtp schema`. */
import { SCHEMA_VERSION } from './schema.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const flag = { type: 'boolean' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** Returns the schema of an object with exactly these fields. The fields whose name ends with `?` are optional. */
const record = (fields: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name.replace('?', ''), schema])),
  required: Object.keys(fields).filter((name) => !name.endsWith('?')),
  additionalProperties: false,
});

const list = (name: string) => ({ type: 'array', items: { $ref: `#/$defs/${name}` } });

const aliases = { ...texts, description: 'Aliases of the last word of the command' };
const command = { ...text, description: 'The words of the command, without dtp; empty for dtp itself' };
const effect = {
  enum: ['read', 'write', 'destroy', 'bill'],
  description:
    'What the command does to stored data; commands that destroy or bill require --yes, and so do operations that can exit with 15',
};
const operation = { ...text, description: 'The id of the API operation; absent for a local command' };

const deprecated = {
  oneOf: [text, { const: true }],
  description: 'The command that replaces this one; true if the API names none',
};

const head = (kind: string) => ({
  schema_version: { const: SCHEMA_VERSION },
  kind: { const: kind },
  tool: { const: 'dtp' },
  version: text,
});

const full = {
  command,
  aliases,
  summary: text,
  notes: texts,
  effect,
  'operation?': operation,
  'method?': { enum: ['GET', 'POST', 'PUT', 'DELETE'] },
  'path?': { type: 'string', pattern: '^/v1/' },
  'deprecated?': deprecated,
  'simplified?': { ...text, description: 'What the embedded service does instead' },
  'auth?': { enum: ['none'], description: 'The command sends no credential' },
  'workspace?': { enum: ['selected', 'credential'], description: 'The workspace that the command acts on' },
  'result?': { enum: ['none', 'record', 'list', 'text', 'bytes'] },
  'timeout_seconds?': count,
  'retry?': { $ref: '#/$defs/retry' },
  'flow?': {
    enum: ['wait', 'run', 'pages', 'spool', 'summary', 'upload', 'link'],
    description: 'Why the command sends more than one request',
  },
  'body?': record({ required: flag, many: flag, 'record?': text }),
  arguments: list('argument'),
  flags: list('flag'),
  settings: { ...texts, description: 'Global flags, or their variables, that fill fields of the command' },
  exit_codes: { type: 'array', items: record({ code: count, name: text }) },
  examples: { type: 'array', items: record({ says: text, command: text, 'exit?': count }) },
};

export const jsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: `urn:dtp:commands:${SCHEMA_VERSION}`,
  title: 'What dtp schema prints',
  oneOf: ['index', 'group', 'command', 'all'].map((name) => ({ $ref: `#/$defs/${name}` })),
  $defs: {
    index: record({ ...head('index'), commands: list('line') }),
    group: record({ ...head('group'), command, aliases, summary: text, commands: list('line') }),
    command: record({ ...head('command'), ...full, global_flags: list('flag') }),
    all: record({
      ...head('all'),
      global_flags: list('flag'),
      exit_codes: { type: 'array', items: record({ code: count, name: text, when: text }) },
      groups: { type: 'array', items: record({ command, aliases, summary: text }) },
      commands: { type: 'array', items: record(full) },
    }),
    line: record({
      command,
      summary: text,
      effect,
      'operation?': operation,
      'deprecated?': deprecated,
      'aliases?': aliases,
    }),
    retry: record({
      initial_ms: count,
      max_ms: count,
      elapsed_ms: count,
      exponent: { type: 'number' },
      statuses: { type: 'array', items: count },
      statuses_with_retry_after: { type: 'array', items: count },
    }),
    argument: record({
      name: text,
      help: text,
      required: flag,
      repeatable: flag,
      'enum?': texts,
      'known_values?': texts,
    }),
    flag: record({
      name: { type: 'string', pattern: '^--[a-z]' },
      'short?': { type: 'string', pattern: '^-[A-Za-z]$' },
      'value?': { ...text, description: 'The placeholder of the value; absent for a switch' },
      'value_optional?': { ...flag, description: 'True if the flag can be used without a value' },
      type: { enum: ['string', 'integer', 'boolean', 'datetime', 'duration', 'json', 'file'] },
      help: { type: 'string', minLength: 1 },
      group: { enum: ['required', 'filters', 'inputs', 'body', 'members', 'flow', 'options', 'global'] },
      required: flag,
      repeatable: flag,
      negatable: { ...flag, description: 'Whether the flag also has a --no- form' },
      'default?': { type: ['string', 'boolean'] },
      'enum?': { ...texts, description: 'The only values' },
      'known_values?': { ...texts, description: 'Known values; other values are also accepted' },
      env: { ...texts, description: 'Environment variables with the same effect' },
    }),
  },
} as const;

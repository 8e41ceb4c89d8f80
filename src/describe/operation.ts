/** What the records say of an operation's command, beyond what its place in the tree says. */
import type { ErrorCode } from '../errors.ts';
import { typeOf, valuesOf } from '../operations/field-types.ts';
import { allOperations } from '../operations/index.ts';
import type { Kind, Operation } from '../operations/operation.ts';
import { bodyOptions } from '../tree/flow-flags.ts';
import { argumentsOf, type Flag, flagsOf, kebab, settingFields, takesBody } from '../tree/operation-flags.ts';

/** The operation whose command has these words. */
export const operationOf = (words: string): Operation | undefined =>
  allOperations.find(({ command }) => command.join(' ') === words);

/** What is known of a flag of an operation. */
export interface FlagFacts {
  readonly group: 'required' | 'filters' | 'inputs' | 'body' | 'members';
  readonly type: Kind;
  readonly required: boolean;
  readonly default?: string | boolean;
  readonly enum?: readonly string[];
  readonly known_values?: readonly string[];
}

/** By the long name, with its dashes. */
export function operationFlags(operation: Operation): ReadonlyMap<string, FlagFacts> {
  const facts = new Map<string, FlagFacts>();
  for (const flag of flagsOf(operation)) facts.set(`--${flag.name}`, factsOf(flag, operation));
  const ways = takesBody(operation) ? bodyOptions() : [];
  for (const { long = '', required } of ways)
    facts.set(long, { group: 'body', type: required ? 'string' : 'boolean', required: false });
  return facts;
}

function factsOf(flag: Flag, operation: Operation): FlagFacts {
  const field = operation.input[flag.field];
  const isLoose = flag.member !== undefined || flag.field === 'body';
  // A session id is generated if it is left out.
  const required = flag.required && !isLoose && field?.default === undefined && flag.field !== 'x-session-id';
  return {
    group: required ? 'required' : groupOf(flag, operation),
    type: flag.kind,
    required,
    ...(field?.default !== undefined && flag.member === undefined && { default: field.default }),
    ...(flag.is === 'enum' && (flag.isClosed ? { enum: flag.values } : { known_values: flag.values })),
  };
}

function groupOf({ member, field: name }: Flag, { input, method }: Operation): FlagFacts['group'] {
  const place = input[name]?.in;
  if (member !== undefined) return 'members';
  // The document calls for a body on one GET: what it holds is the body all the same.
  if (name === 'body' || place === 'member' || place === 'part') return 'body';
  return place === 'query' && method === 'GET' ? 'filters' : 'inputs';
}

/** The global flags that fill its fields. */
export const settingFlags = ({ input }: Operation): readonly string[] =>
  Object.keys(input)
    .filter((name) => name in settingFields)
    .map((name) => `--${kebab(settingFields[name] ?? '')}`);

/** The body, where it has one; `record` names what is known of it. */
export function bodyOf(operation: Operation) {
  if (!takesBody(operation)) return undefined;
  const { body, ...others } = operation.input;
  const parts = Object.values(others).filter((field) => field.in === 'part');
  // The forms of code samples: the document requires the form and no part of it.
  const isForm = parts.length > 0;
  return {
    required:
      isForm ||
      body?.required === true ||
      body?.wanted === true ||
      Object.values(others).some(isRequiredMember),
    many: body?.many === true,
    ...(body?.record !== undefined && { record: body.record }),
  };
}

const isRequiredMember = (field: Operation['input'][string]) =>
  field.in === 'member' && field.required === true;

/** Values that are known of an argument; others are legal. */
export function knownValues(operation: Operation, argument: string): readonly string[] | undefined {
  const [, field] = argumentsOf(operation).find(([name]) => kebab(name) === argument) ?? [];
  return field && valuesOf(typeOf(field));
}

/** What any command that sends a request may end with. */
export const sending: readonly ErrorCode[] = [
  'config',
  'auth',
  'forbidden',
  'not_found',
  'rejected',
  'rate_limited',
  'server',
  'network',
  'bad_response',
  'timeout',
];

/** What it may end with, beside success, faults of the tool, bad usage and signals. */
export function endsOf({ flow, effect }: Operation): readonly ErrorCode[] {
  return [
    ...sending,
    ...(flow === 'wait' ? (['pending'] as const) : []),
    ...(flow === 'spool' ? (['partial', 'kept'] as const) : []),
    ...(effect === 'destroy' || effect === 'bill' ? (['cancelled'] as const) : []),
  ];
}

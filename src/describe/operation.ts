/** Describes the command of an operation, in addition to what the command tree says. */
import type { ErrorCode } from '../errors.ts';
import { typeOf, valuesOf } from '../operations/field-types.ts';
import { allOperations } from '../operations/index.ts';
import type { Kind, Operation } from '../operations/operation.ts';
import { bodyOptions } from '../tree/flow-flags.ts';
import { argumentsOf, type Flag, flagsOf, kebab, settingFields, takesBody } from '../tree/operation-flags.ts';

/** The operation with these command words. */
export const operationOf = (words: string): Operation | undefined =>
  allOperations.find(({ command }) => command.join(' ') === words);

/** What the records say about a flag of an operation. */
export interface FlagFacts {
  readonly group: 'required' | 'filters' | 'inputs' | 'body' | 'members';
  readonly type: Kind;
  readonly required: boolean;
  readonly default?: string | boolean;
  readonly enum?: readonly string[];
  readonly known_values?: readonly string[];
}

/** Keyed by long name, with dashes. */
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
  // A session id is generated if it is omitted, the format of a document is detected, and an operand may be an argument.
  const isFilled =
    field?.default !== undefined || field?.formatOf !== undefined || flag.field === 'x-session-id';
  const required = flag.required && !isLoose && !isFilled && flag.field !== operation.operand;
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
  // The API document declares a body for one GET. Its fields are described as usual.
  if (name === 'body' || place === 'member' || place === 'part') return 'body';
  return place === 'query' && method === 'GET' ? 'filters' : 'inputs';
}

/** The global flags that set its fields. */
export const settingFlags = ({ input }: Operation): readonly string[] =>
  Object.keys(input)
    .filter((name) => name in settingFields)
    .map((name) => `--${kebab(settingFields[name] ?? '')}`);

/** The body, if it has one. `record` names its record. */
export function bodyOf(operation: Operation) {
  if (!takesBody(operation)) return undefined;
  const { body, ...others } = operation.input;
  const parts = Object.values(others).filter((field) => field.in === 'part');
  // Forms of code samples: the API document requires the form, but no part of it.
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

/** The known values of an argument. Others are allowed. */
export function knownValues(operation: Operation, argument: string): readonly string[] | undefined {
  const [, field] = argumentsOf(operation).find(([name]) => kebab(name) === argument) ?? [];
  return field && valuesOf(typeOf(field));
}

/** The exit codes of every command that sends a request. */
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

/** Its exit codes, besides success, internal errors, invalid usage and signals. */
export function endsOf({ id, flow, effect }: Operation): readonly ErrorCode[] {
  return [
    ...sending,
    ...(flow === 'wait' ? (['pending'] as const) : []),
    ...(flow === 'run' ? (['pending', 'partial'] as const) : []),
    ...(flow === 'spool' ? (['partial', 'kept'] as const) : []),
    // With --watch, if the run failed.
    ...(id === 'getCodehostAction' ? (['partial'] as const) : []),
    ...(effect === 'destroy' || effect === 'bill' ? (['cancelled'] as const) : []),
  ];
}

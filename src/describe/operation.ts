/** Describes those properties of an operation's command that are not in the command tree, such as required flags. */
import type { ErrorCode } from '../errors.ts';
import { harmOf } from '../operations/effect.ts';
import { typeOf, valuesOf } from '../operations/field-types.ts';
import { allOperations } from '../operations/index.ts';
import type { Kind, Operation } from '../operations/operation.ts';
import { bodyOptions } from '../tree/flow-flags.ts';
import { argumentsOf, type Flag, flagsOf, kebab, settingFields, takesBody } from '../tree/operation-flags.ts';

/** Returns the operation with these command words. Undefined if there is no such operation. */
export const operationOf = (words: string): Operation | undefined =>
  allOperations.find(({ command }) => command.join(' ') === words);

/** The properties of an operation's flag that commander does not know. */
export interface FlagFacts {
  readonly group: 'required' | 'filters' | 'inputs' | 'body' | 'members';
  readonly type: Kind;
  readonly required: boolean;
  readonly repeatable?: boolean;
  readonly default?: string | boolean;
  readonly enum?: readonly string[];
  readonly known_values?: readonly string[];
}

/** Returns the facts about the flags of an operation, keyed by long name with dashes. */
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
  // dtp generates a missing session id and detects the format of a document. An operand may be passed as an argument.
  const isFilled =
    field?.default !== undefined || field?.formatOf !== undefined || flag.field === 'x-session-id';
  const required = flag.required && !isLoose && !isFilled && flag.field !== operation.operand;
  return {
    group: required ? 'required' : groupOf(flag, operation),
    type: flag.kind,
    required,
    repeatable: flag.many,
    ...(field?.default !== undefined && flag.member === undefined && { default: field.default }),
    ...(flag.is === 'enum' && (flag.isClosed ? { enum: flag.values } : { known_values: flag.values })),
  };
}

function groupOf({ member, field: name }: Flag, { input, method }: Operation): FlagFacts['group'] {
  const place = input[name]?.in;
  if (member !== undefined) return 'members';
  // The API document declares a body for one GET. Its fields are in the group `body`, like those of other bodies.
  if (name === 'body' || place === 'member' || place === 'part') return 'body';
  return place === 'query' && method === 'GET' ? 'filters' : 'inputs';
}

/** Returns the global flags that set fields of an operation. */
export const settingFlags = ({ input }: Operation): readonly string[] =>
  Object.keys(input)
    .filter((name) => name in settingFields)
    .map((name) => `--${kebab(settingFields[name] ?? '')}`);

/** Describes the body of an operation. `record` is the name of its record. Undefined if the operation has no body. */
export function bodyOf(operation: Operation) {
  if (!takesBody(operation)) return undefined;
  const { body, ...others } = operation.input;
  const parts = Object.values(others).filter((field) => field.in === 'part');
  // The forms are those of code samples. The API document requires the form, but not any single part.
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

/** Returns the known values of an argument. Other values are allowed. */
export function knownValues(operation: Operation, argument: string): readonly string[] | undefined {
  const [, field] = argumentsOf(operation).find(([name]) => kebab(name) === argument) ?? [];
  return field && valuesOf(typeOf(field));
}

/** The errors that every command with a request may exit with. */
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

/** Returns the errors that an operation may exit with, except internal errors and invalid usage. */
export function endsOf(operation: Operation): readonly ErrorCode[] {
  const { id, flow } = operation;
  return [
    ...sending,
    ...(flow === 'wait' ? (['pending'] as const) : []),
    ...(flow === 'run' ? (['pending', 'partial'] as const) : []),
    ...(flow === 'spool' ? (['partial', 'kept'] as const) : []),
    // With --watch, the command waits for the end of the run, which may fail.
    ...(id === 'getCodehostAction' ? (['partial'] as const) : []),
    // Another process may create a token with the same name, and the user may decline to.
    ...(id === 'createWorkspaceToken' ? (['partial', 'cancelled'] as const) : []),
    ...(harmOf(operation) === undefined ? [] : (['cancelled'] as const)),
  ];
}

/** Returns what a user must know about an operation besides its flags, one paragraph each. */
export function notesOf({ id, auth }: Operation): readonly string[] {
  if (auth === 'none') return ['This command needs no credential and sends none.'];
  if (id === 'getCodeSamplePreviewAsync')
    return ['While the job is running, this command prints its status and exits with 8.'];
  if (id === 'createWorkspaceToken')
    return [
      'The service returns neither the id nor the key. So this command lists the tokens before and after, and prints the new one.',
    ];
  return [];
}

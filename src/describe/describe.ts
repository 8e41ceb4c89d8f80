/** Converts commands to records. The help pages, the schema and the man pages are made from these records. */
import { type ErrorCode, exitCodes, signals } from '../errors.ts';
import type { LocalCommand } from '../local/command.ts';
import { examples, examplesIn } from '../operations/examples.ts';
import { effectOf, harmOf, type Operation } from '../operations/operation.ts';
import { statusesWithRetryAfter } from '../operations/retry-rules.ts';
import { settingFields } from '../settings/keys.ts';
import type { ArgumentEntry, CommandEntry } from '../tree/entry.ts';
import { shownAliases } from '../tree/nouns.ts';
import { takesBody } from '../tree/operation-flags.ts';
import { kebab } from '../tree/vocabulary.ts';
import { exitCodeRows } from './exit-codes.ts';
import { flagRecord } from './flags.ts';

/** A command that can be run. The JSON Schema of `dtp schema` says what its fields mean. */
export type CommandRecord = ReturnType<typeof describe>;
export type ArgumentRecord = ReturnType<typeof argumentRecord>;
/** The policy for automatic retries. All times are in milliseconds. */
export type RetryRecord = NonNullable<CommandRecord['retry']>;

/** A noun, which is a group of commands and cannot be run by itself. */
export type GroupRecord = ReturnType<typeof describeGroup>;

export const describeGroup = (entry: CommandEntry) => ({
  command: entry.words.join(' '),
  aliases: shownAliases(entry),
  summary: entry.summary,
});

export function describe(entry: CommandEntry) {
  const { operation, local } = entry;
  return {
    command: entry.words.join(' '),
    aliases: shownAliases(entry),
    summary: entry.summary,
    notes: operation ? notesOf(operation) : (local?.notes ?? []),
    effect: operation ? effectOf(operation) : (local?.effect ?? 'write'),
    ...(operation && factsOf(operation)),
    arguments: entry.arguments.map(argumentRecord),
    flags: entry.flags.filter(({ isHidden }) => !isHidden).map(flagRecord),
    settings: operation ? settingFlags(operation) : [],
    exit_codes: codesOf(operation ? exitErrorsOf(operation) : localEnds(local)),
    examples: operation ? (examples[operation.id] ?? []) : examplesIn(local?.examples ?? {}),
  };
}

const argumentRecord = ({ name, help, required, repeatable, choices, known }: ArgumentEntry) => ({
  name,
  help,
  required,
  repeatable,
  ...(choices && { enum: choices }),
  ...(known && { known_values: known }),
});

function factsOf(operation: Operation) {
  const { id, method, path, deprecated, simplified, auth, result, timeout = 60, retry, flow } = operation;
  const workspace = 'workspace_id' in operation.input ? ('selected' as const) : operation.workspace;
  const body = bodyRecordOf(operation);
  return {
    operation: id,
    method,
    path,
    ...(deprecated !== undefined && { deprecated }),
    ...(simplified !== undefined && { simplified }),
    ...(auth && { auth }),
    ...(workspace && { workspace }),
    result,
    timeout_seconds: timeout,
    ...(retry && {
      retry: {
        initial_ms: retry.initialMs,
        max_ms: retry.maxMs,
        elapsed_ms: retry.elapsedMs,
        exponent: retry.exponent,
        statuses: retry.statuses,
        statuses_with_retry_after: statusesWithRetryAfter,
      },
    }),
    ...(body && { body }),
    ...(flow && { flow }),
  };
}

const localEnds = ({ sends, ends = [] }: Partial<LocalCommand> = {}): readonly ErrorCode[] => [
  'config',
  ...(sends ? requestErrors : []),
  ...ends,
];

function codesOf(ends: readonly ErrorCode[]) {
  const all = new Set([0, ...Object.values(signals), ...(['error', 'usage', ...ends] as const).map(codeOf)]);
  return exitCodeRows.filter(({ code }) => all.has(code)).map(({ code, name }) => ({ code, name }));
}

const codeOf = (name: ErrorCode): number => exitCodes[name];

const settingFlags = ({ input }: Operation): readonly string[] =>
  Object.keys(input)
    .filter((name) => name in settingFields)
    .map((name) => `--${kebab(settingFields[name] ?? '')}`);

/** Describes the body of an operation. `record` is the name of its record. Undefined if the operation has no body. */
function bodyRecordOf(operation: Operation) {
  if (!takesBody(operation)) return undefined;
  const { body, ...others } = operation.input;
  const parts = Object.values(others).filter((field) => field.in === 'part');
  // The forms are those of code samples. The API document requires the form, but not any single part.
  const isForm = parts.length > 0;
  return {
    required:
      isForm || body?.required === true || body?.wanted === true || Object.values(others).some(isRequiredMember),
    many: body?.many === true,
    ...(body?.record !== undefined && { record: body.record }),
  };
}

const isRequiredMember = (field: Operation['input'][string]) => field.in === 'member' && field.required === true;

const requestErrors: readonly ErrorCode[] = [
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
function exitErrorsOf(operation: Operation): readonly ErrorCode[] {
  const { flow, ends = [] } = operation;
  return [
    ...requestErrors,
    ...(flow === 'wait' ? (['pending'] as const) : []),
    ...(flow === 'run' ? (['pending', 'partial'] as const) : []),
    ...(flow === 'spool' ? (['partial', 'kept'] as const) : []),
    ...ends,
    ...(harmOf(operation) === undefined ? [] : (['cancelled'] as const)),
  ];
}

/** Returns what a user must know about an operation besides its flags, one paragraph each. */
const notesOf = ({ auth, notes = [] }: Operation): readonly string[] =>
  auth === 'none' ? ['This command needs no credential and sends none.'] : notes;

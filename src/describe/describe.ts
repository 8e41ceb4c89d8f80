/** Converts commands, flags and exit codes to records, from which help pages, schema and man pages are made. */

import { longName } from '../declarations/flag.ts';
import { allRows } from '../declarations/settings.ts';
import { variables } from '../declarations/variables.ts';
import { type ErrorCode, exitCodes, signals } from '../errors.ts';
import { entriesOf } from '../json-object.ts';
import type { LocalCommand } from '../local/command.ts';
import { examples, examplesIn } from '../operations/examples.ts';
import { effectOf, harmOf, type Operation, readsList } from '../operations/operation.ts';
import { statusesWithRetryAfter } from '../operations/retry-rules.ts';
import { settingFields } from '../settings/keys.ts';
import type { ArgumentEntry, CommandEntry, FlagEntry } from '../tree/entry.ts';
import { globalFlags } from '../tree/flag-entries.ts';
import { shownAliases } from '../tree/nouns.ts';
import { takesBody } from '../tree/operation-flags.ts';
import { kebab } from '../tree/vocabulary.ts';

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
    ...describeGroup(entry),
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
  const all: readonly ErrorCode[] = [
    ...requestErrors,
    // A table or a query needs all of a list, which can be too long for it.
    ...(readsList(operation) ? (['partial'] as const) : []),
    ...(flow === 'wait' ? (['pending'] as const) : []),
    ...(flow === 'run' ? (['pending', 'partial'] as const) : []),
    ...(flow === 'spool' ? (['partial', 'kept'] as const) : []),
    ...ends,
    ...(harmOf(operation) === undefined ? [] : (['cancelled'] as const)),
  ];
  return [...new Set(all)];
}

/** Returns what a user must know about an operation besides its flags, one paragraph each. */
const notesOf = ({ auth, notes = [] }: Operation): readonly string[] =>
  auth === 'none' ? ['This command needs no credential and sends none.'] : notes;

const reasons: Readonly<Record<ErrorCode, string>> = {
  error: 'internal error, or a full disk',
  usage: 'unknown command or flag, invalid or missing value, confirmation needed, no id or name for -o name',
  config: 'no base URL, no workspace, or an unreadable configuration',
  auth: 'no credential, or HTTP 401',
  forbidden: 'HTTP 403',
  not_found: 'HTTP 404 or 410',
  rejected: 'any other HTTP 4XX',
  pending: 'the job is still running',
  rate_limited: 'HTTP 429',
  server: 'HTTP 5XX, also after all retries',
  network: 'connection failed: DNS, refused, reset, TLS or proxy',
  bad_response: 'undecodable response, wrong digest or unexpected redirect',
  partial: 'the run failed, some items failed and others succeeded, or a list is not whole',
  cancelled: 'declined at a prompt',
  kept: 'events are queued and will be sent later',
  timeout: 'timed out',
};

export const exitCodeRows = [
  { code: 0, name: 'ok', when: 'success, also for an empty list' },
  ...entriesOf(exitCodes).map(([name, code]) => ({ code, name, when: reasons[name] })),
  ...Object.entries(signals)
    .map(([signal, code]) => ({ code, name: signal.toLowerCase(), when: `stopped by ${signal}` }))
    .sort((one, other) => one.code - other.code),
];

export type FlagRecord = ReturnType<typeof flagRecord>;

export function flagRecord(flag: FlagEntry) {
  const { name, short, value, preset, type, help, group, required, repeatable, negatable } = flag;
  return {
    name,
    ...(short !== undefined && { short }),
    ...(value !== undefined && { value }),
    ...(preset !== undefined && { value_optional: true }),
    type,
    help,
    group,
    required,
    repeatable,
    negatable,
    ...(flag.default !== undefined && { default: flag.default }),
    ...(flag.choices && { enum: flag.choices }),
    ...(flag.known && { known_values: flag.known }),
    env: group === 'global' ? variablesOf(name) : [],
  };
}

export const globalFlagRecords = globalFlags.filter(({ name }) => name !== '--version').map(flagRecord);

function variablesOf(name: string): readonly string[] {
  const named = Object.values(allRows).flatMap(({ flag, env = [] }) => (flag && longName(flag) === name ? env : []));
  const others = Object.entries(variables).flatMap(([variable, { flag }]) => (flag === name ? [variable] : []));
  return [...named, ...others];
}

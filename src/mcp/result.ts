/** Creates tool results from values and errors, without secrets and with a limited size. */
import { DtpError, type Facts } from '../errors.ts';
import type { Selection } from '../expressions/query.ts';
import { definedIn, fieldsOf, replaceBigints } from '../json-object.ts';
import { answerLimit } from '../limits.ts';
import { effectOf, type Input, type Operation } from '../operations/operation.ts';
import type { Log } from '../output/log.ts';
import type { Result } from '../output/result.ts';
import { textOf } from '../output/write-result.ts';
import { type Bounded, boundValue, shownLimit, sizeOf, usualRows } from '../render/bounds.ts';
import { jsonText, visible } from '../render/sanitize.ts';
import { isDeeper } from '../request/http.ts';
import type { Value } from '../request/read.ts';
import { isSecretName, redactValue } from '../request/redact.ts';
import { asArguments, commandLine, sameService, type Word } from '../settings/command-line.ts';
import { type Globals, globalFlagDeclarations } from '../settings/global-flags.ts';
import { settingFields } from '../settings/keys.ts';
import { argumentsOf, flagsOf } from '../tree/operation-flags.ts';
import { ownInputs } from './schema.ts';
import { toolFor } from './tools.ts';

/** What a client gets to see: a value that other people wrote, and what dtp says about it. */
export interface Shown {
  readonly data: unknown;
  readonly notes: readonly string[];
}

/**
 * The result of a tool call as the protocol defines it: a text block with the value, then a text block for each note.
 * `structuredContent` has both as well, because some clients pass only that field to the model.
 */
export type ToolResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: { readonly data: unknown; readonly notes?: readonly string[] };
  readonly isError?: true;
};

/** The maximum nesting depth of a response. Requests have the same limit. */
const depthLimit = 500;

type Masking = Pick<Log, 'masked'>;

/** A call that has received a response. */
export interface AnsweredCall {
  readonly operation: Operation;
  readonly input: Input;
  readonly globals: Globals;
  readonly query: Selection | undefined;
  /** Aborted by the client, an interrupt or the deadline. */
  readonly signal: AbortSignal;
  /** Whether the embedded service answered, which simplifies some operations. */
  readonly isEmbedded: boolean;
  /** Masks the secrets that are known when the result is shown. */
  readonly log: Masking;
}

/**
 * Returns the value, with notes about what is not shown. Throws `bad_response` if the response cannot be read
 * completely, and `usage` if the query does not fit the result.
 */
export async function shownResult(answered: AnsweredCall, result: Result): Promise<Shown> {
  const { data, notes } = await shownValue(answered, await readValue(result));
  const { simplified } = answered.operation;
  const lack = result.kind === 'answer' ? [result.failure?.message ?? result.notes ?? []].flat() : [];
  const hint = simplified === undefined || !answered.isEmbedded ? [] : [`With the embedded service: ${simplified}.`];
  return { data, notes: [...notes, ...lack, ...hint] };
}

export const toolResult = ({ data, notes }: Shown): ToolResult => ({
  content: [textOfData(data), ...notes].map((text) => ({ type: 'text', text })),
  structuredContent: notes.length > 0 ? { data, notes } : { data },
});

export const textOfData = (data: unknown): string => (typeof data === 'string' ? data : jsonText(data));

/** Returns the value without the notes of the result, because they mention flags, and the value has the same facts. */
async function readValue(result: Result): Promise<Value> {
  if (result.kind === 'answer') return result.value;
  if (result.kind === 'list') return result.list.whole().finally(result.list.close);
  return { kind: 'json', status: 200, value: result.kind === 'value' ? result.value : { ok: true } };
}

async function shownValue(answered: AnsweredCall, value: Value): Promise<Shown> {
  const { operation, input, query, log } = answered;
  if (value.kind === 'none') return shown({ ok: true, operation: operation.id, status: value.status });
  // Do not suggest repeating a call that writes to get its full result.
  const whole =
    effectOf(operation) === 'read'
      ? `The user can get the full result with: ${commandOf(answered)}`
      : 'Do not call the tool again to get the rest: it would write a second time.';
  if (value.kind === 'bytes') return shownBytes(await readStart(value.body), whole, log);
  if (value.kind === 'text') {
    const bytes = Buffer.from(value.text);
    return shownBytes({ head: bytes.subarray(0, shownLimit), size: bytes.byteLength }, whole, log);
  }
  if (isDeeper(value.value, depthLimit))
    throw new DtpError('bad_response', `the response is nested deeper than ${depthLimit} levels`);
  // Convert long integers to strings, because a client would round them.
  const exact = replaceBigints(value.value, String);
  const masked = log.masked(redactValue(exact));
  // Run the query after masking, so that it cannot rename a secret field to show its value.
  const rows = query ? undefined : operation.rows;
  const most = query || input.limit !== undefined ? undefined : usualRows;
  const [selected] = query ? await query([masked], { signal: answered.signal }) : [masked];
  const part = boundValue(selected, rows, most);
  const isMasked = jsonText(part.value).includes('***') && jsonText(masked) !== jsonText(exact);
  return shown(part.value, [
    ...(part.lack === undefined ? [] : [`${lackText(answered, part)} ${whole}`]),
    ...(isMasked ? [`*** stands for a secret, which tools do not see. ${whole}`] : []),
  ]);
}

/** Returns a note that says what is not shown, and how to get it with another call. */
function lackText({ operation, query, input }: AnsweredCall, { lack = '', rows, next }: Bounded): string {
  if (!ownInputs(operation).includes('query')) return sentence(lack);
  if (rows !== undefined && isLimited(operation, input, query))
    return `The first ${rows} rows are shown, and there are more. Set limit to get more rows, or narrow the call.`;
  return `${sentence(lack)} ${next === undefined || query ? 'Narrow the call, or set query.' : `For the next rows, set query to ${JSON.stringify(next)}.`}`;
}

/** Whether the request is limited to the default number of rows. */
const isLimited = (operation: Operation, input: Input, query: Selection | undefined): boolean =>
  'limit' in operation.input && input.limit === undefined && !query;

/** Adds the default limit to the input, plus one row to detect whether there are more rows. */
export const withLimit = (operation: Operation, input: Input, query: Selection | undefined): Input =>
  isLimited(operation, input, query) ? { ...input, limit: usualRows + 1 } : input;

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Returns the equivalent command line, without the fields of the body. */
function commandOf({ operation, input, globals }: AnsweredCall): string {
  const ids = asArguments(argumentsOf(operation).map(([name]) => String(input[name])));
  const asked = flagsOf(operation).filter(
    ({ field, member }) => member === undefined && operation.input[field]?.in === 'query' && !isSecretName(field),
  );
  const flags = asked.flatMap(({ name, field }) => wordsOf(name, input[field]));
  const file = operation.result === 'bytes' ? ['-O', 'FILE'] : [];
  return commandLine([...operation.command, ...ids, ...flags, ...sameService(globals), ...file]);
}

function wordsOf(flag: string, value: unknown): readonly Word[] {
  if (value === undefined) return [];
  if (typeof value === 'boolean') return [`--${value ? '' : 'no-'}${flag}`];
  if (Array.isArray(value)) return value.flatMap((one) => wordsOf(flag, one));
  return [[`--${flag}`, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
}

/** Shows bytes. Text is shown unchanged, because most results are documents. Short binary data is shown as base64. */
export function shownBytes(
  { head, size }: { readonly head: Uint8Array; readonly size: number },
  whole: string,
  log: Masking,
): Shown {
  const isCut = size > head.byteLength;
  const text = textOf(head, isCut);
  if (text !== undefined) {
    const open = log.masked(text);
    if (!isCut) return shown(open);
    const end = open.lastIndexOf('\n') + 1;
    return shown(end > 0 ? open.slice(0, end) : open, [`Only the beginning of the ${size} bytes is shown. ${whole}`]);
  }
  const base64 = Buffer.from(head).toString('base64');
  if (!isCut && base64.length <= shownLimit) return shown({ base64, bytes: size });
  return shown({ bytes: size }, [`The result is ${size} bytes of binary data and is not shown. ${whole}`]);
}

const shown = (value: unknown, notes: readonly string[] = []): Shown => ({
  data: typeof value === 'string' ? visible(value, { lines: true }) : (value ?? null),
  notes,
});

/** Returns the fields of an error that a model can act on, without a stack trace. `tool` is the operation of the tool. */
export function errorFields({ code, message, facts }: DtpError, log: Masking, tool?: Operation) {
  const { status, operation, retryable, attempts, request_id, details } = facts;
  const all = { code, message, status, operation, retryable, attempts, request_id, ...adviceOf(facts, tool), details };
  const known = definedIn(all);
  const masked = fieldsOf(log.masked(replaceBigints(known, String)));
  return sizeOf(masked) <= shownLimit ? masked : { ...masked, details: '(too long to be shown)' };
}

export const errorOf = (error: DtpError, log: Masking, tool?: Operation): ToolResult => ({
  content: [{ type: 'text', text: jsonText({ error: errorFields(error, log, tool) }) }],
  isError: true,
});

/** Reads a body to its end and returns its first bytes and its size. Throws `bad_response` if it is too long. */
export async function readStart(body: AsyncIterable<Uint8Array>) {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    // Copy each piece, because its memory may be reused.
    if (size < shownLimit) pieces.push(Uint8Array.from(piece.subarray(0, shownLimit - size)));
    size += piece.byteLength;
    if (size > answerLimit.bytes) throw new DtpError('bad_response', `the response is larger than ${answerLimit.text}`);
  }
  return { head: Buffer.concat(pieces), size };
}

/** Returns what an error advises, with the inputs of the operation's tool in place of the flags of its command. */
export function adviceOf({ hint = '', next = [], meant }: Facts, operation?: Operation): Pick<Facts, 'hint' | 'next'> {
  // The help of a command describes its flags. The client already has the schema of the tool.
  const commands = next.filter((line) => !line.endsWith(' --help'));
  // Values of the user or the service, and command lines for the user, stay as they are.
  const verbatim: string[] = [];
  const text = hint
    .replace(/"(?:[^"\\]|\\.)*"|(?<=: )dtp .*/g, (part) => `\0${verbatim.push(part) - 1}\0`)
    .split(/(?<=[.:] )(?=[A-Z])|(?=, or )/)
    .map((clause) => withInputs(clause, operation))
    // A colon at the end announces what follows the hint: commands, or the value that was probably meant.
    .map((one) => (!one.endsWith(':') || commands.length > 0 ? one : meant ? `${one} ${meant.value}` : ''))
    .join('')
    .replace(/^, or ([a-z])/, (_, first: string) => first.toUpperCase())
    .replace(/\0(\d+)\0/g, (_, at) => verbatim[at] ?? '')
    .trimEnd();
  return { ...(text && { hint: text }), ...(commands.length > 0 && { next: commands.map(toolFor) }) };
}

/** Flags, and variables next to them: `-w or DTP_WORKSPACE_ID`. */
const flagList = /(?<![\w-])(?:--[a-z-]+|-[A-Za-z]\b|[A-Z_]+)(?:(?:, | and | or )(?:--[a-z-]+|-[A-Za-z]\b|[A-Z_]+))*/g;

/** Replaces flags with inputs. Of a clause that needs a flag without an input, only the end of its sentence is left. */
function withInputs(clause: string, operation: Operation | undefined): string {
  let isPossible = true;
  const worded = clause.replace(flagList, (list) => {
    if (!/\B-/.test(list)) return list;
    const names = new Set(list.split(/, | and | or /).flatMap((name) => inputsFor(name, operation)));
    isPossible &&= names.size > 0;
    return [...names].join(', ').replace(/, ([^,]*)$/, list.includes(' or ') ? ' or $1' : ' and $1');
  });
  return isPossible ? worded : clause.startsWith(', or ') ? clause.slice(clause.search(/[.:]? ?$/)) : '';
}

/** Returns the inputs that a flag stands for, or else the variable that the user can set instead. May be empty. */
function inputsFor(name: string, operation: Operation | undefined): readonly string[] {
  if (!name.startsWith('-')) return [name];
  const flag = name.replace(/^-+/, '');
  const global = [...globalFlagDeclarations.values()].find((one) => one.flag.name === flag || one.flag.short === flag);
  const key = global?.flag.name.replaceAll('-', '_') ?? '';
  // Tools ignore the output format.
  const variables = key === 'output' ? [] : (global?.row.env?.filter((one) => one.startsWith('DTP_')) ?? []);
  if (!operation) return variables;
  const flags = flagsOf(operation).filter((one) => one.label === name || one.name === flag);
  const filled = Object.keys(operation.input).filter((field) => settingFields[field] === key);
  const own = ownInputs(operation).filter((one) => one === flag);
  const inputs = [...flags.map(({ field, member }) => member ?? field), ...filled, ...own];
  return inputs.length > 0 ? inputs : variables;
}

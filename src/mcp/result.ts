/** What a call gives back: a value or an error, without secrets and within bounds. */

import { DtpError } from '../errors.ts';
import { fieldsOf } from '../json-object.ts';
import { effectOf } from '../operations/effect.ts';
import type { Input, Operation } from '../operations/operation.ts';
import type { Result } from '../output/result.ts';
import { textOf } from '../output/write-result.ts';
import type { Query } from '../render/query.ts';
import { jsonText, visible, withoutLong } from '../render/sanitize.ts';
import { isDeeper } from '../request/http.ts';
import type { Value } from '../request/read.ts';
import { isSecretName, redactDeep, redactText, redactValue } from '../request/redact.ts';
import { commandLine, sameService } from '../settings/command-line.ts';
import type { Globals } from '../settings/global-flags.ts';
import { argumentsOf, flagsOf } from '../tree/operation-flags.ts';
import { type Bounded, bounded, readHead, shownLimit, sizeOf, usualRows } from './bounds.ts';
import { ownInputs } from './schema.ts';
import { toolFor } from './tools.ts';

/**
 * As the protocol has it: the value as one text, then a text for each note. There is no `structuredContent` beside it: of
 * the two, some clients hand on only the one, some only the other, and some both. Every client hands on texts.
 */
export type ToolResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError?: true;
};

/** As deep as what is sent may be. */
const depthLimit = 500;

/** A call that has been answered. */
export interface Answered {
  readonly operation: Operation;
  readonly input: Input;
  readonly globals: Globals;
  readonly query: Query | undefined;
  /** All that are known when the result is shown. */
  readonly secrets: ReadonlySet<string>;
}

/**
 * The value, and in notes what is not shown of it. Throws `bad_response` for what cannot be read to its
 * end, `usage` for a query that does not fit.
 */
export function toolResult(answered: Answered, result: Result): Promise<ToolResult> {
  return valueResult(answered, valueIn(result));
}

/** The notes of a result are in the words of the command line, and what they say is in the value too. */
function valueIn(result: Result): Value {
  if (result.kind === 'answer') return result.value;
  return { kind: 'json', status: 200, value: result.kind === 'value' ? result.value : { ok: true } };
}

async function valueResult(answered: Answered, value: Value): Promise<ToolResult> {
  const { operation, input, query } = answered;
  const secrets = [...answered.secrets];
  if (value.kind === 'none') return shown({ ok: true, operation: operation.id, status: value.status });
  // What writes is not to be run again for its answer.
  const whole =
    effectOf(operation) === 'read'
      ? `The user can have all of it with: ${commandOf(answered)}`
      : 'Do not call the tool again for it: it would write a second time.';
  if (value.kind === 'bytes') return ofBytes(await readHead(value.body), whole, secrets);
  if (value.kind === 'text') {
    const bytes = Buffer.from(value.text);
    return ofBytes({ head: bytes.subarray(0, shownLimit), size: bytes.byteLength }, whole, secrets);
  }
  if (isDeeper(value.value, depthLimit))
    throw new DtpError('bad_response', `the answer is nested deeper than ${depthLimit}`);
  // A client would round the long integers.
  const exact = withoutLong(value.value, String);
  const masked = redactDeep(redactValue(exact), secrets);
  // After the masking: a query must not give a secret another name.
  const rows = query ? undefined : operation.rows;
  const most = query || input.limit !== undefined ? undefined : usualRows;
  const part = bounded(query ? query(masked) : masked, rows, most);
  const isMasked = jsonText(part.value).includes('***') && jsonText(masked) !== jsonText(exact);
  return shown(part.value, [
    ...(part.lack === undefined ? [] : [`${lackText(answered, part)} ${whole}`]),
    ...(isMasked ? [`*** is a secret, which is not shown to tools. ${whole}`] : []),
  ]);
}

/** What is not shown, and how a call gets it. */
function lackText({ operation, query, input }: Answered, { lack = '', rows, next }: Bounded): string {
  if (!ownInputs(operation).includes('query')) return sentence(lack);
  if (rows !== undefined && isLimited(operation, input, query))
    return `The first ${rows} rows are shown, and there are more. Give limit for more, or narrow the call.`;
  return `${sentence(lack)} ${next === undefined || query ? 'Narrow the call, or give query.' : `For the next ones give query ${JSON.stringify(next)}.`}`;
}

/** Whether the service is asked for no more rows than are shown by themselves. */
const isLimited = (operation: Operation, input: Input, query: Query | undefined): boolean =>
  'limit' in operation.input && input.limit === undefined && !query;

/** The input with such a limit, where it has none: one row more tells that there are more. */
export const withLimit = (operation: Operation, input: Input, query: Query | undefined): Input =>
  isLimited(operation, input, query) ? { ...input, limit: usualRows + 1 } : input;

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** The command that asks the same of the same service; what is in a body is left out. */
function commandOf({ operation, input, globals }: Answered): string {
  const ids = argumentsOf(operation).map(([name]) => String(input[name]));
  const asked = flagsOf(operation).filter(
    ({ field, member }) =>
      member === undefined && operation.input[field]?.in === 'query' && !isSecretName(field),
  );
  const flags = asked.flatMap(({ name, field }) => wordsOf(name, input[field]));
  const file = operation.result === 'bytes' ? ['-O', 'FILE'] : [];
  return commandLine([...operation.command, ...ids, ...flags, ...sameService(globals), ...file]);
}

function wordsOf(flag: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === 'boolean') return [`--${value ? '' : 'no-'}${flag}`];
  if (Array.isArray(value)) return value.flatMap((one) => wordsOf(flag, one));
  return [`--${flag}`, typeof value === 'object' ? JSON.stringify(value) : String(value)];
}

/** Bytes are the user's own documents: text as it is, anything else as base64 where it is short. */
function ofBytes(
  { head, size }: { readonly head: Uint8Array; readonly size: number },
  whole: string,
  secrets: readonly string[],
): ToolResult {
  const isCut = size > head.byteLength;
  const text = textOf(head, isCut);
  if (text !== undefined) {
    const open = redactText(text, secrets);
    if (!isCut) return shown(open);
    const end = open.lastIndexOf('\n') + 1;
    return shown(end > 0 ? open.slice(0, end) : open, [`Of ${size} bytes the first are shown. ${whole}`]);
  }
  const base64 = Buffer.from(head).toString('base64');
  if (!isCut && base64.length <= shownLimit) return shown({ base64, bytes: size });
  return shown({ bytes: size }, [`${size} bytes that are no text are not shown. ${whole}`]);
}

function shown(result: unknown, notes: readonly string[] = []): ToolResult {
  const text = typeof result === 'string' ? visible(result, { lines: true }) : jsonText(result);
  return { content: [text, ...notes].map((one) => ({ type: 'text', text: one })) };
}

/** What is wrong, as something that a model can act upon: no stack, and nothing that is not known. */
export function errorOf({ code, message, facts }: DtpError, secrets: readonly string[]): ToolResult {
  const { status, operation, retryable, attempts, request_id, hint, details } = facts;
  const next = facts.next?.length ? facts.next.map(toolFor) : undefined;
  const all = { code, message, status, operation, retryable, attempts, request_id, hint, next, details };
  const known = Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined));
  const told = fieldsOf(redactDeep(withoutLong(known, String), secrets));
  const error = sizeOf(told) <= shownLimit ? told : { ...told, details: '(too long to be shown)' };
  return { content: [{ type: 'text', text: jsonText({ error }) }], isError: true };
}

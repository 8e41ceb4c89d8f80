/** Formats an error for stderr: as lines for people, or as one line of JSON. */
import { Chalk } from 'chalk';
import { type DtpError, exitCodeOf } from '../errors.ts';
import { jsonText, visible } from './sanitize.ts';
import { signOf } from './signs.ts';
import { hangText } from './width.ts';

interface TextOptions {
  readonly color: boolean;
  readonly debug: boolean;
  readonly width?: number;
  /** Whether the terminal may not have other signs than ASCII. */
  readonly plainSigns?: boolean;
  /** Maps the source positions in a stack trace. */
  readonly placed?: (stack: string) => string;
}

/** Says what failed and what to do next, one line each. With `debug`, also all details and the stack traces. */
export function messageText(error: DtpError, options: TextOptions): string {
  const { bold, red, dim } = new Chalk({ level: options.color ? 1 : 0 });
  const { hint, next = [], page, verdict } = error.facts;
  const { sentence, request } = partsOf(error, options);
  const failed = (start: string, text: string) =>
    `${bold(red(start))} ${hangText(said(text), start.length + 1, options.width)}`;
  const lines = page === undefined ? [] : [page];
  // Declining is not an error.
  if (error.code === 'cancelled') lines.push(`${error.message.replace(/^c/, 'C')}.`);
  else
    lines.push(
      verdict === undefined
        ? failed('error:', sentence)
        : failed(options.plainSigns ? 'error:' : signOf('bad', options), verdict),
    );
  const id = error.facts.request_id === undefined ? [] : [`request ${error.facts.request_id}`];
  const about = [...(request === undefined ? [] : [request]), ...id].join(', ');
  if (about !== '') lines.push(dim(`  (${hangText(said(about), 3, options.width)})`));
  if (hint !== undefined) lines.push(`  ${hangText(said(hint), 2, options.width)}`);
  for (const command of next) lines.push(`  try: ${bold(visible(command))}`);
  if (options.debug) {
    const details = [jsonText(known(error)), ...stacks(error, options.placed)];
    lines.push(...details.map((line) => dim(line)));
  }
  return `${lines.join('\n')}\n`;
}

/** For somebody at a terminal, what the service says comes before the request that it is about. */
function partsOf({ message, facts }: DtpError, { width }: TextOptions) {
  const { status, method, path } = facts;
  const request = `${status} from ${method} ${path}`;
  if (width === undefined || !message.startsWith(`${request}: `)) return { sentence: message };
  return { sentence: message.slice(request.length + 2), request };
}

/** The maximum number of characters of a message that a person sees. */
const longest = 10_000;

const said = (text: string): string => visible(text.length > longest ? `${text.slice(0, longest)}…` : text);

/** Formats an error as one line, without unknown fields. `allowed` means that the command exits with 0 anyway. */
export const messageJson = (error: DtpError, allowed = false): string =>
  `${jsonText({ error: { ...known(error), ...(allowed && { allowed_failure: true }) } })}\n`;

function known(error: DtpError) {
  const { code, message } = error;
  const { status, operation, method, path, request_id, retryable, attempts, hint, details } = error.facts;
  const next = error.facts.next?.map((command) => ({ command }));
  const about = { code, message, exit_code: exitCodeOf(error), status, operation, method, path, request_id };
  return { ...about, retryable, attempts, hint, next, details };
}

function stacks(error: unknown, placed = (stack: string) => stack): readonly string[] {
  if (!(error instanceof Error)) return [];
  const stack = error.stack === undefined ? error.message : placed(error.stack);
  return [visible(stack, { lines: true }), ...stacks(error.cause, placed)];
}

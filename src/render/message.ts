/** An error → what is told on stderr: text for people, or one line of JSON. */
import { Chalk } from 'chalk';
import { type DtpError, exitCodeOf } from '../errors.ts';
import { jsonText, visible } from './sanitize.ts';
import { wrapped } from './width.ts';

interface TextOptions {
  readonly color: boolean;
  readonly debug: boolean;
  readonly width?: number;
  /** Rewrites the places of a stack. */
  readonly placed?: (stack: string) => string;
}

/** What failed and what to do next, a line each; with `debug` also all that is known and where it came from. */
export function messageText(error: DtpError, options: TextOptions): string {
  const { bold, red, dim } = new Chalk({ level: options.color ? 1 : 0 });
  const { hint, next = [], page } = error.facts;
  const lines = [
    ...(page === undefined ? [] : [page]),
    `${bold(red('error:'))} ${hanging(error.message, 7, options.width)}`,
  ];
  if (hint !== undefined) lines.push(`  ${hanging(hint, 2, options.width)}`);
  for (const command of next) lines.push(`  try: ${bold(visible(command))}`);
  if (options.debug) {
    const told = [jsonText(known(error)), ...stacks(error, options.placed)];
    lines.push(...told.map((line) => dim(line)));
  }
  return `${lines.join('\n')}\n`;
}

/** Characters of a sentence that a person is shown. */
const longest = 10_000;

const short = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** A sentence that keeps to a terminal's width, behind `indent` columns of something else. */
const hanging = (text: string, indent: number, width: number | undefined): string =>
  width === undefined || width <= 2 * indent
    ? visible(short(text))
    : wrapped(visible(short(text)), width - indent).join(`\n${' '.repeat(indent)}`);

/** One line; what is not known is left out. `allowed`: the command ends with 0 all the same. */
export const messageJson = (error: DtpError, allowed = false): string =>
  `${jsonText({ error: { ...known(error), ...(allowed && { allowed_failure: true }) } })}\n`;

function known(error: DtpError) {
  const { facts } = error;
  return {
    code: error.code,
    message: error.message,
    exit_code: exitCodeOf(error),
    status: facts.status,
    operation: facts.operation,
    method: facts.method,
    path: facts.path,
    request_id: facts.request_id,
    retryable: facts.retryable,
    attempts: facts.attempts,
    hint: facts.hint,
    next: facts.next?.map((command) => ({ command })),
    details: facts.details,
  };
}

/** The stack of an error and of those that caused it. */
function stacks(error: unknown, placed = (stack: string) => stack): readonly string[] {
  if (!(error instanceof Error)) return [];
  const stack = error.stack === undefined ? error.message : placed(error.stack);
  return [visible(stack, { lines: true }), ...stacks(error.cause, placed)];
}

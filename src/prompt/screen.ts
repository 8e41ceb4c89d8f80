/** Shows prompts on terminals that can move the cursor. */
import { Writable } from 'node:stream';
import type { Context } from '../context.ts';
import { DtpError, ExitCode } from '../errors.ts';
import type { PromptChoice, Prompts } from '../invocation/invocation.ts';
import { visible } from '../render/sanitize.ts';
import { wrapLines } from '../render/width.ts';

export type TerminalPrompts = Pick<Prompts, 'text' | 'secret' | 'pick'>;

/** Returns the error for a prompt without an answer, because of a signal, Ctrl-C as a key, or a user who declined. */
export const unansweredError = ({ signal }: Context, isInterrupt: boolean): unknown => {
  if (signal.aborted) return signal.reason;
  return isInterrupt ? new ExitCode(130) : new DtpError('cancelled', 'cancelled');
};

/** The indent for the second and later lines of a question. It is as wide as the symbol in front of the question. */
const INDENT = '   ';

const COLOR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

interface PromptOptions {
  readonly input: Context['stdin'];
  readonly output: Writable;
  readonly signal: AbortSignal;
  readonly withGuide: false;
}

type Library = Pick<typeof import('@clack/prompts'), 'autocomplete' | 'password' | 'text'>;
/** Runs a prompt of the library, which returns a symbol if the user declines. */
type Ask = (library: Library, options: PromptOptions) => Promise<string | symbol>;

export function openScreenPrompts(context: Context, isColored: boolean): TerminalPrompts {
  const output = screenOf(context.stderr, isColored);
  const message = (question: string) =>
    wrapLines(question, (context.stderr.columns || 80) - 1 - INDENT.length).join(`\n${INDENT}`);
  const ask = (work: Ask) => answerOf(context, output, work);
  return {
    text: async (question) =>
      (await ask(({ text }, options) => text({ ...options, message: message(question) }))).trim(),
    // Use no mask, because a mask would show the length of the secret.
    secret: async (question) =>
      (await ask(({ password }, options) => password({ ...options, message: message(question), mask: '' }))).trim(),
    pick: (question, choices) =>
      ask(({ autocomplete }, options) =>
        autocomplete({
          ...options,
          message: message(question),
          options: choices.map(({ value, label, hint, isCurrent }) => ({
            value,
            label: isCurrent ? `${visible(label)} (current)` : visible(label),
            ...(hint !== '' && { hint: visible(hint) }),
          })),
          ...currentOf(choices),
          maxItems: 10,
          validate: (value) => (value === undefined ? 'Choose an item' : undefined),
        }),
      ),
  };
}

/** Returns the option that makes a list start at the current item. */
const currentOf = (choices: readonly PromptChoice[]): { readonly initialValue?: string } => {
  const current = choices.find(({ isCurrent }) => isCurrent);
  return current ? { initialValue: current.value } : {};
};

/** Returns the answer to a prompt. Throws the same errors as `Prompts`. */
async function answerOf(context: Context, output: Writable, ask: Ask): Promise<string> {
  // Import by name, so that the bundle leaves out the rest of the library.
  const { autocomplete, password, text } = await import('@clack/prompts');
  const { stdin: input } = context;
  let isInterrupt = false;
  const ended = new AbortController();
  const end = () => ended.abort();
  const watch = (_: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }) => {
    isInterrupt = key?.ctrl === true && key.name === 'c';
    // The library does not handle Ctrl-D, which ends the input.
    if (key?.ctrl && key.name === 'd') end();
  };
  input.on('keypress', watch).on('end', end);
  try {
    const signal = AbortSignal.any([context.signal, ended.signal]);
    const answer = await ask({ autocomplete, password, text }, { input, output, signal, withGuide: false });
    if (typeof answer === 'string') return answer;
    throw unansweredError(context, isInterrupt);
  } finally {
    input.off('keypress', watch).off('end', end);
  }
}

/** The library ignores NO_COLOR, and would wrap after each letter if the width is not known. */
function screenOf(stderr: Context['stderr'], isColored: boolean): Writable {
  if (stderr.columns && isColored) return stderr;
  const write = (chunk: unknown) => (isColored ? String(chunk) : String(chunk).replace(COLOR, ''));
  const screen = new Writable({ write: (chunk, _, done) => void stderr.write(write(chunk), done) });
  return Object.assign(screen, { columns: stderr.columns || 80 });
}

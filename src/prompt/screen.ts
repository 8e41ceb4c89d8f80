/** Questions on a terminal that can move its cursor. */
import { Writable } from 'node:stream';
import type { Context } from '../context.ts';
import { visible } from '../render/sanitize.ts';
import { wrapped } from '../render/width.ts';
import { type Asking, unanswered } from './prompts.ts';

/** What stands in front of a question, and below it for its further lines. */
const INDENT = '   ';

const COLOR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

/** What every question is given; `signal` ends it. */
interface Way {
  readonly input: Context['stdin'];
  readonly output: Writable;
  readonly signal: AbortSignal;
  readonly withGuide: false;
}

type Library = Pick<typeof import('@clack/prompts'), 'autocomplete' | 'password' | 'text'>;
/** A question of the library, which gives a symbol if it is cancelled. */
type Ask = (library: Library, way: Way) => Promise<string | symbol>;

export function onScreen(context: Context, isColored: boolean): Asking {
  const output = screenOf(context.stderr, isColored);
  const message = (question: string) =>
    wrapped(question, (context.stderr.columns || 80) - 1 - INDENT.length).join(`\n${INDENT}`);
  const ask = (work: Ask) => answerOf(context, output, work);
  return {
    text: async (question) =>
      (await ask(({ text }, way) => text({ ...way, message: message(question) }))).trim(),
    // Without a mask not even the length of what is typed is shown.
    secret: async (question) =>
      (await ask(({ password }, way) => password({ ...way, message: message(question), mask: '' }))).trim(),
    pick: (question, choices) =>
      ask(({ autocomplete }, way) =>
        autocomplete({
          ...way,
          message: message(question),
          options: choices.map(({ value, label, hint }) => ({
            value,
            label: visible(label),
            ...(hint !== '' && { hint: visible(hint) }),
          })),
          maxItems: 10,
          validate: (value) => (value === undefined ? 'Nothing is chosen' : undefined),
        }),
      ),
  };
}

/** Throws as `Prompts` does. */
async function answerOf(context: Context, output: Writable, ask: Ask): Promise<string> {
  // By name: the bundle holds what is named, and nothing else of the library.
  const { autocomplete, password, text } = await import('@clack/prompts');
  const { stdin: input } = context;
  let isInterrupt = false;
  const ended = new AbortController();
  const end = () => ended.abort();
  const watch = (_: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }) => {
    isInterrupt = key?.ctrl === true && key.name === 'c';
    // Of Ctrl-D, the end of the input, the library knows nothing.
    if (key?.ctrl && key.name === 'd') end();
  };
  input.on('keypress', watch).on('end', end);
  try {
    const signal = AbortSignal.any([context.signal, ended.signal]);
    const answer = await ask({ autocomplete, password, text }, { input, output, signal, withGuide: false });
    if (typeof answer === 'string') return answer;
    throw unanswered(context, isInterrupt);
  } finally {
    input.off('keypress', watch).off('end', end);
  }
}

/**
 * The terminal as the library takes it. One that knows no width is one of 80 columns: each letter would get a line. The
 * library colors whatever NO_COLOR says.
 */
function screenOf(stderr: Context['stderr'], isColored: boolean): Writable {
  if (stderr.columns && isColored) return stderr;
  const write = (chunk: unknown) => (isColored ? String(chunk) : String(chunk).replace(COLOR, ''));
  const screen = new Writable({ write: (chunk, _, done) => void stderr.write(write(chunk), done) });
  return Object.assign(screen, { columns: stderr.columns || 80 });
}

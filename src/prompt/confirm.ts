/** Asks before what destroys or costs. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { messageOf } from '../caught.ts';
import type { Context } from '../context.ts';
import { DtpError, ExitCode } from '../errors.ts';
import type { Given } from '../input/read.ts';
import type { Operation } from '../operations/operation.ts';
import { visible } from '../render/sanitize.ts';
import { wrapped } from '../render/width.ts';
import { commandLine } from '../settings/command-line.ts';
import type { Globals } from '../settings/global-flags.ts';

/** Why one is asked before an operation of an effect, as the end of a sentence. */
export const harms = {
  destroy: 'takes something away',
  bill: 'costs money or is hard to undo',
} as const;

/** Whether a person is there to be asked. Standard input comes last: to look at it is to open it, which takes time. */
export const mayAsk = (context: Context, globals: Globals): boolean =>
  globals.input !== false &&
  !context.env.CI &&
  !context.env.DTP_NO_INPUT &&
  context.stderr.isTTY === true &&
  context.stdin.isTTY === true;

/**
 * Returns if the user agrees. If a command costs money, the user types the subject, or the noun if it has no subject.
 * `check` runs before the question. Throws `usage` if nobody can be prompted, `cancelled` if the user declines.
 */
export async function confirm(
  { context, globals }: { readonly context: Context; readonly globals: Globals },
  operation: Operation,
  { args, argv }: Given,
  check: () => Promise<void>,
): Promise<void> {
  const { effect } = operation;
  if ((effect !== 'destroy' && effect !== 'bill') || globals.yes) return;
  const command = `dtp ${operation.command.join(' ')}`;
  const costs = harms[effect];
  if (!mayAsk(context, globals)) throw unconfirmed(`${command} ${costs} and needs confirmation`, argv);
  await check();
  const name = args.length === 0 ? operation.command.slice(0, -1).join(' ') : args.join(' ');
  const question =
    effect === 'bill'
      ? `${operation.summary}: ${costs}. Type ${visible(name)} to go on: `
      : `${operation.summary} (${visible(name)}): ${costs}. Go on? [y/N] `;
  const answer = await ask(context, question);
  const agreed = effect === 'bill' ? answer === name : /^y(es)?$/i.test(answer);
  if (!agreed) throw new DtpError('cancelled', 'nothing was done');
}

/** For a local command that takes something away; `question` ends without a mark. Throws as `confirm` does. */
export async function agree(
  context: Context,
  globals: Globals,
  argv: readonly string[],
  question: string,
): Promise<void> {
  if (globals.yes) return;
  if (!mayAsk(context, globals)) throw unconfirmed(`${question}? This needs confirmation`, argv);
  if (!/^y(es)?$/i.test(await ask(context, `${question}? [y/N] `)))
    throw new DtpError('cancelled', 'nothing was done');
}

/** The flag is named in words: pasting a suggested command must agree to nothing. */
const unconfirmed = (why: string, argv: readonly string[]): DtpError =>
  new DtpError('usage', `${why}; pass --yes`, {
    hint: 'Add --yes to this command to confirm:',
    next: [commandLine(argv)],
  });

/** One line from the terminal, without the spaces around it. */
export async function ask(context: Context, question: string): Promise<string> {
  const lines = createInterface({ input: context.stdin, output: context.stderr, terminal: true });
  try {
    return (await lines.question(withinWidth(context, question), { signal: context.signal })).trim();
  } catch (error) {
    throw unanswered(context, error);
  } finally {
    lines.close();
  }
}

/** The same, and what is typed is not shown. */
export async function askHidden(context: Context, question: string): Promise<string> {
  // readline echoes to its output: this one swallows.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: context.stdin, output: silent, terminal: true });
  // Only now, when the terminal itself has stopped echoing.
  context.stderr.write(withinWidth(context, question));
  try {
    return (await lines.question('', { signal: context.signal })).trim();
  } catch (error) {
    throw unanswered(context, error);
  } finally {
    lines.close();
    context.stderr.write('\n');
  }
}

/** In lines that a terminal need not break, with a place for the answer. */
const withinWidth = ({ stderr }: Context, question: string): string =>
  `${wrapped(question, (stderr.columns || 80) - 1).join('\n')} `;

/** A terminal that is asked sends no signal for Ctrl-C: readline reads it as a key, and Ctrl-D as the end. */
function unanswered({ signal }: Context, error: unknown): unknown {
  if (signal.aborted) return signal.reason;
  if ((error as Error).name !== 'AbortError') return error;
  return /Ctrl\+C/.test(messageOf(error)) ? new ExitCode(130) : new DtpError('cancelled', 'nothing was done');
}

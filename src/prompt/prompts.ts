/** Opens prompts if a person can answer them. Their code is only loaded when the first prompt is shown. */
import type { Context } from '../context.ts';
import { DtpError, ExitCode } from '../errors.ts';
import type { OpenPrompts, Prompts } from '../invocation/prompts.ts';
import { colorOf } from '../output/color.ts';
import type { Globals } from '../settings/global-flags.ts';

/** The prompts that each kind of terminal implements. */
export type Asking = Pick<Prompts, 'text' | 'secret' | 'pick'>;

export const promptsOf =
  (context: Context, globals: Globals): OpenPrompts =>
  () =>
    mayAsk(context, globals) ? openPrompts(context, globals) : undefined;

/** Whether to prompt. Standard input is checked last, because opening it takes time. */
const mayAsk = (context: Context, { input }: Globals): boolean =>
  input !== false &&
  !context.env.CI &&
  !context.env.DTP_NO_INPUT &&
  context.stderr.isTTY === true &&
  context.stdin.isTTY === true;

function openPrompts(context: Context, globals: Globals): Prompts {
  const { env } = context;
  const asking = async (): Promise<Asking> => {
    if (env.TERM === 'dumb') return (await import('./lines.ts')).byLines(context);
    return (await import('./screen.ts')).onScreen(context, colorOf(context, globals, true));
  };
  const text = async (question: string) => (await asking()).text(question);
  return {
    text,
    secret: async (question) => (await asking()).secret(question),
    agrees: async (question) => /^y(es)?$/i.test(await text(`${question} (y/N)`)),
    pick: async (question, choices) => (await asking()).pick(question, choices),
  };
}

/** The error for a prompt without an answer: a signal, Ctrl-C as a key, or a person who declined. */
export const unanswered = ({ signal }: Context, isInterrupt: boolean): unknown => {
  if (signal.aborted) return signal.reason;
  return isInterrupt ? new ExitCode(130) : new DtpError('cancelled', 'cancelled');
};

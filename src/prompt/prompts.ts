/** The prompts of an invocation: opened by the front door if a person is there, loaded at the first question. */
import type { Context } from '../context.ts';
import { DtpError, ExitCode } from '../errors.ts';
import type { OpenPrompts, Prompts } from '../invocation/prompts.ts';
import { colorOf } from '../output/color.ts';
import type { Globals } from '../settings/global-flags.ts';

/** What a way of asking does itself; the rest follows from it. */
export type Asking = Pick<Prompts, 'text' | 'secret' | 'pick'>;

/** Of a front door where a person may be. */
export const promptsOf =
  (context: Context, globals: Globals): OpenPrompts =>
  () =>
    mayAsk(context, globals) ? openPrompts(context, globals) : undefined;

/** Whether a person is there to be asked. Standard input comes last: to look at it is to open it, which takes time. */
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
    agrees: async (question) => /^y(es)?$/i.test(await text(`${question} [y/N]`)),
    pick: async (question, choices) => (await asking()).pick(question, choices),
  };
}

/** Why there is no answer: the interrupt of the process, Ctrl-C as a key, or a person who declines. */
export const unanswered = ({ signal }: Context, isInterrupt: boolean): unknown => {
  if (signal.aborted) return signal.reason;
  return isInterrupt ? new ExitCode(130) : new DtpError('cancelled', 'nothing was done');
};

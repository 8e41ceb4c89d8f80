/** Defines the prompts that each kind of terminal implements, and how a prompt ends without an answer. */
import type { Context } from '../context.ts';
import { DtpError, ExitCode } from '../errors.ts';
import type { Prompts } from '../invocation/invocation.ts';

export type TerminalPrompts = Pick<Prompts, 'text' | 'secret' | 'pick'>;

/** Returns the error for a prompt without an answer, because of a signal, Ctrl-C as a key, or a user who declined. */
export const unansweredError = ({ signal }: Context, isInterrupt: boolean): unknown => {
  if (signal.aborted) return signal.reason;
  return isInterrupt ? new ExitCode(130) : new DtpError('cancelled', 'cancelled');
};

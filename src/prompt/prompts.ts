/** Opens prompts if a person can answer them. Loads their code when the first prompt is shown. */
import type { Context } from '../context.ts';
import { isInteractive, type OpenPrompts, type Prompts } from '../invocation/prompts.ts';
import { colorOf } from '../output/color.ts';
import type { Globals } from '../settings/global-flags.ts';
import type { TerminalPrompts } from './asking.ts';

/** Returns the function that opens the prompts. It returns undefined if prompts are disabled or nobody can answer. */
export const promptsOf =
  (context: Context, globals: Globals): OpenPrompts =>
  () =>
    isInteractive(context, globals) ? openPrompts(context, globals) : undefined;

function openPrompts(context: Context, globals: Globals): Prompts {
  const { env } = context;
  const asking = async (): Promise<TerminalPrompts> => {
    if (env.TERM === 'dumb') return (await import('./lines.ts')).openLinePrompts(context);
    return (await import('./screen.ts')).openScreenPrompts(context, colorOf(context, globals, true));
  };
  const text = async (question: string) => (await asking()).text(question);
  return {
    text,
    secret: async (question) => (await asking()).secret(question),
    agrees: async (question) => /^y(es)?$/i.test(await text(`${question} (y/N)`)),
    pick: async (question, choices) => (await asking()).pick(question, choices),
  };
}

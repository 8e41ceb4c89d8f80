/** Questions on a terminal that cannot move its cursor (TERM=dumb): each is a line, and so is its answer. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { messageOf } from '../caught.ts';
import type { Context } from '../context.ts';
import { visible } from '../render/sanitize.ts';
import { wrapped } from '../render/width.ts';
import { type Asking, unanswered } from './prompts.ts';

export function byLines(context: Context): Asking {
  const { stderr } = context;
  const line = async (question: string, isHidden: boolean): Promise<string> => {
    // readline echoes to its output: this one swallows.
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({
      input: context.stdin,
      output: isHidden ? silent : stderr,
      terminal: true,
    });
    const asked = `${wrapped(question, (stderr.columns || 80) - 1).join('\n')} `;
    // Only now, when the terminal itself has stopped echoing.
    if (isHidden) stderr.write(asked);
    try {
      return (await lines.question(isHidden ? '' : asked, { signal: context.signal })).trim();
    } catch (error) {
      if (!context.signal.aborted && (error as Error).name !== 'AbortError') throw error;
      // The terminal sends no signal for Ctrl-C: readline reads it as a key, and Ctrl-D as the end.
      throw unanswered(context, /Ctrl\+C/.test(messageOf(error)));
    } finally {
      lines.close();
      if (isHidden) stderr.write('\n');
    }
  };
  return {
    text: (question) => line(question, false),
    secret: (question) => line(question, true),
    pick: async (question, choices) => {
      for (const [index, { label, hint }] of choices.entries())
        stderr.write(`${index + 1}. ${visible(label)}${hint === '' ? '' : ` (${visible(hint)})`}\n`);
      for (;;) {
        const answer = await line(`${question} Its number or name:`, false);
        if (answer === '') throw unanswered(context, false);
        const named = choices.filter(({ value, label }) => value === answer || label === answer);
        const found = named.length === 1 ? named[0] : choices[Number(answer) - 1];
        if (found) return found.value;
      }
    },
  };
}

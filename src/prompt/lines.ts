/** Shows prompts on terminals that cannot move the cursor (TERM=dumb). The user answers each prompt with a line. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { messageOf } from '../caught.ts';
import type { Context } from '../context.ts';
import { visible } from '../render/sanitize.ts';
import { hangText, wrapLines } from '../render/width.ts';
import { type TerminalPrompts, unansweredError } from './screen.ts';

export function openLinePrompts(context: Context): TerminalPrompts {
  const { stderr } = context;
  const line = async (question: string, isHidden: boolean): Promise<string> => {
    // readline echoes to its output, so a hidden prompt uses an output that discards everything.
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input: context.stdin, output: isHidden ? silent : stderr, terminal: true });
    const shown = `${wrapLines(question, (stderr.columns || 80) - 1).join('\n')} `;
    // Print the question after readline has turned off the echo of the terminal.
    if (isHidden) stderr.write(shown);
    try {
      return (await lines.question(isHidden ? '' : shown, { signal: context.signal })).trim();
    } catch (error) {
      if (!context.signal.aborted && (error as Error).name !== 'AbortError') throw error;
      if (!isHidden) stderr.write('\n');
      // Ctrl-C is an interrupt, although readline reads it as a key without a signal. Ctrl-D ends the input.
      throw unansweredError(context, /Ctrl\+C/.test(messageOf(error)));
    } finally {
      lines.close();
      if (isHidden) stderr.write('\n');
    }
  };
  return {
    text: (question) => line(question, false),
    secret: (question) => line(question, true),
    pick: async (question, choices) => {
      for (const [index, { label, hint, isCurrent }] of choices.entries()) {
        const facts = [hint === '' ? [] : visible(hint), isCurrent ? 'current' : []].flat();
        const more = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
        const number = `${index + 1}. `;
        const text = hangText(`${visible(label)}${more}`, number.length, stderr.columns || 80);
        stderr.write(`${number}${text}\n`);
      }
      for (let begin = question; ; begin = `Not one of these. ${question}`) {
        const answer = await line(`${begin} Enter a number or a name:`, false);
        if (answer === '') throw unansweredError(context, false);
        const named = choices.filter(({ value, label }) => value === answer || label === answer);
        const found = named.length === 1 ? named[0] : choices[Number(answer) - 1];
        if (found) return found.value;
      }
    },
  };
}

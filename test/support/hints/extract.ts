/** Takes the commands out of what dtp printed: `try:`, `next:` and `fix:` lines, and commands within sentences. */
import type { CommandEntry } from '../../../src/tree/entry.ts';
import { readLine } from '../../../src/tree/line.ts';
import { rootCommand } from '../../../src/tree/tree.ts';

/** The words of a command line that is quoted for a POSIX shell. */
export const shellWords = (line: string): readonly string[] =>
  [...line.matchAll(/((?:'(?:[^']|'\\'')*'|"[^"]*"|[^\s'"])+)/g)].map(([word]) =>
    word
      .replaceAll("'\\''", '\u0000')
      .replace(/'([^']*)'|"([^"]*)"/g, (_, one, two) => one ?? two)
      .replaceAll('\u0000', "'"),
  );

const labeled = /^\s*(?:✔ |✘ |! |- )?(?:try|next|fix|to go back): ((?:unset |chmod )?.*)$/;

/** The command lines in an output, each once. */
export function commandsIn(text: string): readonly string[] {
  const found = text.split('\n').flatMap((line) => {
    // A message names what failed, and a deprecation only the name of the new command.
    if (/^error: |^Running: |\bis deprecated\b/.test(line)) return [];
    const [, whole] = labeled.exec(line) ?? [];
    if (whole?.startsWith('dtp ')) return [whole];
    const [, last] = /: (dtp dev .* -- .*)$/.exec(line) ?? [];
    if (last !== undefined) return [last];
    return [...line.matchAll(/\bdtp (?=[a-z-])/g)].flatMap(({ index }) => {
      const command = commandAt(line.slice(index));
      return command === undefined ? [] : [command];
    });
  });
  return [...new Set(found)];
}

/** How many arguments a sentence must name so that it means a whole command line. Operations look up what is missing. */
const neededBy = ({ arguments: all, local }: CommandEntry): number =>
  all.filter(({ required, isAsked }) => required && (!isAsked || local !== undefined)).length;

/**
 * The command at the start of a sentence. Undefined if `dtp` is the name of the tool there, or if the sentence only
 * mentions a command by its name, without the arguments that it needs.
 */
function commandAt(text: string): string | undefined {
  const words: string[] = [];
  for (const raw of text.slice('dtp '.length).split(' ')) {
    const word = raw.replace(/[.,;:)"]+$/, '');
    if (!isPartOf(words, word)) break;
    words.push(word);
    if (word !== raw) break;
  }
  const { command, roles } = readLine(words);
  if (command === rootCommand || command.commands.length > 0) return undefined;
  const needed = neededBy(command);
  const isWhole = roles.filter(({ is }) => is === 'operand').length >= needed;
  return isWhole ? `dtp ${words.join(' ')}` : undefined;
}

/** Whether a word continues a command: a word of its name, a needed argument, a flag, its value, or a placeholder. */
function isPartOf(words: readonly string[], word: string): boolean {
  if (/^-{1,2}[a-zA-Z]/.test(word) || /^[A-Z][A-Z-]*$/.test(word)) return true;
  const { command, roles } = readLine([...words, word]);
  const role = roles.at(-1);
  const needed = neededBy(command);
  const isNeeded = role?.is === 'operand' && roles.filter(({ is }) => is === 'operand').length <= needed;
  return role?.is === 'command' || role?.is === 'value' || (isNeeded && command.commands.length === 0);
}

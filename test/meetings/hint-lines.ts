/** Whether a command line that the tool prints exists. */
import { schema } from './commands.ts';
import { namesOfFlags } from './subjects.ts';

const commandNames = new Set(schema.commands.map(({ command }) => command));

/** Returns what a suggested line has that the tool does not know. It may repeat what was typed. */
export function unknownIn(line: string, argv: readonly string[]): string | undefined {
  const typed = line.replaceAll("'", '').split(/[ =|]/).slice(1);
  const words = typed.filter((word) => /^[a-z][a-z-]*$/.test(word));
  const found = [4, 3, 2, 1].map((count) => words.slice(0, count).join(' ')).find((name) => commandNames.has(name));
  const isGroup = schema.commands.some(({ command }) => command.startsWith(`${words[0]} `));
  if (found === undefined) return isGroup || words.length === 0 ? undefined : `unknown command: ${line}`;
  const flags = namesOfFlags(found);
  const wrong = typed.find(
    (word) =>
      /^--[a-z]/.test(word) &&
      !flags.has(word) &&
      !flags.has(word.replace('--no-', '--')) &&
      word !== '--help' &&
      !argv.includes(word),
  );
  return wrong === undefined ? undefined : `unknown flag ${wrong}: ${line}`;
}

/** `dtp help [COMMAND…|TOPIC]`: the page of a command or a topic, or all of them as manual pages. */
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';

export function addHelp(program: Command, context: Context): void {
  program
    .command('help')
    .description('Print the help of a command or a topic')
    .argument('[command...]', 'its words, such as: ws tokens create; or a topic, such as exit-codes')
    .option('--man <folder>', 'write the manual into a folder instead, a page for each command')
    .action(async (names: readonly string[], { man }: { readonly man?: string }) => {
      if (man !== undefined) {
        if (names.length > 0) throw new DtpError('usage', '--man writes all pages: it takes no command');
        const { writeManual } = await import('../help/manual.ts');
        return writeManual(context, program, man);
      }
      const { showPage, showTopic } = await import('../help/show.ts');
      const { isTopic, topics } = await import('../help/topics.ts');
      const [first = '', ...more] = names;
      if (isTopic(first) && more.length === 0) return showTopic(context, program, first);
      await showPage(context, program, await findCommand(program, names, ['help'], Object.keys(topics)));
    });
}

/**
 * The command of these words. Throws `usage` for one that is none; `before` stands before the words that would be right,
 * and `others` would be right as well.
 */
export async function findCommand(
  program: Command,
  names: readonly string[],
  before: readonly string[],
  others: readonly string[] = [],
): Promise<Command> {
  let found = program;
  for (const name of names) {
    const next = found.commands.find((one) => one.name() === name || one.aliases().includes(name));
    if (!next) {
      const { unknownWords } = await import('../mistakes.ts');
      throw unknownWords(program, names, before, others);
    }
    found = next;
  }
  return found;
}

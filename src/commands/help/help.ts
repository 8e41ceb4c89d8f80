/** `dtp help [COMMAND…|TOPIC]`: the help of a command or a topic, or all pages as man pages. */
import type { Command } from 'commander';
import { DtpError } from '../../errors.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { LocalGiven } from '../../local/command.ts';
import type { helpFlags } from '../../local/flags.ts';
import type { Result } from '../../output/result.ts';

export async function help(
  invocation: Invocation,
  { args: names, flags: { man, all: isWhole = false }, program }: LocalGiven<typeof helpFlags>,
): Promise<Result> {
  if (man !== undefined) {
    if (names.length > 0) throw new DtpError('usage', '--man writes all pages and takes no command');
    const { writeManual } = await import('./manual.ts');
    return writeManual(invocation, program, man);
  }
  const { pageResult, topicResult } = await import('./pages.ts');
  const { isTopic, topics } = await import('../../describe/help/topics.ts');
  const [first = '', ...more] = names;
  if (isTopic(first) && more.length === 0) return topicResult(invocation, program, first);
  const command = await findCommand(program, names, ['help'], Object.keys(topics));
  return pageResult(invocation, program, { command, isWhole });
}

/**
 * Throws `usage` if no command has this name. The suggested command lines begin with `before`, and `others` are
 * suggested besides the commands.
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
      const { unknownWords } = await import('../../cli/suggest/usage-errors.ts');
      throw unknownWords(program, names, before, others);
    }
    found = next;
  }
  return found;
}

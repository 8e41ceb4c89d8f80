/** `dtp help [COMMAND…|TOPIC]`: the help of a command or a topic, or all pages as man pages or a skill. */
import { DtpError } from '../../errors.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { helpFlags, LocalInput } from '../../local/flags.ts';
import type { Result } from '../../output/result.ts';
import { rootCommand } from '../../tree/tree.ts';
import { findCommand } from './schema.ts';

export async function help(
  invocation: Invocation,
  { args: names, flags: { man, skill, all: isWhole = false } }: LocalInput<typeof helpFlags>,
): Promise<Result> {
  if ([man, skill, isWhole || undefined].filter((one) => one !== undefined).length > 1)
    throw new DtpError('usage', '--all, --man and --skill cannot be combined');
  if (man !== undefined) {
    if (names.length > 0) throw new DtpError('usage', '--man writes all pages and takes no command');
    const { writeManual } = await import('./manual.ts');
    return writeManual(invocation, man);
  }
  if (skill !== undefined) {
    if (names.length > 0) throw new DtpError('usage', '--skill is about the whole tool and takes no command');
    const { writeSkill } = await import('./manual.ts');
    return writeSkill(invocation, skill);
  }
  const { pageResult, topicResult } = await import('./pages.ts');
  const { conceptNames, isTopic, topics } = await import('../../describe/help/topics.ts');
  const name = names.join(' ');
  if (isTopic(name)) return topicResult(invocation, name);
  const isConcept = conceptNames.includes(name.replace('-', ' '));
  if (isConcept && !rootCommand.commandNamed(name)) return topicResult(invocation, 'concepts');
  if (isConcept) invocation.log.note('what the word means: dtp help concepts');
  return pageResult(invocation, await findCommand(names, ['help'], Object.keys(topics)), isWhole);
}

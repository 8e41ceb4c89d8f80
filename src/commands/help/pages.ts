/** Help output: the page of a command, a topic, or a command's record for programs. */
import type { Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import { describe, describeGroup, leavesOf } from '../../describe/describe.ts';
import { exitCodeRows } from '../../describe/exit-codes.ts';
import { flagOf, globalFlags } from '../../describe/flags.ts';
import { firstPage } from '../../describe/help/first.ts';
import { shown } from '../../describe/help/print.ts';
import { type Topic, topicPage } from '../../describe/help/topics.ts';
import { groupPage, type Page, pageOf } from '../../describe/page.ts';
import { DtpError } from '../../errors.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { Result } from '../../output/result.ts';
import { commandLine } from '../../settings/command-line.ts';
import type { Globals } from '../../settings/global-flags.ts';
import { isRepeatable } from '../../tree/flag-spec.ts';
import { bodyOptions, fieldFlags } from '../../tree/flow-flags.ts';
import { visibleBelow, wordsOf } from '../../tree/nouns.ts';

/** The page of a command, or its record if a machine format is requested. `isWhole` shows every field. */
export async function pageResult(
  invocation: Invocation,
  program: Command,
  { command, isWhole }: { readonly command: Command; readonly isWhole: boolean },
): Promise<Result> {
  if (!wantsRecord(invocation.globals)) return textOf(invocation, pageFor(program, command, isWhole));
  const { schemaResult } = await import('./schema.ts');
  return schemaResult(program, command);
}

export async function topicResult(invocation: Invocation, program: Command, topic: Topic): Promise<Result> {
  const page = topicFor(program, topic);
  if (!wantsRecord(invocation.globals)) return textOf(invocation, page);
  const { documentResult } = await import('./schema.ts');
  // A program gets the exit codes as rows instead of the page.
  return documentResult(topic === 'exit-codes' ? exitCodeRows : page);
}

/** A page in a file is as wide as a page that is printed without a terminal. */
async function textOf({ context, globals, output }: Invocation, page: Page): Promise<Result> {
  const terminal = output.file === undefined ? context.stdout : {};
  return { kind: 'text', text: await shown(context, globals, terminal, page) };
}

/** The error for a noun without a command. It shows the noun's page. */
export async function missingCommand(
  context: Context,
  program: Command,
  command: Command,
): Promise<DtpError> {
  const words = wordsOf(command);
  const page = await shown(context, program.opts(), context.stderr, pageFor(program, command));
  return new DtpError('usage', `${['dtp', ...words].join(' ')} needs a command`, {
    hint: `Available: ${visibleBelow(command)
      .map((one) => one.name())
      .sort()
      .join(', ')}`,
    next: [commandLine([...words, '--help'])],
    page,
  });
}

export function pageFor(program: Command, command: Command, isWhole = false): Page {
  if (command === program) return firstPage(program);
  if (command.commands.length > 0) return groupPage(describeGroup(command), leavesOf(command).map(describe));
  return pageOf(describe(command), globalFlags(program), isWhole);
}

export const topicFor = (program: Command, topic: Topic): Page =>
  topicPage(topic, globalFlags(program), bodyOptions().map(bodyFlag));

const bodyFlag = (option: Option) =>
  flagOf(option, { group: 'body', repeatable: isRepeatable(option, fieldFlags) });

const wantsRecord = ({ json, output, query, fields }: Globals): boolean =>
  json === true ||
  (output !== undefined && output !== 'table') ||
  query !== undefined ||
  fields !== undefined;

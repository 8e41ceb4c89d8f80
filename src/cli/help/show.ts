/** What is printed where help is asked for: a page, a topic, or the record of a command. */
import type { Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { describe, describeGroup, leavesOf } from '../../generate/describe.ts';
import { flagOf, globalFlags } from '../../generate/flags.ts';
import { groupPage, type Page, pageOf } from '../../generate/page.ts';
import { commandLine } from '../advice.ts';
import { exitCodeRows } from '../exit-codes.ts';
import { bodyOptions } from '../flow-options.ts';
import type { Globals } from '../globals.ts';
import { visibleBelow, wordsOf } from '../tree.ts';
import { write } from '../write.ts';
import { firstPage } from './first.ts';
import { shown } from './shown.ts';
import { type Topic, topicPage } from './topics.ts';

/** Prints the page of a command; its record, where a format for programs is asked for. */
export async function showPage(context: Context, program: Command, command: Command): Promise<void> {
  const globals: Globals = program.opts();
  if (wantsRecord(globals)) {
    const { emitSchema } = await import('../local/schema.ts');
    return emitSchema(context, globals, program, command);
  }
  await print(context, globals, pageFor(program, command));
}

export async function showTopic(context: Context, program: Command, topic: Topic): Promise<void> {
  const globals: Globals = program.opts();
  const page = topicFor(program, topic);
  if (!wantsRecord(globals)) return print(context, globals, page);
  const { emitDocument } = await import('../local/schema.ts');
  // The codes are what a program would ask for.
  await emitDocument(context, globals, topic === 'exit-codes' ? exitCodeRows : page);
}

/** To the file of -O as well, where it is as wide as a text that nobody's terminal shows. */
async function print(context: Context, globals: Globals, page: Page): Promise<void> {
  if (globals.outputFile === undefined || globals.outputFile === '-')
    return write(context, await shown(context, globals, context.stdout, page));
  const [{ checkOutput, emitText }, { outputOf }, { resolveSettings }] = await Promise.all([
    import('../emit.ts'),
    import('../output.ts'),
    import('../settings.ts'),
  ]);
  const output = await outputOf(context, globals, await resolveSettings(context, globals, { mending: true }));
  await checkOutput(output);
  await emitText(context, await shown(context, globals, {}, page), output);
}

/** A noun was given and no command: its page, and that something is missing. */
export async function missingCommand(
  context: Context,
  program: Command,
  command: Command,
): Promise<DtpError> {
  const words = wordsOf(command);
  const page = await shown(context, program.opts(), context.stderr, pageFor(program, command));
  return new DtpError('usage', `${['dtp', ...words].join(' ')}: a command is missing`, {
    hint: `There are: ${visibleBelow(command)
      .map((one) => one.name())
      .sort()
      .join(', ')}.`,
    next: [commandLine([...words, '--help'])],
    page,
  });
}

export function pageFor(program: Command, command: Command): Page {
  if (command === program) return firstPage(program);
  if (command.commands.length > 0) return groupPage(describeGroup(command), leavesOf(command).map(describe));
  return pageOf(describe(command), globalFlags(program));
}

export const topicFor = (program: Command, topic: Topic): Page =>
  topicPage(topic, globalFlags(program), bodyOptions().map(bodyFlag));

const bodyFlag = (option: Option) => flagOf(option, { group: 'body' });

const wantsRecord = ({ json, output, query, fields }: Globals): boolean =>
  json === true ||
  (output !== undefined && output !== 'table') ||
  query !== undefined ||
  fields !== undefined;

/** Help output: the page of a command, a topic, or a command's record for programs. */
import type { Context } from '../../context.ts';
import { describe, describeGroup, exitCodeRows, globalFlagRecords } from '../../describe/describe.ts';
import { listedTopics, type Topic, topicFor } from '../../describe/help/topics.ts';
import { groupPage, type HelpPage, pageOf } from '../../describe/page.ts';
import { DtpError } from '../../errors.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { Result } from '../../output/result.ts';
import { commandLine } from '../../settings/command-line.ts';
import type { Globals } from '../../settings/global-flags.ts';
import { type CommandEntry, namesBelow, visibleBelow } from '../../tree/entry.ts';
import { rootCommand, runnableBelow } from '../../tree/tree.ts';

/** The page of a command, or its record if a machine format is requested. `isWhole` shows every field, also to an agent. */
export async function pageResult(invocation: Invocation, entry: CommandEntry, isWhole: boolean): Promise<Result> {
  const isText = !wantsRecord(invocation.globals);
  const isBrief = invocation.context.agent?.isAsked && !(isWhole && entry.commands.length === 0);
  if (isText && !isBrief) return textOf(invocation, pageFor(entry, isWhole));
  if (isText) return { kind: 'text', text: (await import('../../describe/agent/command-page.ts')).agentPage(entry) };
  const { schemaResult } = await import('./schema.ts');
  return schemaResult(entry);
}

export async function topicResult(invocation: Invocation, topic: Topic): Promise<Result> {
  const page = topicFor(topic);
  if (!wantsRecord(invocation.globals)) return textOf(invocation, page);
  const { documentResult } = await import('./schema.ts');
  // A program gets the exit codes as rows instead of the page.
  return documentResult(topic === 'exit-codes' ? exitCodeRows : page);
}

/** A page in a file is as wide as a page that is printed without a terminal. */
async function textOf({ context, globals, output }: Invocation, page: HelpPage): Promise<Result> {
  const { shownHelp } = await import('../../describe/help/print.ts');
  const terminal = output.file === undefined ? context.stdout : {};
  return { kind: 'text', text: await shownHelp(context, globals, terminal, page) };
}

/** The error for a noun without a command. It shows the noun's page. */
export async function missingCommand(context: Context, globals: Globals, entry: CommandEntry): Promise<DtpError> {
  const { words } = entry;
  const { shownHelp } = await import('../../describe/help/print.ts');
  const page = await shownHelp(context, globals, context.stderr, pageFor(entry));
  return new DtpError('usage', `${['dtp', ...words].join(' ')} needs a command`, {
    hint: `Available: ${namesBelow(entry).join(', ')}`,
    next: [commandLine([...words, '--help'])],
    page,
  });
}

export function pageFor(entry: CommandEntry, isWhole = false): HelpPage {
  if (entry === rootCommand) return firstPage();
  if (entry.commands.length > 0) return groupPage(describeGroup(entry), runnableBelow(entry).map(describe));
  return pageOf(describe(entry), globalFlagRecords, isWhole);
}

const wantsRecord = ({ json, output, query, jq, fields }: Globals): boolean =>
  json === true || (output !== undefined && output !== 'table') || [query, jq, fields].some((one) => one !== undefined);

/** The commands with a separate line, by section. */
const described: Readonly<Record<string, readonly string[]>> = {
  Start: ['init', 'auth', 'doctor'],
  Work: ['events', 'artifacts', 'code-samples', 'reports', 'suggest'],
  Manage: ['ws'],
};

/** The commands on the last line of the section Manage. The section Tools has all commands that are not named here. */
const managing = ['orgs', 'publishing-tokens', 'subscriptions', 'codehost', 'schema-store', 'short-urls'];

function firstPage(): HelpPage {
  const all = visibleBelow(rootCommand);
  const shown = [...Object.values(described).flat(), ...managing, 'help'];
  const others = all.map((one) => one.name).filter((name) => !shown.includes(name));
  return {
    name: 'dtp',
    usage: 'dtp COMMAND [flags]',
    summary: rootCommand.summary,
    paragraphs: [],
    sections: [
      ...Object.entries(described).map(([title, names]) => ({
        title,
        rows: all
          .filter((one) => names.includes(one.name))
          .sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
          .map((one) => ({ term: one.name, text: one.summary })),
        ...(title === 'Manage' && { more: managing.join(', ') }),
      })),
      { title: 'Tools', text: others.join(', ') },
    ],
    facts: ['Run "dtp COMMAND --help" for details', `dtp help TOPIC: ${listedTopics.join(', ')}`],
  };
}

/** Builds the first page of the help: the commands, grouped by purpose, in at most 25 lines. */
import { visibleBelow } from '../../tree/entry.ts';
import { rootCommand } from '../../tree/tree.ts';
import type { HelpPage } from '../page.ts';
import { listedTopics } from './topics.ts';

/** The commands with a separate line, by section. */
const described: Readonly<Record<string, readonly string[]>> = {
  Start: ['init', 'auth', 'doctor'],
  Work: ['events', 'artifacts', 'code-samples', 'reports', 'suggest'],
  Manage: ['ws'],
};

/** The commands on the last line of the section Manage. The section Tools has all commands that are not named here. */
const managing = ['orgs', 'publishing-tokens', 'subscriptions', 'codehost', 'schema-store', 'short-urls'];

export function firstPage(): HelpPage {
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

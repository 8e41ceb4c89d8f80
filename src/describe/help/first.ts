/** The first page of the help: what there is, what to begin with, and the flags of every command. */
import type { Command } from 'commander';
import { operations } from '../../operations/index.ts';
import { visibleBelow } from '../../tree/nouns.ts';
import { globalFlags } from '../flags.ts';
import { flagRow, type Page, type Row, withAliases } from '../page.ts';
import { firstSteps } from './examples.ts';
import { topics } from './topics.ts';

export function firstPage(program: Command): Page {
  const api: ReadonlySet<string> = new Set(Object.values(operations).map(({ command }) => command[0]));
  const [ofApi, own] = [true, false].map((wanted) =>
    visibleBelow(program)
      .filter((one) => api.has(one.name()) === wanted)
      .map(rowOf),
  );
  return {
    name: 'dtp',
    usage: 'dtp COMMAND [options]',
    summary: program.description(),
    paragraphs: [],
    sections: [
      { title: 'To begin with', examples: firstSteps },
      { title: 'Commands of the API', rows: ofApi ?? [] },
      { title: 'Commands of the tool', rows: own ?? [] },
      {
        title: 'Topics',
        rows: Object.entries(topics).map(([name, text]) => ({ term: `help ${name}`, text })),
      },
      {
        title: 'Options of every command',
        rows: [
          ...globalFlags(program).map(flagRow),
          { term: '-h, --help', text: 'print the help of a command; with -o json its schema' },
          { term: '-V, --version', text: 'print the version' },
        ],
      },
    ],
    facts: ['More of a command: dtp COMMAND --help'],
  };
}

const rowOf = (command: Command): Row => ({
  term: command.name(),
  text: withAliases(command.name(), command.description(), command.aliases()),
});

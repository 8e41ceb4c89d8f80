/** Generates the completion script for PowerShell: a table of the pages, and code that reads the table. */
import template from './template.ps1';
import type { CompletionPage } from './tree.ts';

export const powershellScript = (pages: readonly CompletionPage[]): string =>
  template.replace('# PAGES', () => pages.flatMap(pageRows).join('\n'));

const pageRows = ({ path, commands, flags, args }: CompletionPage): readonly string[] =>
  [
    ['@', path],
    ...commands.map(({ names, help }) => ['c', names.join(' '), '', '', help]),
    ...flags.map(({ names, value, slot, help }) => [
      'f',
      names.join(' '),
      value === undefined ? '-' : slot.kind,
      slot.words.join(' '),
      help,
    ]),
    ...args.map(({ slot, many }, index) => ['a', many ? 'rest' : String(index + 1), slot.kind, slot.words.join(' ')]),
  ].map((cells) => cells.join('\t'));

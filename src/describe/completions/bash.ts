/** Generates the completion script for bash. */
import { quoteWord } from '../../shell.ts';
import { placesOf } from './slots.ts';
import template from './template.bash';
import type { CompletionPage } from './tree.ts';

export function bashScript(pages: readonly CompletionPage[]): string {
  return template
    .replace('# PAGES\n', () => pages.map(pageCase).join(''))
    .replace('# SLOTS\n', () => `${placesOf(pages).map(slotCase).join('')}    *' >') kind=file ;;\n`);
}

function pageCase({ path, commands, flags }: CompletionPage): string {
  const aliases = commands.flatMap(({ names: [name, ...others] }) => others.map((one) => `${one}=${name}`));
  const lists = {
    commands: commands.map(({ names }) => names[0]),
    aliases,
    switches: flags.filter(({ value }) => value === undefined).flatMap(({ names }) => names),
    options: flags.filter(({ value }) => value !== undefined).flatMap(({ names }) => names),
  };
  const lines = Object.entries(lists)
    .filter(([, words]) => words.length > 0)
    .map(([name, words]) => `      ${name}=${quoteWord(words.join(' '))}\n`);
  return lines.length === 0 ? '' : `    ${quoteWord(path)})\n${lines.join('')}      ;;\n`;
}

function slotCase({ at, slot }: ReturnType<typeof placesOf>[number]): string {
  const patterns = at.map(({ path, what }) =>
    path === undefined ? `*${quoteWord(` ${what}`)}` : quoteWord(`${path} ${what}`),
  );
  const values = slot.kind === 'words' ? ` values=(${slot.words.map(quoteWord).join(' ')})` : '';
  return `    ${patterns.join(' | ')})\n      kind=${slot.kind}${values}\n      ;;\n`;
}

/** Generates the completion script for fish. */
import { placesOf } from './slots.ts';
import template from './template.fish';
import type { CompletionPage } from './tree.ts';

export function fishScript(pages: readonly CompletionPage[]): string {
  return template
    .replace('# PAGES\n', () => pages.map(pageCase).join(''))
    .replace('# SLOTS\n', () => placesOf(pages).map(slotCase).join(''));
}

const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;

/** Returns a word with the description that fish shows next to the word. */
const row = (word: string, help: string) => (help === '' ? quoted(word) : `${quoted(word)}\\t${quoted(help)}`);

function pageCase({ path, commands, flags }: CompletionPage): string {
  const lists = {
    // The script finds the end of the name by the tab, so the tab is needed even without a description.
    commands: commands.map(({ names, help }) => `${quoted(names[0])}\\t${quoted(help)}`),
    aliases: commands.flatMap(({ names: [name, ...others] }) => others.map((one) => quoted(`${one}=${name}`))),
    flags: flags.flatMap(({ names, help }) => names.map((name) => row(name, help))),
    valued: flags.filter(({ value }) => value !== undefined).flatMap(({ names }) => names),
  };
  const lines = Object.entries(lists)
    .filter(([, words]) => words.length > 0)
    .map(([name, words]) => `            set ${name} ${words.join(' ')}\n`);
  return lines.length === 0 ? '' : `        case ${quoted(path)}\n${lines.join('')}`;
}

function slotCase({ at, slot }: ReturnType<typeof placesOf>[number]): string {
  const patterns = at.map(({ path, what }) => (path === undefined ? quoted(`* ${what}`) : quoted(`${path} ${what}`)));
  const words = slot.kind === 'words' ? `            set choices ${slot.words.map(quoted).join(' ')}\n` : '';
  return `        case ${patterns.join(' ')}\n            set kind ${slot.kind}\n${words}`;
}

/** Generates the completion scripts from the command tree. The folder `completions/` has the generated scripts. */
import { quoteWord } from '../../shell.ts';
import { rootCommand } from '../../tree/tree.ts';
import { placesOf } from './slots.ts';
import bashTemplate from './template.bash';
import fishTemplate from './template.fish';
import powershellTemplate from './template.ps1';
import { type CompletionPage, completionPagesOf } from './tree.ts';
import { zshScript } from './zsh.ts';

export type Shell = 'bash' | 'zsh' | 'fish' | 'powershell';

const scripts: Readonly<Record<Shell, (pages: readonly CompletionPage[]) => string>> = {
  bash: (pages) =>
    bashTemplate
      .replace('# PAGES\n', () => pages.map(bashPage).join(''))
      .replace('# SLOTS\n', () => `${placesOf(pages).map(bashSlot).join('')}    *' >') kind=file ;;\n`),
  zsh: zshScript,
  fish: (pages) =>
    fishTemplate
      .replace('# PAGES\n', () => pages.map(fishPage).join(''))
      .replace('# SLOTS\n', () => placesOf(pages).map(fishSlot).join('')),
  powershell: (pages) => powershellTemplate.replace('# PAGES', () => pages.flatMap(powershellRows).join('\n')),
};

export const isShell = (name: string | undefined): name is Shell => name !== undefined && Object.hasOwn(scripts, name);

/** Returns the script of a shell. Throws if a word or a help string of the tree cannot be part of a script. */
export function completionScript(shell: Shell, root = rootCommand): string {
  const pages = completionPagesOf(root);
  checkTexts(pages);
  return scripts[shell](pages);
}

/** Throws if a word has special characters, because scripts do not quote words, or if a help has several lines. */
function checkTexts(pages: readonly CompletionPage[]): void {
  const flags = pages.flatMap((page) => page.flags);
  const commands = pages.flatMap((page) => page.commands);
  const slots = [...flags, ...pages.flatMap((page) => page.args)].map(({ slot }) => slot);
  const words = [...[...flags, ...commands].flatMap(({ names }) => names), ...slots.flatMap((one) => one.words)];
  const odd =
    words.find((word) => !/^[\w.-]+$/.test(word)) ??
    [...flags, ...commands].map(({ help }) => help).find((help) => /[\t\r\n]/.test(help));
  if (odd !== undefined) throw new Error(`completions cannot hold ${JSON.stringify(odd)}`);
}

function bashPage({ path, commands, flags }: CompletionPage): string {
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

function bashSlot({ at, slot }: ReturnType<typeof placesOf>[number]): string {
  const patterns = at.map(({ path, what }) =>
    path === undefined ? `*${quoteWord(` ${what}`)}` : quoteWord(`${path} ${what}`),
  );
  const values = slot.kind === 'words' ? ` values=(${slot.words.map(quoteWord).join(' ')})` : '';
  return `    ${patterns.join(' | ')})\n      kind=${slot.kind}${values}\n      ;;\n`;
}

const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;

/** Returns a word with the description that fish shows next to the word. */
const row = (word: string, help: string) => (help === '' ? quoted(word) : `${quoted(word)}\\t${quoted(help)}`);

function fishPage({ path, commands, flags }: CompletionPage): string {
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

function fishSlot({ at, slot }: ReturnType<typeof placesOf>[number]): string {
  const patterns = at.map(({ path, what }) => (path === undefined ? quoted(`* ${what}`) : quoted(`${path} ${what}`)));
  const words = slot.kind === 'words' ? `            set choices ${slot.words.map(quoted).join(' ')}\n` : '';
  return `        case ${patterns.join(' ')}\n            set kind ${slot.kind}\n${words}`;
}

const powershellRows = ({ path, commands, flags, args }: CompletionPage): readonly string[] =>
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

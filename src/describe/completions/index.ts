/** Generates the completion scripts from the command tree. The folder `completions/` has the generated scripts. */
import { groupBy } from '../../json-object.ts';
import { quoteWord } from '../../shell.ts';
import { rootCommand } from '../../tree/tree.ts';
import bashTemplate from './template.bash';
import fishTemplate from './template.fish';
import powershellTemplate from './template.ps1';
import zshTemplate from './template.zsh';
import { type CompletionPage, completionPagesOf, type FlagRow, type Slot } from './tree.ts';

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

/** Each alias of a command with the name of the command, such as `ls=list`. */
const aliasesIn = (commands: CompletionPage['commands']): readonly string[] =>
  commands.flatMap(({ names: [name, ...others] }) => others.map((one) => `${one}=${name}`));

/** The names of the flags that take a value. */
const valuedIn = (flags: CompletionPage['flags']): readonly string[] =>
  flags.filter(({ value }) => value !== undefined).flatMap(({ names }) => names);

const filled = (lists: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(lists).filter(([, words]) => words.length > 0);

function bashPage({ path, commands, flags }: CompletionPage): string {
  const lines = filled({
    commands: commands.map(({ names }) => names[0]),
    aliases: aliasesIn(commands),
    switches: flags.filter(({ value }) => value === undefined).flatMap(({ names }) => names),
    options: valuedIn(flags),
  }).map(([name, words]) => `      ${name}=${quoteWord(words.join(' '))}\n`);
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
  const lines = filled({
    // The script finds the end of the name by the tab, so the tab is needed even without a description.
    commands: commands.map(({ names, help }) => `${quoted(names[0])}\\t${quoted(help)}`),
    aliases: aliasesIn(commands).map(quoted),
    flags: flags.flatMap(({ names, help }) => names.map((name) => row(name, help))),
    valued: valuedIn(flags),
  }).map(([name, words]) => `            set ${name} ${words.join(' ')}\n`);
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

/** Where values apply: the command `path`, and its flag or argument `what`. Without a `path`, in every command. */
interface Place {
  readonly path: string | undefined;
  readonly what: string;
  readonly slot: Slot;
}

/** Groups the places with the same values. `what` is a flag's name, an argument's number (from 1), or `rest`. */
function placesOf(pages: readonly CompletionPage[]) {
  // `none` has no known values. The scripts complete commands in a different way.
  const hasValues = ({ slot: { kind } }: Place) => kind !== 'none' && kind !== 'command';
  const places = [...flagPlaces(pages), ...argumentPlaces(pages)].filter(hasValues);
  const groups = groupBy(places, ({ slot }) => JSON.stringify(slot));
  return [...groups.values()].flatMap((at) => at.slice(0, 1).map(({ slot }) => ({ at, slot })));
}

function flagPlaces(pages: readonly CompletionPage[]) {
  const all = pages.flatMap(({ path, flags }) =>
    flags.flatMap(({ names, slot }) => names.map((what) => ({ path, what, slot }))),
  );
  const byName = groupBy(all, ({ what }) => what);
  const places = [...byName.values()].flatMap((same): readonly Place[] => {
    const [first] = same;
    const isOne = same.every((one) => JSON.stringify(one.slot) === JSON.stringify(first?.slot));
    // A global flag is valid in every command, except in one that has its own flag with this name.
    return first && isOne
      ? [{ ...first, path: undefined }]
      : same.map((one) => ({ ...one, path: one.path || undefined }));
  });
  // The scripts use the first match.
  return [...places.filter(({ path }) => path), ...places.filter(({ path }) => !path)];
}

const argumentPlaces = (pages: readonly CompletionPage[]) =>
  pages.flatMap(({ path, args }) =>
    args.map(({ slot, many }, index) => ({ path, what: many ? 'rest' : String(index + 1), slot })),
  );

function zshScript(pages: readonly CompletionPage[]): string {
  const shared = pages[0]?.flags ?? [];
  return zshTemplate
    .replace('# PAGES\n', () => pages.map(pageCase).join(''))
    .replace('# SHARED\n', () => shared.map((flag) => `    ${flagSpec(flag, shared)}\n`).join(''));
}

function pageCase({ path, commands, flags, args }: CompletionPage): string {
  const rows = commands.map(({ names, help }) => quoteWord(`${names[0]}:${help}`));
  const specs = [
    ...(path === '' ? [] : flags.map((flag) => flagSpec(flag, flags))),
    ...args.map(({ name, slot, many }, index) => argumentSpec(many ? '*' : `${index + 1}`, name, slot)),
    // If the command took no arguments here, `_arguments` would offer flags before the user types a dash.
    ...(commands.length + args.length === 0 ? [quoteWord('*: : _dtp_nothing')] : []),
  ];
  const lines = filled({ subcommands: rows, shortcuts: aliasesIn(commands), valued: valuedIn(flags), specs }).map(
    ([name, words]) =>
      `      ${name}=${words === rows || words === specs ? `(${lined(words)})` : quoteWord(words.join(' '))}\n`,
  );
  return lines.length === 0 ? '' : `    (${quoteWord(path)})\n${lines.join('')}      ;;\n`;
}

const lined = (words: readonly string[]) => `\n${words.map((word) => `        ${word}\n`).join('')}      `;

/** Returns the specs of a flag. A flag that can only be used once excludes its other name and its opposite. */
function flagSpec({ names, help, value, slot, many }: FlagRow, all: readonly FlagRow[]): string {
  const long = names.at(-1) ?? '';
  const opposite = long.startsWith('--no-') ? `--${long.slice(5)}` : `--no-${long.slice(2)}`;
  const others = all.some((one) => one.names.includes(opposite)) ? [opposite] : [];
  const excluded = many ? '*' : `(${[...names, ...others].join(' ')})`;
  const told = `[${escaped(help)}]`;
  const forms = names.map((name) => {
    if (value === undefined) return name + told;
    return `${name}${name.startsWith('--') ? '=' : '+'}${told}:${escaped(value)}:${actionOf(slot)}`;
  });
  return forms.map((form) => quoteWord(`${excluded}${form}`)).join(' ');
}

function argumentSpec(place: string, name: string, slot: Slot): string {
  if (slot.kind === 'program') return quoteWord('*:: : _dtp_program');
  // If this action only showed a message, `_arguments` would not offer flags here.
  const action = slot.kind === 'none' ? ' _dtp_nothing' : actionOf(slot);
  return quoteWord(`${place}:${escaped(name)}:${action}`);
}

/** Returns the zsh action that completes the values. If the values are not known, zsh only shows a message. */
function actionOf({ kind, words }: Slot): string {
  return kind === 'words' ? `(${words.join(' ')})` : (actions[kind] ?? ` _dtp_ask ${kind}`);
}

const actions: Readonly<Partial<Record<Slot['kind'], string>>> = {
  none: ' ',
  file: '_files',
  folder: '_files -/',
  document: ' _dtp_document',
  member: ' _dtp_member',
  command: ' ',
  reference: ' _dtp_reference',
};

const escaped = (text: string) => text.replace(/[\\[\]:$`]/g, '\\$&');

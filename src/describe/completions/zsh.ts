/** Generates the completion script for zsh, which passes the flags and arguments of commands to `_arguments`. */
import { quoteWord } from '../../shell.ts';
import template from './template.zsh';
import type { CompletionPage, FlagRow, Slot } from './tree.ts';

export function zshScript(pages: readonly CompletionPage[]): string {
  const shared = pages[0]?.flags ?? [];
  return template
    .replace('# PAGES\n', () => pages.map(pageCase).join(''))
    .replace('# SHARED\n', () => shared.map((flag) => `    ${flagSpec(flag, shared)}\n`).join(''));
}

function pageCase({ path, commands, flags, args }: CompletionPage): string {
  const aliases = commands.flatMap(({ names: [name, ...others] }) => others.map((one) => `${one}=${name}`));
  const valued = flags.filter(({ value }) => value !== undefined).flatMap(({ names }) => names);
  const rows = commands.map(({ names, help }) => quoteWord(`${names[0]}:${help}`));
  const specs = [
    ...(path === '' ? [] : flags.map((flag) => flagSpec(flag, flags))),
    ...args.map(({ name, slot, many }, index) => argumentSpec(many ? '*' : `${index + 1}`, name, slot)),
    // If the command took no arguments here, `_arguments` would offer flags before the user types a dash.
    ...(commands.length + args.length === 0 ? [quoteWord('*: : _dtp_nothing')] : []),
  ];
  const lines = [
    ...(rows.length > 0 ? [`subcommands=(${lined(rows)})`] : []),
    ...(aliases.length > 0 ? [`shortcuts=${quoteWord(aliases.join(' '))}`] : []),
    ...(valued.length > 0 ? [`valued=${quoteWord(valued.join(' '))}`] : []),
    ...(specs.length > 0 ? [`specs=(${lined(specs)})`] : []),
  ].map((line) => `      ${line}\n`);
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

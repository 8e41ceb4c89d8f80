/** Converts a help page to a man page: roff with the macros of man(7). */
import type { HelpPage, Section } from './page.ts';

/**
 * Formats a man page, and names its file, such as `dtp-ws-list.1`. Section 1 is for commands, 7 for topics. `others`
 * are the pages to list under SEE ALSO.
 */
export function manualPage(page: HelpPage, section: 1 | 7, version: string, others: readonly string[]) {
  const name = manPageName(page);
  const lines = [
    // There is no date, so that the same command tree always gives the same file.
    `.TH "${escapeRoff(name.toUpperCase())}" ${section} "" "dtp ${escapeRoff(version)}" "dtp manual"`,
    // Do not hyphenate words such as OPENAPI_DIFF, because users copy them.
    '.nh',
    '.ad l',
    '.SH NAME',
    `${escapeRoff(name)} \\- ${escapeRoff(page.summary)}`,
    ...(page.usage === undefined ? [] : ['.SH SYNOPSIS', `.B ${escapeRoff(page.usage)}`]),
    ...(page.paragraphs.length === 0 ? [] : ['.SH DESCRIPTION', ...page.paragraphs.flatMap(paragraph)]),
    ...page.sections.flatMap(sectionLines),
    ...(page.facts.length === 0 ? [] : ['.SH NOTES', ...page.facts.flatMap(paragraph)]),
    ...(others.length === 0 ? [] : ['.SH "SEE ALSO"', others.map(escapeRoff).join(',\n')]),
  ];
  return { file: `${name}.${section}`, text: `${lines.join('\n')}\n` };
}

/** Returns the name of a man page: `dtp-ws-list` for a command, `dtp-exit-codes` for a topic. */
export const manPageName = ({ name, usage }: HelpPage): string =>
  usage === undefined ? `dtp-${name}` : name.replaceAll(' ', '-');

const paragraph = (text: string): readonly string[] => ['.PP', text.split(' ').map(broken).join(' ')];

/** Escapes a word. A word that may be longer than a line, such as a path, can be broken before each slash. */
const broken = (word: string): string => {
  const plain = escapeRoff(word);
  return word.length > 60 ? plain.replaceAll('/', '\\:/') : plain;
};

function sectionLines({ title, text, rows = [], more, examples = [] }: Section): readonly string[] {
  return [
    `.SH "${escapeRoff(title.toUpperCase())}"`,
    ...(text === undefined ? [] : paragraph(text)),
    ...rows.flatMap((row) => ['.TP', `.B ${escapeRoff(row.term.trim())}`, escapeRoff(row.text)]),
    ...(more === undefined ? [] : paragraph(more)),
    ...examples.flatMap(({ says, command }) => [
      ...paragraph(says),
      '.RS 4',
      '.nf',
      ...command.split('\n').map(escapeRoff),
      '.fi',
      '.RE',
    ]),
  ];
}

/**
 * Escapes a line for roff. Backslashes, quotes and hyphens are printed unchanged, a dot at the start does not begin a
 * roff request, and characters outside ASCII become codes. The result is also safe inside a quoted macro argument.
 */
export function escapeRoff(text: string): string {
  const plain = text.replace(/[\\"'`^~-]|[^\x20-\x7e]/gu, (one) => escapes[one] ?? codeOf(one));
  return plain.startsWith('.') ? `\\&${plain}` : plain;
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '"': '\\(dq',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '-': '\\-',
  '\n': ' ',
};

const codeOf = (one: string) => `\\[u${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

/** Formats a page for a terminal. */
import { wrapped } from '../../render/width.ts';
import type { Page, Row, Section } from '../page.ts';

export interface Look {
  /** In columns. No line is longer. */
  readonly width: number;
  readonly heading: (text: string) => string;
}

/** Ends with a line break. */
export function textOf(page: Page, look: Look): string {
  const { usage, summary, paragraphs, sections, facts } = page;
  const blocks = [
    ...(usage === undefined ? [] : [usageText(usage, look)]),
    ...[sentence(summary), ...paragraphs].map((text) => wrapped(text, look.width).join('\n')),
    ...sections.map((section) => sectionText(section, look)),
    ...(facts.length === 0 ? [] : [facts.flatMap((fact) => wrapped(fact, look.width, '  ')).join('\n')]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const usageText = (usage: string, { width, heading }: Look) =>
  `${heading('Usage:')} ${wrapped(usage, width - 7, '  ').join(`\n${' '.repeat(7)}`)}`;

const sentence = (text: string) => (/[.!?:]$/.test(text) ? text : `${text}.`);

function sectionText({ title, text, rows = [], examples = [] }: Section, { width, heading }: Look): string {
  const words = text === undefined ? [] : wrapped(text, width - 2).map((line) => `  ${line}`);
  const shown = examples.flatMap(({ says, command }, index) => [
    ...(index === 0 ? [] : ['']),
    ...wrapped(says, width - 4).map((line) => `  # ${line}`),
    ...command.split('\n').map((line) => `  ${line}`),
  ]);
  return [heading(`${title}:`), ...words, ...shown, ...rowsText(rows, width)].join('\n');
}

/** Terms in one column, and their meaning in another. The meaning of a long term is on the same line or below it. */
function rowsText(rows: readonly Row[], width: number): readonly string[] {
  const column = columnOf(rows, width);
  return rows.flatMap(({ term, text }) => {
    const start = `  ${term}`;
    const onOne = `${start.padEnd(column - 2)}  ${text}`;
    if (onOne.length <= width) return [onOne.trimEnd()];
    const lines = wrapped(text, width - column);
    const [first = '', ...rest] = lines;
    const below = (line: string) => `${' '.repeat(column)}${line}`;
    if (start.length > column - 2) return [start, ...lines.map(below)];
    return [`${start.padEnd(column)}${first}`, ...rest.map(below)];
  });
}

/** The column of the descriptions: after the longest term if nearly all of them fit, or at most at 2/5 of the width. */
function columnOf(rows: readonly Row[], width: number): number {
  const longest = Math.max(...rows.map(({ term }) => term.length), 0);
  const fit = rows.filter(({ text }) => 4 + longest + text.length <= width).length;
  const isWide = width - longest - 4 < 20 || fit < rows.length * 0.75;
  return 4 + (isWide ? Math.min(longest, Math.floor(width * 0.4)) : longest);
}

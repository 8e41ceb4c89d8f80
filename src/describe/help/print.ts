/** Formats a help page with the width of a stream, and with color if the stream supports it. */
import type { Context, StreamInfo } from '../../context.ts';
import { colorOf } from '../../output/color.ts';
import { signsFor } from '../../render/signs.ts';
import { hangText, wrapWords } from '../../render/width.ts';
import type { Globals } from '../../settings/global-flags.ts';
import type { HelpPage, HelpRow, Section } from '../page.ts';

/** The minimum and maximum width. A narrower terminal breaks lines itself, and longer lines are hard to read. */
const [NARROW, WIDE] = [20, 120];

export async function shownHelp(
  context: Pick<Context, 'env' | 'agent'>,
  globals: Globals,
  stream: StreamInfo,
  page: HelpPage,
) {
  const width = Math.min(Math.max(stream.columns || 80, NARROW), WIDE);
  const hasColor = colorOf(context, globals, stream.isTTY === true);
  const text = helpTextOf(page, { width, heading: hasColor ? await boldly() : (text) => text });
  return signsFor(stream, context.env)(text);
}

async function boldly(): Promise<(text: string) => string> {
  const { Chalk } = await import('chalk');
  return new Chalk({ level: 1 }).bold;
}

interface Look {
  /** The width in columns. Only single words and commands that are longer exceed it. */
  readonly width: number;
  readonly heading: (text: string) => string;
}

/** Formats the page. The result ends with a line break. */
export function helpTextOf(page: HelpPage, look: Look): string {
  const { usage, summary, paragraphs, sections, facts } = page;
  const blocks = [
    ...(usage === undefined ? [] : [usageText(usage, look)]),
    ...[/[.!?:]$/.test(summary) ? summary : `${summary}.`, ...paragraphs].map((text) => hangText(text, 0, look.width)),
    ...sections.map((section) => sectionText(section, look)),
    ...(facts.length === 0 ? [] : [facts.map((fact) => factText(fact, look.width)).join('\n')]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const usageText = (usage: string, { width, heading }: Look) =>
  `${heading('Usage:')} ${wrapWords(usage, width - 9).join(`\n${' '.repeat(9)}`)}`;

/** Wraps a fact. Its second and later lines are indented, so that the reader sees where each fact begins. */
const factText = (fact: string, width: number): string => {
  const [first = ''] = wrapWords(fact, width);
  const rest = fact.slice(first.length + 1);
  return rest === '' ? first : `${first}\n  ${hangText(rest, 2, width)}`;
};

function sectionText({ title, text, rows = [], more, examples = [] }: Section, { width, heading }: Look): string {
  const list = text === undefined ? [] : [`  ${hangText(text, 2, width)}`];
  const shown = examples.flatMap(({ says, command }, index) => [
    ...(index === 0 ? [] : ['']),
    ...wrapWords(says, width - 4).map((line) => `  # ${line}`),
    ...command.split('\n').map((line) => `  ${line}`),
  ]);
  const last = more === undefined ? [] : [`  ${hangText(more, 2, width)}`];
  return [heading(`${title}:`), ...list, ...shown, ...rowsText(rows, width), ...last].join('\n');
}

/** Formats two columns. The meaning of a term that is too long is on the same line if both fit, or else below it. */
function rowsText(rows: readonly HelpRow[], width: number): readonly string[] {
  const column = columnOf(rows, width);
  if (column === undefined)
    return rows.flatMap(({ term, text }) => [...termLines(term, width), `    ${hangText(text, 4, width)}`]);
  return rows.flatMap(({ term, text }) => {
    const start = `  ${term}`;
    const onOne = `${start.padEnd(column - 2)}  ${text}`;
    if (onOne.length <= width) return [onOne.trimEnd()];
    const lines = wrapWords(text, width - column);
    const [first = '', ...rest] = lines;
    const below = (line: string) => `${' '.repeat(column)}${line}`;
    if (start.length > column - 2) return [...termLines(term, width), ...lines.map(below)];
    return [`${start.padEnd(column)}${first}`, ...rest.map(below)];
  });
}

const termLines = (term: string, width: number): readonly string[] =>
  wrapWords(term, width - 4).map((line, index) => `${' '.repeat(index === 0 ? 2 : 4)}${line}`);

/** On a terminal narrower than this, all meanings are below their terms if the longest term leaves too little room. */
const narrow = 60;
/** The minimum width of the second column on a narrow terminal. */
const least = 24;

/** Returns where meanings start: after the longest term if nearly all rows then fit, or at 2/5 of the width or less. */
function columnOf(rows: readonly HelpRow[], width: number): number | undefined {
  const longest = Math.max(...rows.map(({ term }) => term.length), 0);
  if (width < narrow) return width - longest - 4 < least ? undefined : longest + 4;
  const fit = rows.filter(({ text }) => 4 + longest + text.length <= width).length;
  const isWide = width - longest - 4 < 20 || fit < rows.length * 0.75;
  return 4 + (isWide ? Math.min(longest, Math.floor(width * 0.4)) : longest);
}

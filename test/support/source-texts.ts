/** What people read in a source file: its comments, and its strings of more than one word. */
import { parseSync } from 'rolldown/utils';

export interface SourceText {
  readonly kind: 'comment' | 'string';
  /** In a template, each value is `…`. */
  readonly text: string;
  readonly line: number;
}

/** The order is undefined. Throws if the source does not parse. */
export function textsIn(name: string, source: string): readonly SourceText[] {
  const { program, comments, errors } = parseSync(name, source);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length;
  const strings = stringsIn(program).filter(({ text }) => /\p{L} +\p{L}/u.test(text));
  return [
    ...comments.map(({ value, start }) => ({
      kind: 'comment' as const,
      text: value.replace(/^\s*\*+ ?/gm, '').trim(),
      line: lineOf(start),
    })),
    ...strings.map(({ text, start }) => ({ kind: 'string' as const, text, line: lineOf(start) })),
  ];
}

interface Found {
  readonly text: string;
  readonly start: number;
}

function stringsIn(node: unknown): readonly Found[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, value, quasis, start } = node as Readonly<Record<string, unknown>>;
  if (type === 'Literal' && typeof value === 'string') return [{ text: value, start: Number(start) }];
  const own =
    type === 'TemplateLiteral' && Array.isArray(quasis)
      ? [{ text: quasis.map((one) => one.value.cooked).join('…'), start: Number(start) }]
      : [];
  return [...own, ...Object.values(node).flatMap(stringsIn)];
}

/** Parses samples in C# and Swift with a grammar, and reads their strings by the rules of the language. */
import { Language, type Node, Parser } from 'web-tree-sitter';
import { readFixture } from './fixtures.ts';

type Name = 'csharp' | 'swift';

const FILES = { csharp: 'c_sharp', swift: 'swift' };

export interface Parsed {
  /** Where the code does not follow the grammar. */
  readonly faults: readonly string[];
  readonly strings: readonly string[];
}

const decodeEscape = (written: string): string => {
  const [, hex] = /^\\[uU]\{?([0-9a-fA-F]+)\}?$/.exec(written) ?? [];
  const named: Readonly<Record<string, string>> = {
    '\\n': '\n',
    '\\r': '\r',
    '\\t': '\t',
    '\\"': '"',
    '\\\\': '\\',
  };
  const text = hex === undefined ? named[written] : String.fromCodePoint(Number.parseInt(hex, 16));
  if (text === undefined) throw new Error(`unknown escape ${written}`);
  return text;
};

/** Escapes that both languages have in common are enough: others are faults. */
const ESCAPES = {
  csharp: /\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)/gs,
  swift: /\\(u\{[0-9a-fA-F]{1,8}\}|.)/gs,
};

const unescaped = (text: string, language: Name): string => text.replace(ESCAPES[language], decodeEscape);

/** A string of several lines: without the breaks next to the quotation marks. */
const inner = (text: string, marks: number): string => {
  const lines = text.slice(marks, -marks).split('\n');
  if (lines[0] !== '' || lines.at(-1) !== '') throw new Error(`the marks of ${text} share a line`);
  return lines.slice(1, -1).join('\n');
};

function decode(text: string, language: Name): string {
  const marks = /^"+/.exec(text)?.[0].length ?? 0;
  if (marks === 2 || marks === 1) {
    const content = text.slice(1, -1);
    if (/[\n\r]/.test(content)) throw new Error(`a line break is in ${text}`);
    return unescaped(content, language);
  }
  // In C#, such a string has no escapes.
  return language === 'csharp' ? inner(text, marks) : unescaped(inner(text, marks), language);
}

const STRINGS = new Set(['string_literal', 'raw_string_literal', 'line_string_literal', 'multi_line_string_literal']);

function walk(node: Node, parsed: { faults: string[]; strings: string[] }, language: Name): void {
  if (node.isError || node.isMissing)
    parsed.faults.push(`line ${node.startPosition.row + 1}: ${node.text.slice(0, 100)}`);
  if (node.type.includes('interpol')) parsed.faults.push(`code in a string: ${node.text.slice(0, 100)}`);
  if (STRINGS.has(node.type)) {
    try {
      parsed.strings.push(decode(node.text, language));
    } catch (error) {
      parsed.faults.push(String(error));
    }
  } else for (const child of node.children) if (child) walk(child, parsed, language);
}

export async function parserOf(language: Name): Promise<(code: string) => Parsed> {
  await Parser.init();
  const grammar = readFixture(`tree-sitter-${FILES[language]}.wasm`);
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return (code) => {
    const tree = parser.parse(code);
    const parsed = { faults: [] as string[], strings: [] as string[] };
    if (tree) walk(tree.rootNode, parsed, language);
    else parsed.faults.push('no tree');
    tree?.delete();
    return parsed;
  };
}

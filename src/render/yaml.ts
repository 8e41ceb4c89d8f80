/** Formats a value as YAML without hidden characters. */
import { Document, type ScalarTag } from 'yaml';
import { DtpError } from '../errors.ts';
import { isRecord } from '../json-object.ts';
import { blockSize, textsOf } from './blocks.ts';
import { hasHidden, replaceHidden } from './sanitize.ts';

/**
 * Parsers of YAML 1.2 and of YAML 1.1, where an unquoted `no` is a boolean, read the same value back. Long lists are
 * formatted in blocks, even if they are fields of the value. Throws `bad_response` if there are too many values for
 * the memory.
 */
export async function yaml(value: unknown, signal?: AbortSignal): Promise<string | readonly string[]> {
  checkCount(value, mostInAll);
  // The blocks of a list can simply be joined.
  if (isLong(value)) return textsOf(value, textOf, signal);
  if (!isRecord(value) || !Object.values(value).some(isLong)) return textOf(value);
  const texts: string[] = [];
  for (const [key, member] of Object.entries(value))
    if (isLong(member)) {
      // Let the library format the key with an empty list.
      texts.push(textOf({ [key]: [] }).replace(/ \[\]\n$/, '\n'));
      texts.push(...(await textsOf(member, (block) => indented(textOf(block)), signal)));
    } else texts.push(textOf({ [key]: member }));
  return texts;
}

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > blockSize;

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');

/** Each value takes at least 400 bytes while a document is built, and less as a string. */
const mostAtOnce = 500_000;
const mostInAll = 2_000_000;

function textOf(value: unknown): string {
  checkCount(value, mostAtOnce);
  // At the start of a document, the library does not indent the lines of a string, and PyYAML rejects that.
  if (typeof value === 'string' && value.includes('\n')) return `${doubleQuoted(value)}\n`;
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
    customTags: (tags) => [quoted, exponential, ...tags],
  });
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
}

function checkCount(value: unknown, most: number): void {
  if (hasMoreValues(value, most))
    throw new DtpError('bad_response', `the result has more than ${most} values, too many for -o yaml`, {
      hint: 'Use -o json, or ask for less with --fields or --query.',
    });
}

/** Avoids recursion, because a value may be nested deeper than the stack. */
function hasMoreValues(value: unknown, most: number): boolean {
  const open = [value];
  let left = most;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const inner = Object.values(one);
    left -= inner.length;
    if (left < 0) return true;
    for (const each of inner) if (typeof each === 'object' && each !== null) open.push(each);
  }
  return false;
}

/**
 * The tag of strings that the library would write in a form that some parser does not read back. It escapes them
 * before the library checks whether a string is short enough for a key.
 */
const quoted: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) =>
    typeof value === 'string' &&
    (hasHidden(value.replaceAll('\n', '')) || /[\ufffe\uffff]/.test(value) || isMisread(value)),
  resolve: (text) => text,
  // Only double-quoted strings have escapes.
  stringify: ({ value }) => doubleQuoted(String(value)),
};

const doubleQuoted = (text: string): string =>
  replaceHidden(JSON.stringify(text), longEscape).replace(/[\ufffe\uffff]/g, longEscape);

/** Whether some parser reads the string as another value, although the library does not quote it. */
const isMisread = (text: string): boolean => misread.some((pattern) => pattern.test(text));

const misread: readonly RegExp[] = [
  // The default key of YAML 1.1.
  /^=$/,
  // Octal numbers with a sign or with underscores, for js-yaml.
  /^[-+]?0o[\d_]*$/,
  // A time without digits after the dot, or with an offset of more than a day, for PyYAML.
  /^\d{4}-\d\d?-\d\d?[Tt \t][\d: \t.Z+-]+$/,
  // Empty lines of which the first has spaces: the library indents them wrongly.
  /^ *\n\s*$/,
];

/** The tag of numbers such as 1e+21, which are strings in YAML 1.1 if they have no dot. */
const exponential: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => typeof value === 'number' && /^-?\de/.test(String(value)),
  // The library prefers tags that have a test.
  test: /^-?\d\.0e[-+]\d+$/,
  resolve: Number,
  stringify: ({ value }) => String(value).replace('e', '.0e'),
};

/** Formats `\U0000001b`, the YAML escape for any character. */
const longEscape = (char: string) => `\\U${(char.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;

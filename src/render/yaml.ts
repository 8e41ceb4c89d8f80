/** Formats a value as YAML without hidden characters. */
import { Schema } from 'yaml';
import { stringifyString } from 'yaml/util';
import { isRecord, type JsonObject } from '../json-object.ts';
import { blockSize, textsOf } from './blocks.ts';
import { hasHidden, replaceHidden } from './sanitize.ts';

/**
 * Formats YAML that parsers of version 1.2 and 1.1, where an unquoted `no` is a boolean, read as the same value. Long
 * lists are formatted in blocks, even inside a record.
 */
export async function yaml(value: unknown, signal?: AbortSignal): Promise<string | readonly string[]> {
  // The blocks of a list can simply be joined.
  if (isLong(value)) return textsOf(value, (block) => `${nodeText(block, '')}\n`, signal);
  if (!isRecord(value) || !Object.values(value).some(isLong)) return `${nodeText(value, '')}\n`;
  const texts: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const one = `${nodeText({ [key]: isLong(member) ? [] : member }, '')}\n`;
    if (!isLong(member)) texts.push(one);
    else {
      texts.push(one.replace(/ \[\]\n$/, '\n'));
      texts.push(...(await textsOf(member, (block) => `  ${nodeText(block, '  ')}\n`, signal)));
    }
  }
  return texts;
}

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > blockSize;

/** Formats a value whose first line is already indented. */
function nodeText(value: unknown, indent: string): string {
  if (typeof value === 'string') return stringText(value, indent);
  if (Array.isArray(value))
    return value.map((item) => `- ${nodeText(item, `${indent}  `)}`).join(`\n${indent}`) || '[]';
  if (isRecord(value)) return recordText(value, indent);
  return typeof value === 'number' ? numberText(value) : String(value ?? null);
}

function recordText(record: JsonObject, indent: string): string {
  const inner = `${indent}  `;
  let text = '';
  for (const key of Object.keys(record)) {
    const value = record[key];
    if (value === undefined) continue;
    const name = stringText(key, inner, true);
    const member = nodeText(value, inner);
    if (text !== '') text += `\n${indent}`;
    // YAML does not allow longer keys before a colon.
    if (name.length > 1024) text += `? ${name}\n${indent}: ${member}`;
    else if (typeof value !== 'object' || value === null || member === '[]' || member === '{}')
      text += `${name}: ${member}`;
    else text += `${name}:\n${inner}${member}`;
  }
  return text || '{}';
}

/** Strings that need no quotes in any version of YAML begin with a letter, and are not like `no` or the number `e1`. */
const plain = /^[A-Za-z](?:[!-9;-~]|:(?=[!-~])| (?=[ -"$-~]))*$/;
const otherValue = /^(?:y|n|yes|no|on|off|true|false|null|e[-+]?\d+)$/i;

function stringText(text: string, indent: string, implicitKey = false): string {
  if (plain.test(text) && !otherValue.test(text)) return text;
  // At the start of a document, the library does not indent the lines of a string, and PyYAML rejects that.
  if (isMisread(text) || (indent === '' && text.includes('\n'))) return doubleQuoted(text);
  return stringifyString({ value: text }, { ...context, indent, implicitKey });
}

/** The library decides which of the other strings need quotes, and formats those with several lines. */
const context = {
  actualString: true,
  doc: { schema: new Schema({ compat: 'yaml-1.1' }) },
  indentStep: '  ',
  inFlow: null,
  options: {
    blockQuote: true,
    defaultStringType: 'PLAIN',
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    lineWidth: 0,
  },
} as unknown as Parameters<typeof stringifyString>[1];

/** Numbers such as 1e+21 get a dot, because they are strings in YAML 1.1 without one. */
function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (Number.isFinite(value)) return String(value).replace(/^(-?\d)e/, '$1.0e');
  return Number.isNaN(value) ? '.nan' : value < 0 ? '-.inf' : '.inf';
}

/** Whether some parser does not read the string back in the form in which the library writes it. */
const isMisread = (text: string): boolean =>
  hasHidden(text.replaceAll('\n', '')) || /[\ufffe\uffff]/.test(text) || misread.some((pattern) => pattern.test(text));

const doubleQuoted = (text: string): string =>
  replaceHidden(JSON.stringify(text), longEscape).replace(/[\ufffe\uffff]/g, longEscape);

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

/** Formats `\U0000001b`, the YAML escape for any character. */
const longEscape = (char: string) => `\\U${(char.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;

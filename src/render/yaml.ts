/** Value → YAML that holds no hidden character. */
import { Document, type ScalarTag } from 'yaml';
import { hasHidden, replaceHidden } from './sanitize.ts';

/** Parses back equal, by readers of YAML 1.2 and of 1.1, to which a bare `no` is a boolean. */
export function yaml(value: unknown): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
    customTags: (tags) => [quoted, ...tags],
  });
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
}

/** A text with hidden characters. What stands in its place is known before the library looks whether it is short enough for a key. */
const quoted: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value === 'string' && hasHidden(value.replaceAll('\n', '')),
  resolve: (text) => text,
  // Only double quotes have escapes.
  stringify: ({ value }) => replaceHidden(JSON.stringify(value), longEscape),
};

/** `\U0000001b`: the escape of YAML that holds any character. */
const longEscape = (char: string) => `\\U${(char.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;

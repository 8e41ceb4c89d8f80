/** Value → YAML that holds no hidden character. */
import { Document, visit } from 'yaml';
import { hasHidden, replaceHidden } from './sanitize.ts';

/** Parses back equal, by readers of YAML 1.2 and of 1.1, to which a bare `no` is a boolean. */
export function yaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  // Only double quotes have escapes.
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && hasHidden(scalar.value.replaceAll('\n', '')))
        scalar.type = 'QUOTE_DOUBLE';
    },
  });
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  return replaceHidden(text, (char) => (char === '\n' ? char : longEscape(char)));
}

/** `\U0000001b`: the escape of YAML that holds any character. */
const longEscape = (char: string) => `\\U${(char.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;

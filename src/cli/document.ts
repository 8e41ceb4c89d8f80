/** YAML → value. Apart, so that the parser is loaded only where a text is no JSON. */
import { parse } from 'yaml';

/** The decoded document. Throws the parser's own error; its message begins with a line that says what and where. */
export const parseYaml = (text: string): unknown => parse(text);

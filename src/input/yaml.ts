/** YAML → value. Apart, so that the parser is loaded only where a text is no JSON. */
import { parse } from 'yaml';

/** The decoded document; of a tag that is not known, what it is of. Throws the parser's own error; its message begins with a line that says what and where. */
export const parseYaml = (text: string): unknown => parse(text, { logLevel: 'error' });

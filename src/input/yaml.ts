/** Decodes YAML, in a separate file so that the parser is loaded only if needed. */
import { parse } from 'yaml';

/** Decodes a document and ignores unknown tags. Throws the parser's error, whose first line has the cause and place. */
export const parseYaml = (text: string): unknown => parse(text, { logLevel: 'error' });

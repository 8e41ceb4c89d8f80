/** Decodes YAML. This is a separate file so that the parser is loaded only when it is needed. */
import { parse } from 'yaml';

/** Decodes a document and ignores unknown tags. The first line of the parser's error says what is wrong and where. */
export const parseYaml = (text: string): unknown => parse(text, { logLevel: 'error' });

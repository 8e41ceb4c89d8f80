/** Decodes YAML. This is a separate file so that the parser is loaded only when it is needed. */
import { parse } from 'yaml';

/** Parses YAML and ignores unknown tags. Throws the parser's error: its first line says what is wrong and where. */
export const parseYaml = (text: string): unknown => parse(text, { logLevel: 'error' });

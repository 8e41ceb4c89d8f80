/** Provides the functions that the writers of all languages share. */
import type { SampleCall } from './sample-call.ts';
import type { Text } from './sample-text.ts';

export type Write = (call: SampleCall) => string;

/** How a language writes strings and reads environment variables. */
export interface Strings {
  readonly quote: (text: string) => string;
  readonly variable: (name: string) => string;
  readonly encoded: (name: string) => string;
  /** The operator that joins two strings. By default, a plus sign between spaces. */
  readonly plus?: string;
}

/** Writes an expression that joins strings and variables, such as `"Bearer " + os.environ["API_TOKEN"]`. */
export const joinText = (text: Text, { quote, variable, plus = ' + ' }: Strings): string =>
  text.length === 0
    ? quote('')
    : text.map((piece) => (typeof piece === 'string' ? quote(piece) : variable(piece.variable))).join(plus);

/** Writes an expression for the URL, with its secret query parameters. */
export function joinUrl({ url, secrets }: SampleCall, { quote, encoded, plus = ' + ' }: Strings): string {
  const pieces = secrets.map(([name, variable], index) => {
    const between = index > 0 || url.includes('?') ? '&' : '?';
    return [index === 0 ? `${url}${between}${name}=` : `${between}${name}=`, variable] as const;
  });
  if (pieces.length === 0) return quote(url);
  return pieces.map(([text, variable]) => `${quote(text)}${plus}${encoded(variable)}`).join(plus);
}

/** Returns the headers without the content type of a multipart form, because the client generates its boundary. */
export const headersBesideForm = ({ headers, body }: SampleCall): SampleCall['headers'] =>
  headers.filter(([name]) => !(body && 'parts' in body && name === 'Content-Type'));

/** Joins lines. Leaves out those that are false or undefined. */
export const joinLines = (...all: readonly (string | readonly string[] | false | undefined)[]): string =>
  all
    .flat()
    .filter((line) => line !== false && line !== undefined)
    .join('\n');

export const indent = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);

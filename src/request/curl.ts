/** A request → the curl command that sends it. Secrets are variables or masked. */
import type { FileValue, Input, Operation } from '../operations/operation.ts';
import { quoteWord } from '../shell.ts';
import { jsonBody, partsOf } from './build.ts';
import type { HttpRequest } from './http.ts';
import { redactHeaders, redactUrl, redactValue } from './redact.ts';

/** The variables that hold the credential of a header, as the tool itself reads them. */
const variables: ReadonlyMap<string, string> = new Map([
  ['authorization', 'Bearer $DTP_TOKEN'],
  ['x-workspace-identifier', '$DTP_WORKSPACE_IDENTIFIER'],
]);

/** The name may be one of the user's, and hold what a shell takes for a command within double quotes. */
const credentialOf = (name: string): string => {
  const value = variables.get(name) ?? '$DTP_API_KEY';
  return /^[\w-]+$/.test(name) ? `-H "${name}: ${value}"` : `-H ${quoted(`${name}: `)}"${value}"`;
};

/** For a POSIX shell, an option a line. `credential` is the name of the header that would be added. */
export function curlOf(
  operation: Operation,
  input: Input,
  request: HttpRequest,
  credential: string | undefined,
): string {
  const { method, url, headers, body } = request;
  const isForm = body !== undefined && 'open' in body;
  const shown = Object.entries(redactHeaders(headers)).filter(
    ([name]) => !(isForm && name === 'content-type'),
  );
  const lines = [
    `curl -sS --fail-with-body -X ${method} ${quoted(redactUrl(url))}`,
    ...shown.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(credential === undefined ? [] : [credentialOf(credential)]),
    // As HTTP has it (RFC 9110 §8.6): some services insist.
    ...(!body && (method === 'POST' || method === 'PUT') ? ["-H 'content-length: 0'"] : []),
    ...(isForm ? formOf(operation, input) : []),
    ...(body && !isForm
      ? [`--data-binary ${quoted(escaped(JSON.stringify(redactValue(jsonBody(operation, input)))))}`]
      : []),
  ];
  return lines.join(' \\\n  ');
}

function formOf(operation: Operation, input: Input): readonly string[] {
  return Object.entries(operation.input)
    .flatMap(([name, field]) => (field.in === 'part' ? partsOf(name, field, input[name]) : []))
    .map((part) =>
      'file' in part
        ? `-F ${quoted(`${part.name}=@"${inForm(pathOf(part.file))}"`)}`
        : `--form-string ${quoted(`${part.name}=${part.text}`)}`,
    );
}

/** curl reads `-` as standard input. */
const pathOf = ({ path, name }: FileValue) => path ?? name;

/** curl's own quotes. */
const inForm = (path: string) => path.replace(/["\\]/g, '\\$&');

/** What a terminal would act on, or not show: controls, formats such as bidi marks, and other separators of lines. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON without such characters. */
const escaped = (json: string): string =>
  json.replace(hidden, (char) =>
    char
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** A word of a POSIX shell. A hidden character is written by `printf`, which has every shell; line breaks stay. */
const quoted = (text: string): string => {
  const plain = quoteWord(text);
  return plain.replace(hidden, (char) => (char === '\n' ? char : `'"$(printf '${octal(char)}')"'`));
};

const octal = (char: string): string =>
  [...Buffer.from(char)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');

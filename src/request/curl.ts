/** Formats a request as a curl command. Secrets become shell variables or are masked. */
import type { FileValue, Input, Operation } from '../operations/operation.ts';
import { quoteWord } from '../shell.ts';
import { jsonBody, partsOf } from './build.ts';
import type { HttpRequest } from './http.ts';
import { redactHeaders, redactUrl, redactValue } from './redact.ts';

/** The shell variable for each credential header. They are the variables that dtp reads itself. */
const variables: ReadonlyMap<string, string> = new Map([
  ['authorization', 'Bearer $DTP_TOKEN'],
  ['x-workspace-identifier', '$DTP_WORKSPACE_IDENTIFIER'],
]);

/** The user chooses some header names, and these may contain characters that a shell expands inside double quotes. */
const credentialOf = (name: string): string => {
  const value = variables.get(name) ?? '$DTP_API_KEY';
  return /^[\w-]+$/.test(name) ? `-H "${name}: ${value}"` : `-H ${quoted(`${name}: `)}"${value}"`;
};

/** Formats the command for a POSIX shell, one option per line. `credential` is the name of the credential header. */
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
    // RFC 9110 §8.6. Some services require it.
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

/** Escapes a path for the quotes of curl's -F option. */
const inForm = (path: string) => path.replace(/["\\]/g, '\\$&');

/**
 * Characters that a terminal would interpret or hide: controls, format characters such as bidi marks, and line
 * separators.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes hidden characters in JSON. */
const escaped = (json: string): string =>
  json.replace(hidden, (char) =>
    char
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/**
 * Quotes a word for a POSIX shell. Hidden characters are written with `printf`, which every shell has. Line breaks
 * stay.
 */
const quoted = (text: string): string => {
  const plain = quoteWord(text);
  return plain.replace(hidden, (char) => (char === '\n' ? char : `'"$(printf '${octal(char)}')"'`));
};

const octal = (char: string): string =>
  [...Buffer.from(char)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');

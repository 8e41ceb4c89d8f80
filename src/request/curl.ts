/** Formats a request as a curl command. Secrets become shell variables or are masked. */

import { exactJson } from '../json-object.ts';
import type { FileValue, Input, Operation } from '../operations/operation.ts';
import { quoteWord } from '../shell.ts';
import { formFieldsOf, jsonBody } from './build.ts';
import type { HttpRequest } from './http.ts';
import { redactHeaders, redactUrl, redactValue } from './redact.ts';

/** The value of each credential header in the command. It uses the shell variables that dtp also reads. */
const variables: ReadonlyMap<string, string> = new Map([
  ['authorization', 'Bearer $DTP_TOKEN'],
  ['x-workspace-identifier', '$DTP_WORKSPACE_IDENTIFIER'],
]);

/**
 * Returns the option for the credential header. The user may choose its name, so the name is quoted if a shell could
 * expand its characters inside double quotes.
 */
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
  const shown = Object.entries(redactHeaders(headers)).filter(([name]) => !(isForm && name === 'content-type'));
  const lines = [
    `curl -sS --fail-with-body -X ${method} ${quoted(redactUrl(url))}`,
    ...shown.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(credential === undefined ? [] : [credentialOf(credential)]),
    // Send a Content-Length even without a body (RFC 9110 §8.6), because some services require it.
    ...(!body && (method === 'POST' || method === 'PUT') ? ["-H 'content-length: 0'"] : []),
    ...(isForm ? formOf(operation, input) : []),
    ...(body && !isForm
      ? [`--data-binary ${quoted(escaped(exactJson(redactValue(jsonBody(operation, input)))))}`]
      : []),
  ];
  return lines.join(' \\\n  ');
}

function formOf(operation: Operation, input: Input): readonly string[] {
  return Object.entries(operation.input)
    .flatMap(([name, field]) => (field.in === 'part' ? formFieldsOf(name, field, input[name]) : []))
    .map((part) =>
      'file' in part
        ? `-F ${quoted(`${part.name}=@"${inForm(pathOf(part.file))}"`)}`
        : `--form-string ${quoted(`${part.name}=${part.text}`)}`,
    );
}

/** Returns the path of a file for curl. The path `-` means standard input, as in dtp. */
const pathOf = ({ path, name }: FileValue) => path ?? name;

/** Escapes a path for the quotes of curl's -F option. */
const inForm = (path: string) => path.replace(/["\\]/g, '\\$&');

/**
 * Matches characters that a terminal would interpret or hide: control characters, format characters such as bidi marks,
 * and line separators.
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
 * Quotes a word for a POSIX shell. Hidden characters are written with `printf`, which every shell has. Line breaks stay
 * unchanged.
 */
const quoted = (text: string): string => {
  const plain = quoteWord(text);
  return plain.replace(hidden, (char) => (char === '\n' ? char : `'"$(printf '${octal(char)}')"'`));
};

const octal = (char: string): string =>
  [...Buffer.from(char)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');

/** Formats a request as a curl command. Secrets become shell variables or are masked. */
import { DtpError } from '../errors.ts';
import { exactJson, unicodeEscape } from '../json-object.ts';
import type { FileValue, Input, Operation } from '../operations/operation.ts';
import { hidden, ourShell, quotedWord, quoteWord, type ShellKind } from '../shell.ts';
import { formFieldsOf, jsonBody } from './build.ts';
import type { HttpRequest } from './http.ts';
import { redactHeaders, redactUrl, redactValue } from './redact.ts';

/** For each credential header, what precedes the credential, and the variable that contains it, which dtp reads too. */
const variables: ReadonlyMap<string, readonly [before: string, variable: string]> = new Map([
  ['authorization', ['Bearer ', 'DTP_TOKEN']],
  ['x-workspace-identifier', ['', 'DTP_WORKSPACE_IDENTIFIER']],
]);

interface Dialect {
  readonly program: string;
  /** The end of a line that continues on the next one. */
  readonly onward: string;
  readonly quoted: (text: string) => string;
  /** A word with the value of a variable at its end. */
  readonly withVariable: (text: string, variable: string) => string;
  /** Whether some versions of the shell lose quotes inside an argument. */
  readonly losesQuotes?: true;
  /** The words for a JSON body, and what comes in front of the command. */
  readonly body: (json: string) => { readonly before: string; readonly words: string };
}

const dialects: Readonly<Record<ShellKind, Dialect>> = {
  posix: {
    program: 'curl',
    onward: ' \\\n  ',
    quoted: (text) => posixQuoted(text),
    // The user may choose the name of the header, so it is quoted if a shell could expand its characters.
    withVariable: (text, variable) =>
      /^[\w-]+: (\w+ )?$/.test(text) ? `"${text}$${variable}"` : `${posixQuoted(text)}"$${variable}"`,
    body: (json) => ({ before: '', words: `--data-binary ${posixQuoted(json)}` }),
  },
  powershell: {
    // Without the extension, PowerShell 5 runs another program.
    program: 'curl.exe',
    losesQuotes: true,
    onward: ' `\n  ',
    quoted: (text) => shownIn(text, 'powershell'),
    withVariable: (text, variable) => `(${shownIn(text, 'powershell')} + $env:${variable})`,
    body: (json) => ({ before: `${shownIn(json, 'powershell')} | `, words: '--data-binary "@-"' }),
  },
  cmd: {
    program: 'curl',
    onward: ' ^\n  ',
    quoted: (text) => shownIn(text, 'cmd'),
    withVariable: (text, variable) => `${shownIn(text, 'cmd').replace(/"$/, '')}%${variable}%"`,
    body: (json) => ({ before: '', words: `--data-binary ${shownIn(json, 'cmd')}` }),
  },
};

/** Quotes a word for PowerShell or cmd, which cannot write hidden characters. Throws `usage` for those. */
function shownIn(text: string, shell: 'powershell' | 'cmd'): string {
  if (text.search(hidden) < 0) return quotedWord(text, shell);
  throw new DtpError('usage', `--curl: a value has hidden characters, which ${shell} cannot write`, {
    hint: 'Use --dry-run, which shows the request as JSON.',
  });
}

interface CurlOptions {
  readonly credential: string | undefined;
  readonly shell?: ShellKind;
  readonly bodyFile?: string | undefined;
}

/**
 * Formats the command for the user's shell, one option per line. `credential` is the name of the credential header.
 * `bodyFile` is the file with the body, if `request` has no body.
 */
export function curlOf(
  operation: Operation,
  input: Input,
  request: HttpRequest,
  { credential, shell = ourShell(), bodyFile }: CurlOptions,
): string {
  const dialect = dialects[shell];
  const { program, onward, quoted, withVariable, body: bodyIn } = dialect;
  const { method, url, headers, body } = request;
  const isForm = body !== undefined && 'open' in body;
  const shown = Object.entries(redactHeaders(headers)).filter(([name]) => !(isForm && name === 'content-type'));
  const [before, variable] = variables.get(credential ?? '') ?? ['', 'DTP_API_KEY'];
  const json = body && !isForm ? bodyIn(escaped(exactJson(redactValue(jsonBody(operation, input))))) : undefined;
  const lines = [
    `${json?.before ?? ''}${program} -sS --fail-with-body -X ${method} ${quoted(redactUrl(url))}`,
    ...shown.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(credential === undefined ? [] : [`-H ${withVariable(`${credential}: ${before}`, variable)}`]),
    // Send a Content-Length even without a body (RFC 9110 §8.6), because some services require it.
    ...(!body && bodyFile === undefined && (method === 'POST' || method === 'PUT')
      ? [`-H ${quoted('content-length: 0')}`]
      : []),
    ...(isForm ? formOf(operation, input, dialect) : []),
    ...(json ? [json.words] : []),
    ...(bodyFile === undefined ? [] : [`--data-binary @${bodyFile}`]),
  ];
  return lines.join(onward);
}

const formOf = (operation: Operation, input: Input, { quoted, losesQuotes }: Dialect): readonly string[] =>
  Object.entries(operation.input)
    .flatMap(([name, field]) => (field.in === 'part' ? formFieldsOf(name, field, input[name]) : []))
    .map((part) =>
      'file' in part
        ? `-F ${quoted(`${part.name}=@${inForm(pathOf(part.file), losesQuotes)}`)}`
        : `--form-string ${quoted(`${part.name}=${part.text}`)}`,
    );

/** Returns the path of a file for curl. The path `-` means standard input, as in dtp. */
const pathOf = ({ path, name }: FileValue) => path ?? name;

/**
 * Writes a path for curl's -F option. It is quoted, unless the shell may lose quotes and the path does not need them,
 * because it has no separator of the option.
 */
const inForm = (path: string, losesQuotes: boolean | undefined) =>
  losesQuotes && !/[",;]/.test(path) ? path : `"${path.replace(/["\\]/g, '\\$&')}"`;

const escaped = (json: string): string => json.replace(hidden, unicodeEscape);

/** Quotes a word for a POSIX shell. Hidden characters except line breaks are written with `printf`. */
const posixQuoted = (text: string): string => {
  const plain = quoteWord(text);
  return plain.replace(hidden, (char) => (char === '\n' ? char : `'"$(printf '${octal(char)}')"'`));
};

const octal = (char: string): string =>
  [...Buffer.from(char)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');

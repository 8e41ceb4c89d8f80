/** Writes a call in each language: curl and Python here, the others with the snippet library. */
import { HTTPSnippet } from '@readme/httpsnippet';
import { quoteWord } from '../../shell.ts';
import type { Language } from './languages.ts';
import { BOUNDARY, bodyText, type Part, type SampleBody } from './sample-body.ts';
import type { SampleCall } from './sample-call.ts';

type Write = (call: SampleCall) => string;
type Headers = SampleCall['headers'];

/** Leaves out the content type of a multipart form, because the client generates its boundary. */
function headersBeside(
  headers: Headers,
  body: SampleBody | undefined,
): readonly (readonly [string, string])[] {
  const inParts = body !== undefined && 'parts' in body;
  return Object.entries(headers).filter(([name]) => !inParts || name !== 'Content-Type');
}

/** Not from the library, which would let the shell expand a `$` in the body. */
const curl: Write = ({ method, url, headers, body }) =>
  [
    `curl --request ${method}`,
    `--url ${quoteWord(url)}`,
    ...headersBeside(headers, body).map(([name, value]) => `--header ${quoteWord(`${name}: ${value}`)}`),
    ...(body ? curlBody(body) : []),
  ].join(' \\\n  ');

function curlBody(body: SampleBody): readonly string[] {
  if ('parts' in body)
    return body.parts.map(({ name, value, isFile }) =>
      // With --form, a value that starts with an @ would be read as a file.
      isFile ? `--form ${quoteWord(`${name}=@${value}`)}` : `--form-string ${quoteWord(`${name}=${value}`)}`,
    );
  if ('file' in body) return [`--data-binary ${quoteWord(`@${body.file}`)}`];
  return [`${'text' in body ? '--data-raw' : '--data'} ${quoteWord(bodyText(body))}`];
}

function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  // YAML has infinity, but JSON does not.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'None';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const items = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pythonValue(item)}`);
  return `{${items.join(', ')}}`;
}

/** Not from the library, which does not escape line breaks and backslashes in strings. */
const python: Write = ({ method, url, headers, body }) => {
  const beside = headersBeside(headers, body);
  return [
    'import requests',
    '',
    'response = requests.request(',
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(url)},`,
    ...(beside.length > 0 ? [`    headers=${pythonValue(Object.fromEntries(beside))},`] : []),
    ...(body ? [`    ${pythonBody(body)},`] : []),
    ')',
    'response.raise_for_status()',
    'print(response.text)',
  ].join('\n');
};

const pythonFile = (name: string): string => `open(${JSON.stringify(name)}, "rb")`;

function pythonBody(body: SampleBody): string {
  if ('json' in body) return `json=${pythonValue(body.json)}`;
  if ('form' in body) return `data=${pythonValue(body.form)}`;
  if ('parts' in body) return `files=[${body.parts.map(pythonPart).join(', ')}]`;
  return `data=${'file' in body ? pythonFile(body.file) : `${JSON.stringify(body.text)}.encode()`}`;
}

/** For the requests package, the file name `None` means that a part is not a file. */
const pythonPart = ({ name, value, isFile }: Part): string =>
  `(${JSON.stringify(name)}, ${isFile ? pythonFile(value) : `(None, ${JSON.stringify(value)})`})`;

type Client = Parameters<HTTPSnippet['convert']>;

/**
 * Uses one of the library's clients. The library quotes forms wrongly and renames repeated fields, so it gets every body
 * but JSON as plain text. `escapeText` escapes what the library forgets.
 */
const fromLibrary =
  (client: Client, escapeText = (text: string) => text): Write =>
  ({ method, url, headers, body }) => {
    const type = body && { 'Content-Type': wireType(body) };
    const snippet = new HTTPSnippet({
      method,
      url,
      headers: Object.entries({ ...headers, ...type }).map(([name, value]) => ({ name, value })),
      ...(body && {
        postData:
          'json' in body
            ? { mimeType: body.type, text: bodyText(body) }
            : { mimeType: 'text/plain', text: escapeText(bodyText(body)) },
      }),
    } as ConstructorParameters<typeof HTTPSnippet>[0]);
    return String(snippet.convert(...client)).trimEnd();
  };

const wireType = (body: SampleBody): string =>
  'parts' in body ? `${body.type}; boundary=${BOUNDARY}` : body.type;

/** The library generates a constructor call, which does not accept parameters such as a boundary. */
const csharp: Write = (call) =>
  fromLibrary(['csharp', 'httpclient'])(call).replace(
    /new MediaTypeHeaderValue\("[^"]*"\)/,
    () => `MediaTypeHeaderValue.Parse(${JSON.stringify(call.body && wireType(call.body))})`,
  );

const ruby: Write = (call) =>
  // In double quotes, Ruby would run the code in the braces.
  fromLibrary(['ruby', 'native'])(call).replace(/^request\.body = .*$/m, (line) =>
    line.replaceAll('#{', '\\#{'),
  );

interface Writer {
  readonly write: Write;
  readonly comment: '//' | '#';
}

export const writers: Readonly<Record<Language, Writer>> = {
  curl: { write: curl, comment: '#' },
  typescript: {
    write: fromLibrary(['javascript', 'fetch'], (text) => text.replaceAll('\\', '\\\\')),
    comment: '//',
  },
  python: { write: python, comment: '#' },
  go: { write: fromLibrary(['go', 'native']), comment: '//' },
  java: { write: fromLibrary(['java', 'okhttp']), comment: '//' },
  csharp: { write: csharp, comment: '//' },
  ruby: { write: ruby, comment: '#' },
  swift: {
    write: fromLibrary(['swift', 'urlsession'], (text) => JSON.stringify(text).slice(1, -1)),
    comment: '//',
  },
};

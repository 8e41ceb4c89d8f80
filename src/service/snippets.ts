/** Usage snippets: each operation of a document in each language that was asked for. */
import { HTTPSnippet } from '@readme/httpsnippet';
import { operationsOf } from './document.ts';
import { Refusal } from './handler.ts';
import type { Members } from './members.ts';
import { type SampleCall, sampleCall } from './sample-call.ts';

export interface Snippet {
  readonly path: string;
  readonly method: string;
  readonly operationId: string;
  readonly language: string;
  readonly code: string;
}

export interface MethodPath {
  readonly method: string;
  readonly path: string;
}

/** What is left out is not narrowed; of the languages, the first four are given. */
export interface SnippetChoice {
  readonly languages?: readonly string[] | undefined;
  readonly operationIds?: readonly string[] | undefined;
  readonly methodPaths?: readonly MethodPath[] | undefined;
  readonly packageName?: string | undefined;
  readonly className?: string | undefined;
}

type Write = (call: SampleCall) => string;

const shell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Our own: the library's would let the shell expand a `$` of the body. */
const curl: Write = ({ method, url, headers, json }) =>
  [
    `curl --request ${method}`,
    `--url ${shell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${shell(`${name}: ${value}`)}`),
    ...(json === undefined ? [] : [`--data ${shell(JSON.stringify(json))}`]),
  ].join(' \\\n  ');

function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const items = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pythonValue(item)}`);
  return `{${items.join(', ')}}`;
}

/** Our own: the library's does not escape a line break or a backslash in a text. */
const python: Write = ({ method, url, headers, json }) =>
  [
    'import requests',
    '',
    'response = requests.request(',
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(url)},`,
    ...(Object.keys(headers).length > 0 ? [`    headers=${pythonValue(headers)},`] : []),
    ...(json === undefined ? [] : [`    json=${pythonValue(json)},`]),
    ')',
    'response.raise_for_status()',
    'print(response.text)',
  ].join('\n');

type Target = Parameters<HTTPSnippet['convert']>;

/** By the library, in one of its clients. */
const by =
  (...target: Target): Write =>
  ({ method, url, headers, json }) => {
    const snippet = new HTTPSnippet({
      method,
      url,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      ...(json !== undefined && {
        postData: { mimeType: headers['Content-Type'] ?? 'application/json', text: JSON.stringify(json) },
      }),
    } as ConstructorParameters<typeof HTTPSnippet>[0]);
    return String(snippet.convert(...target)).trimEnd();
  };

interface Language {
  readonly write: Write;
  readonly comment: '//' | '#';
}

const languages: Readonly<Record<string, Language>> = {
  curl: { write: curl, comment: '#' },
  typescript: { write: by('javascript', 'fetch'), comment: '//' },
  python: { write: python, comment: '#' },
  go: { write: by('go', 'native'), comment: '//' },
  java: { write: by('java', 'okhttp'), comment: '//' },
  csharp: { write: by('csharp', 'httpclient'), comment: '//' },
  ruby: { write: by('ruby', 'native'), comment: '#' },
  swift: { write: by('swift', 'urlsession'), comment: '//' },
};

const first = ['curl', 'typescript', 'python', 'go'];

/** Refuses a language that is not known. */
export function checkLanguage(language: string): void {
  if (Object.hasOwn(languages, language)) return;
  const known = Object.keys(languages).join(', ');
  throw new Refusal(422, `language ${language} is unknown; known are ${known}`);
}

/** What the snippet shows, in one line: a line break in a name would end the comment. */
const titleOf = (id: string, { className, packageName }: SnippetChoice): string =>
  `${className ? `${className}.` : ''}${id}${packageName ? ` of ${packageName}` : ''}`.replace(/\s+/g, ' ');

export function snippetsOf(document: Members, choice: SnippetChoice): readonly Snippet[] {
  const { operationIds, methodPaths } = choice;
  const chosen = choice.languages ?? first;
  chosen.forEach(checkLanguage);
  return operationsOf(document)
    .filter(({ id }) => !operationIds || operationIds.includes(id))
    .filter(
      ({ method, path }) =>
        !methodPaths ||
        methodPaths.some((each) => each.method.toLowerCase() === method && each.path === path),
    )
    .flatMap((entry) => {
      const call = sampleCall(document, entry);
      const { path, method, id: operationId } = entry;
      return chosen.map((language) => {
        const { write, comment } = languages[language] as Language;
        const code = `${comment} ${titleOf(operationId, choice)}\n${write(call)}`;
        return { path, method, operationId, language, code };
      });
    });
}

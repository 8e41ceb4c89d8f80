/** Usage snippets: each operation of a document in each language that was asked for. */
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

/** What is left out is not narrowed. */
export interface SnippetChoice {
  readonly languages?: readonly string[] | undefined;
  readonly operationIds?: readonly string[] | undefined;
  readonly methodPaths?: readonly MethodPath[] | undefined;
  readonly packageName?: string | undefined;
  readonly className?: string | undefined;
}

type Write = (call: SampleCall, title: string) => string;

const quote = (text: string): string => JSON.stringify(text);
const shell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const lines = (...parts: readonly (string | false)[]): string =>
  parts.filter((part) => part !== false).join('\n');

const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

const curl: Write = ({ method, url, headers, json }) =>
  [
    // curl would take the braces of a path parameter for a pattern.
    `curl --globoff --request ${method}`,
    `--url ${shell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${shell(`${name}: ${value}`)}`),
    ...(json === undefined ? [] : [`--data ${shell(JSON.stringify(json))}`]),
  ].join(' \\\n  ');

const typescript: Write = ({ method, url, headers, json }, title) =>
  lines(
    `// ${title}`,
    `const response = await fetch(${quote(url)}, {`,
    `  method: ${quote(method)},`,
    Object.keys(headers).length > 0 && `  headers: ${indent(JSON.stringify(headers, null, 2), '  ')},`,
    json !== undefined && `  body: JSON.stringify(${indent(JSON.stringify(json, null, 2), '  ')}),`,
    '});',
    `if (!response.ok) throw new Error(\`\${response.status} \${response.statusText}\`);`,
    'console.log(await response.text());',
  );

function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, item]) => `${quote(key)}: ${pythonValue(item)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}

const python: Write = ({ method, url, headers, json }, title) =>
  lines(
    `# ${title}`,
    'import requests',
    '',
    'response = requests.request(',
    `    ${quote(method)},`,
    `    ${quote(url)},`,
    Object.keys(headers).length > 0 && `    headers=${pythonValue(headers)},`,
    json !== undefined && `    json=${pythonValue(json)},`,
    ')',
    'response.raise_for_status()',
    'print(response.text)',
  );

const go: Write = ({ method, url, headers, json }, title) =>
  lines(
    `// ${title}`,
    'package main',
    '',
    'import (',
    '\t"fmt"',
    '\t"io"',
    '\t"net/http"',
    json !== undefined && '\t"strings"',
    ')',
    '',
    'func main() {',
    json !== undefined && `\tbody := strings.NewReader(${quote(JSON.stringify(json))})`,
    `\trequest, err := http.NewRequest(${quote(method)}, ${quote(url)}, ${json === undefined ? 'nil' : 'body'})`,
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    ...Object.entries(headers).map(
      ([name, value]) => `\trequest.Header.Set(${quote(name)}, ${quote(value)})`,
    ),
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer response.Body.Close()',
    '\ttext, err := io.ReadAll(response.Body)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tfmt.Println(response.Status, string(text))',
    '}',
  );

const writers: Readonly<Record<string, Write>> = { curl, typescript, python, go };

export const languages: readonly string[] = Object.keys(writers);

function writerOf(language: string): Write {
  const write = Object.hasOwn(writers, language) ? writers[language] : undefined;
  if (write) return write;
  throw new Refusal(422, `language ${language} is unknown; known are ${languages.join(', ')}`);
}

/** Refuses a language that is not known. */
export const checkLanguage = (language: string): void => {
  writerOf(language);
};

/** What the snippet shows, in one line: a line break in a name would end the comment. */
const titleOf = (id: string, { className, packageName }: SnippetChoice): string =>
  `${className ? `${className}.` : ''}${id}${packageName ? ` of ${packageName}` : ''}`.replace(/\s+/g, ' ');

export function snippetsOf(document: Members, choice: SnippetChoice): readonly Snippet[] {
  const { operationIds, methodPaths } = choice;
  const chosen = (choice.languages ?? languages).map((language) => ({ language, write: writerOf(language) }));
  return operationsOf(document)
    .filter(({ id }) => !operationIds || operationIds.includes(id))
    .filter(
      ({ method, path }) =>
        !methodPaths ||
        methodPaths.some((each) => each.method.toLowerCase() === method && each.path === path),
    )
    .flatMap((entry) => {
      const call = sampleCall(document, entry);
      const { path, method, id } = entry;
      return chosen.map(({ language, write }) => ({
        path,
        method,
        operationId: id,
        language,
        code: write(call, titleOf(id, choice)),
      }));
    });
}

/** Writes a call in Go with the standard library. */
import type { SampleBody, SamplePart } from './sample-body.ts';
import type { SampleCall } from './sample-call.ts';
import { escapeLong, quoteWith, sampleJson } from './sample-text.ts';
import { headersBesideForm, joinLines, joinText, joinUrl, type Strings, type Write } from './writer.ts';

const quote = quoteWith(escapeLong);

const strings: Strings = {
  quote,
  variable: (name) => `os.Getenv(${quote(name)})`,
  encoded: (name) => `url.QueryEscape(os.Getenv(${quote(name)}))`,
  plus: '+',
};

/** Writes a string of several lines in backticks, where Go needs no escapes. */
const block = (text: string): string => (text.includes('\n') && !text.includes('`') ? `\`${text}\`` : quote(text));

const STRING = /`[^`]*`|"(?:\\.|[^"\\])*"/;

const checked = (condition: string): readonly string[] => [`if ${condition} {`, '\tpanic(err)', '}'];
const check = checked('err != nil');

const partLines = ({ name, value, isFile }: SamplePart, index: number): readonly string[] => {
  if (!isFile) return checked(`err := form.WriteField(${quote(name)}, ${quote(value)}); err != nil`);
  return [
    `file${index}, err := os.ReadFile(${quote(value)})`,
    ...check,
    `part${index}, err := form.CreateFormFile(${quote(name)}, ${quote(value)})`,
    ...check,
    ...checked(`_, err := part${index}.Write(file${index}); err != nil`),
  ];
};

function bodyLines(body: SampleBody): readonly string[] {
  if ('json' in body) return [`body := strings.NewReader(${block(sampleJson(body.json))})`];
  if ('text' in body) return [`body := strings.NewReader(${quote(body.text)})`];
  if ('file' in body)
    return [`content, err := os.ReadFile(${quote(body.file)})`, ...check, 'body := bytes.NewReader(content)'];
  return [
    'body := &bytes.Buffer{}',
    'form := multipart.NewWriter(body)',
    ...body.parts.flatMap(partLines),
    ...checked('err := form.Close(); err != nil'),
  ];
}

const PACKAGES = ['bytes', 'fmt', 'io', 'mime/multipart', 'net/http', 'net/url', 'os', 'strings'];

function importsOf(code: string): readonly string[] {
  // A package name in a string does not count as a use.
  const bare = code.replace(new RegExp(STRING, 'g'), '""');
  return PACKAGES.filter((name) => new RegExp(`\\b${name.split('/').at(-1)}\\.`).test(bare));
}

function requestLines(call: SampleCall): readonly string[] {
  const { method, basic, body } = call;
  return [
    `request, err := http.NewRequest(${quote(method)}, ${joinUrl(call, strings)}, ${body ? 'body' : 'nil'})`,
    ...check,
    ...headersBesideForm(call).map(
      ([name, value]) => `request.Header.Set(${quote(name)}, ${joinText(value, strings)})`,
    ),
    ...(body && 'parts' in body ? ['request.Header.Set("Content-Type", form.FormDataContentType())'] : []),
    ...(basic ? [`request.SetBasicAuth(${basic.map(strings.variable).join(', ')})`] : []),
  ];
}

/** Indents the code, except for the lines of a string in backticks. */
const indentCode = (code: readonly string[]): string =>
  `\t${code
    .join('\n')
    .replace(new RegExp(`${STRING.source}|\\n(?=.)`, 'g'), (found) => (found === '\n' ? '\n\t' : found))}`;

export const go: Write = (call) => {
  const { body } = call;
  const code = indentCode([
    ...(body ? bodyLines(body) : []),
    ...requestLines(call),
    'response, err := http.DefaultClient.Do(request)',
    ...check,
    'defer response.Body.Close()',
    'answer, err := io.ReadAll(response.Body)',
    ...check,
    'fmt.Println(response.Status)',
    'fmt.Println(string(answer))',
  ]);
  return joinLines(
    'package main',
    '',
    'import (',
    importsOf(code).map((name) => `\t${quote(name)}`),
    ')',
    '',
    'func main() {',
    code,
    '}',
  );
};

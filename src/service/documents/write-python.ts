/** Writes a call in Python with the requests package. */
import type { SampleBody, SamplePart } from './sample-body.ts';
import type { SampleCall } from './sample-call.ts';
import { escapeLong, quoteWith, type Values, writeValue } from './sample-text.ts';
import { headersBesideForm, indent, joinLines, joinText, type Strings, type Write } from './writer.ts';

export const quote = quoteWith(escapeLong);

export const valueSyntax: Values = {
  scalar: (value) => {
    if (value === null) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    return typeof value === 'string' ? quote(value) : JSON.stringify(value);
  },
  key: quote,
  step: '    ',
  pad: '',
};

export const environment = (name: string): string => `os.environ[${quote(name)}]`;

const strings: Strings = { quote, variable: environment, encoded: environment };

export const openFile = (name: string): string => `open(${quote(name)}, "rb")`;

function bodyArgument(body: SampleBody): string {
  // With `json=None`, the requests package would send no body.
  if ('json' in body) return body.json === null ? 'data="null"' : `json=${writeValue(body.json, valueSyntax)}`;
  if ('form' in body) return `data=${writeValue(body.form, valueSyntax)}`;
  if ('parts' in body) return `files=[${body.parts.map(partText).join(', ')}]`;
  return `data=${'file' in body ? openFile(body.file) : `${quote(body.text)}.encode()`}`;
}

/** In the requests package, the file name `None` means that a part is not a file. */
const partText = ({ name, value, isFile }: SamplePart): string =>
  `(${quote(name)}, ${isFile ? openFile(value) : `(None, ${quote(value)})`})`;

function argumentsOf(call: SampleCall): readonly string[] {
  const { method, url, secrets, basic, body } = call;
  const headers = headersBesideForm(call);
  const fields = headers.map(([name, value]) => `${quote(name)}: ${joinText(value, strings)}`);
  const short = `{${fields.join(', ')}}`;
  const secret = secrets.map(([name, variable]) => `${quote(decodeURIComponent(name))}: ${environment(variable)}`);
  return [
    quote(method),
    quote(url),
    ...(secret.length > 0 ? [`params={${secret.join(', ')}}`] : []),
    ...(basic ? [`auth=(${basic.map(environment).join(', ')})`] : []),
    ...(headers.length > 0
      ? [`headers=${short.length <= 80 ? short : `{\n${fields.map((each) => `    ${each},\n`).join('')}}`}`]
      : []),
    ...(body ? [bodyArgument(body)] : []),
  ];
}

const usesEnvironment = ({ secrets, basic, headers }: SampleCall): boolean =>
  secrets.length > 0 || !!basic || headers.some(([, value]) => value.some((piece) => typeof piece !== 'string'));

export const python: Write = (call) =>
  joinLines(
    usesEnvironment(call) && ['import os', ''],
    'import requests',
    '',
    'response = requests.request(',
    argumentsOf(call).map((each) => `${indent(each, '    ')},`),
    ')',
    'response.raise_for_status()',
    'print(response.text)',
  );

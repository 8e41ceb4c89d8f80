/** Writes a call as a curl command for a POSIX shell. */
import { quoteWord } from '../../shell.ts';
import type { SampleBody, SamplePart } from './sample-body.ts';
import { isSeen, sampleJson, type Text } from './sample-text.ts';
import { headersBesideForm, type Write } from './writer.ts';

/** Quotes a value for the shell. Variables are in double quotes, so that the shell inserts their values. */
function shellText(text: Text): string {
  const strings = text.filter((piece) => typeof piece === 'string');
  if (strings.length === text.length) return quoteWord(strings.join(''));
  const isSimple = strings.every((piece) => /^[\w :;=.,/-]*$/.test(piece));
  if (isSimple)
    return `"${text.map((piece) => (typeof piece === 'string' ? piece : `\${${piece.variable}}`)).join('')}"`.replace(
      /\$\{(\w+)\}(?!\w)/g,
      '$$$1',
    );
  return text.map((piece) => (typeof piece === 'string' ? quoteWord(piece) : `"$${piece.variable}"`)).join('');
}

const headerText = ([name, value]: readonly [string, Text]): string =>
  // With a colon, curl would leave out a header with an empty value. With a semicolon, curl sends it.
  `--header ${value.every((piece) => piece === '') ? quoteWord(`${name};`) : shellText([`${name}: `, ...value])}`;

/** Whether a string can be one word of a command. A word must not exceed 128 KiB or contain certain characters. */
const isWord = (text: string): boolean => text.length <= 30_000 && isSeen(text.replace(/[\n\t]/g, ''));

const octal = (byte: number): string =>
  byte >= 0x20 && byte < 0x7f && byte !== 0x25 && byte !== 0x5c
    ? String.fromCharCode(byte)
    : `\\${byte.toString(8).padStart(3, '0')}`;

/** Escapes a body for printf, which then writes the exact bytes. */
const printed = (text: string): string =>
  quoteWord([...Buffer.from(text)].map(octal).join('').replaceAll('\\045', '%%'));

/** Returns the body as one string. Undefined if the body is a file or has parts. */
function textOf(body: SampleBody): string | undefined {
  if ('json' in body) return sampleJson(body.json);
  return 'text' in body ? body.text : undefined;
}

/** Returns the string that is piped to curl because it cannot be a word. Only one part of a form can be piped. */
function pipedText(body: SampleBody): string | undefined {
  const text = 'parts' in body ? body.parts.find(({ value }) => value.includes('\0'))?.value : textOf(body);
  return text !== undefined && !isWord(text) ? text : undefined;
}

/** With --form, curl would read a file if the value starts with an @. */
function partWord({ name, value, isFile }: SamplePart): string {
  if (isFile) return `--form ${quoteWord(`${name}=@${value}`)}`;
  return value.includes('\0') ? `--form ${quoteWord(`${name}=<-`)}` : `--form-string ${quoteWord(`${name}=${value}`)}`;
}

function bodyWords(body: SampleBody): readonly string[] {
  if ('parts' in body) return body.parts.map(partWord);
  if (pipedText(body) !== undefined) return ['--data-binary @-'];
  if ('file' in body) return [`--data-binary ${quoteWord(`@${body.file}`)}`];
  // With --data, curl would read a file if the string starts with an @.
  return [`${'json' in body || 'form' in body ? '--data' : '--data-raw'} ${quoteWord(textOf(body) ?? '')}`];
}

export const curl: Write = (call) => {
  const { method, url, secrets, basic, body } = call;
  const piped = body && pipedText(body);
  return [
    // With --request HEAD, curl would wait for a response body.
    `${piped === undefined ? '' : `printf ${printed(piped)} | `}curl ${method === 'HEAD' ? '--head' : `--request ${method}`}`,
    `--url ${quoteWord(url)}`,
    ...secrets.map(([name, variable]) => `--url-query ${shellText([`${name}=`, { variable }])}`),
    ...(basic ? [`--user "$${basic[0]}:$${basic[1]}"`] : []),
    ...headersBesideForm(call).map(headerText),
    ...(body ? bodyWords(body) : []),
  ].join(' \\\n  ');
};

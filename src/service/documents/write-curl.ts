/** Writes a call as a command of curl for a POSIX shell. */
import { quoteWord } from '../../shell.ts';
import { formText, type Part, type SampleBody } from './sample-body.ts';
import { isSeen, jsonText, type Text } from './sample-text.ts';
import { headersBesideForm, type Write } from './writer.ts';

/** In double quotes, the shell inserts the variables. */
function shellText(text: Text): string {
  const strings = text.filter((piece) => typeof piece === 'string');
  if (strings.length === text.length) return quoteWord(strings.join(''));
  const isSimple = strings.every((piece) => /^[\w :;=.,/-]*$/.test(piece));
  if (isSimple)
    return `"${text.map((piece) => (typeof piece === 'string' ? piece : `\${${piece.variable}}`)).join('')}"`.replace(
      /\$\{(\w+)\}(?!\w)/g,
      '$$$1',
    );
  return text
    .map((piece) => (typeof piece === 'string' ? quoteWord(piece) : `"$${piece.variable}"`))
    .join('');
}

const headerText = ([name, value]: readonly [string, Text]): string =>
  // With a colon, curl would leave out a header without a value.
  `--header ${value.every((piece) => piece === '') ? quoteWord(`${name};`) : shellText([`${name}: `, ...value])}`;

/** A word of the shell cannot have every character, nor more than 128 KiB. */
const isWord = (text: string): boolean => text.length <= 30_000 && isSeen(text.replace(/[\n\t]/g, ''));

const octal = (byte: number): string =>
  byte >= 0x20 && byte < 0x7f && byte !== 0x25 && byte !== 0x5c
    ? String.fromCharCode(byte)
    : `\\${byte.toString(8).padStart(3, '0')}`;

/** The body as bytes that printf writes. */
const printed = (text: string): string =>
  quoteWord([...Buffer.from(text)].map(octal).join('').replaceAll('\\045', '%%'));

/** A body that is one string. */
function textOf(body: SampleBody): string | undefined {
  if ('json' in body) return jsonText(body.json);
  if ('form' in body) return formText(body.form);
  return 'text' in body ? body.text : undefined;
}

/** What is piped to curl because it cannot be a word. Of the parts of a form, this can be only one. */
function pipedText(body: SampleBody): string | undefined {
  const text = 'parts' in body ? body.parts.find(({ value }) => value.includes('\0'))?.value : textOf(body);
  return text !== undefined && !isWord(text) ? text : undefined;
}

/** With --form, a value that starts with an @ would be read as a file. */
function partWord({ name, value, isFile }: Part): string {
  if (isFile) return `--form ${quoteWord(`${name}=@${value}`)}`;
  return value.includes('\0')
    ? `--form ${quoteWord(`${name}=<-`)}`
    : `--form-string ${quoteWord(`${name}=${value}`)}`;
}

function bodyWords(body: SampleBody): readonly string[] {
  if ('parts' in body) return body.parts.map(partWord);
  if (pipedText(body) !== undefined) return ['--data-binary @-'];
  if ('file' in body) return [`--data-binary ${quoteWord(`@${body.file}`)}`];
  // With --data, a string that starts with an @ would be read as a file.
  return [`${'text' in body ? '--data-raw' : '--data'} ${quoteWord(textOf(body) ?? '')}`];
}

export const curl: Write = (call) => {
  const { method, url, secrets, basic, body } = call;
  const piped = body && pipedText(body);
  return [
    // After --request HEAD, curl would wait for a body.
    `${piped === undefined ? '' : `printf ${printed(piped)} | `}curl ${method === 'HEAD' ? '--head' : `--request ${method}`}`,
    `--url ${quoteWord(url)}`,
    ...secrets.map(([name, variable]) => `--url-query ${shellText([`${name}=`, { variable }])}`),
    ...(basic ? [`--user "$${basic[0]}:$${basic[1]}"`] : []),
    ...headersBesideForm(call).map(headerText),
    ...(body ? bodyWords(body) : []),
  ].join(' \\\n  ');
};

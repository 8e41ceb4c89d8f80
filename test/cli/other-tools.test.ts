/** The words of curl, gh and kubectl for a list, a log or a body lead to the command or flag that does it. */
import { expect, test } from 'vitest';
import { dtp, type World } from '../support/context.ts';

const env = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
};

/** The error message and the suggested commands. */
async function told(argv: readonly string[], world: World = {}, code = 2) {
  const ended = await dtp(argv, { ...world, env: { ...env, ...world.env } });
  expect({ code: ended.code, stdout: ended.stdout }, ended.stderr).toEqual({ code, stdout: '' });
  const { message, next = [] } = JSON.parse(ended.stderr).error;
  return { text: ended.stderr, message, next: next.map((one: { command: string }) => one.command) };
}

const words = (line: string) => line.split(' ').slice(1);

test.each<[string, string, string]>([
  ['dtp artifacts list', 'unknown command "dtp artifacts list"', 'dtp artifacts namespaces list'],
  ['dtp artifacts ls --limit 2', 'unknown command "dtp artifacts ls"', 'dtp artifacts namespaces list --limit 2'],
  ['dtp config ls', 'unknown command "dtp config ls"', 'dtp config list'],
  ['dtp events queue ls', 'unknown command "dtp events queue ls"', 'dtp events queue list'],
  ...['--data {}', '--data-raw={}', '--data-binary {}', '-d {}'].map((body): [string, string, string] => [
    `dtp ws create ${body}`,
    `dtp ws create has no flag ${body.split(/[ =]/)[0]}`,
    'dtp ws create --body JSON',
  ]),
  ...['--file', '--filename', '--body-file', '--input'].flatMap((flag): [string, string, string][] => [
    [`dtp events post ${flag} x.ndjson`, `dtp events post has no flag ${flag}`, 'dtp events post --body @x.ndjson'],
    [`dtp events post ${flag} s3cret`, `dtp events post has no flag ${flag}`, 'dtp events post --body @FILE'],
  ]),
  // The preview has a hidden flag --file.
  ...['--filename', '--body-file', '--input'].map((flag): [string, string, string] => [
    `dtp code-samples preview ${flag} a.yaml --language go`,
    `dtp code-samples preview has no flag ${flag}`,
    'dtp code-samples preview FILE --language go',
  ]),
  // `dtp dev` and `dtp reports upload` have a flag of this name.
  ['dtp reports upload a.html --data', '--data needs a value', 'dtp reports upload a.html --data JSON'],
])('%s', async (line, message, next) => {
  expect(await told(words(line))).toMatchObject({ message, next: [next] });
});

test.each(['log', 'logs -o json'])('dtp %s: both commands that show events', async (line) => {
  const more = line.slice(4);
  expect((await told(words(`dtp ${line}`))).next).toEqual([`dtp events search${more}`, `dtp events tail${more}`]);
});

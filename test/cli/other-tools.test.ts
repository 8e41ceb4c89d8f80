/** The words of curl, gh and kubectl for a list, a log or a body lead to the command or flag that does it. */
import { expect, test } from 'vitest';
import { compileQuery } from '../../src/expressions/query.ts';
import { dtp, type World } from '../support/context.ts';

const env = {
  DTP_ERROR_FORMAT: 'json',
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
  ['dtp repo list', 'unknown command "dtp repo"', 'dtp codehost --help'],
  ...['watch'].map((verb): [string, string, string] => [
    `dtp codehost actions ${verb} -R a/b`,
    'unknown command "dtp codehost actions watch"',
    'dtp codehost actions get --watch -R a/b',
  ]),
  ...['list', 'logs', 'status'].map((verb): [string, string, string] => [
    `dtp codehost actions ${verb}`,
    `unknown command "dtp codehost actions ${verb}"`,
    'dtp codehost actions get',
  ]),
  ['dtp run watch', 'unknown command "dtp run"', 'dtp codehost actions get --watch'],
  ['dtp run rerun', 'unknown command "dtp run"', 'dtp codehost actions trigger --wait'],
  ...['--wait', '--exit-status'].map((flag): [string, string, string] => [
    `dtp codehost actions get -R a/b ${flag}`,
    `dtp codehost actions get has no flag ${flag}`,
    'dtp codehost actions get -R a/b --watch',
  ]),
  ...['--watch', '--watch 5s', '--exit-status'].map((flag): [string, string, string] => [
    `dtp codehost actions trigger -R a/b ${flag}`,
    `dtp codehost actions trigger has no flag ${flag.split(' ')[0]}`,
    'dtp codehost actions trigger -R a/b --wait',
  ]),
  // A flag of another kind is not suggested.
  ...['-R', '-R a/b', '-l many', '--wait', '--exit-status'].map((flag): [string, string, string] => [
    `dtp ws list ${flag}`,
    `dtp ws list has no flag ${flag.split(' ')[0]}`,
    'dtp ws list --help',
  ]),
  ['dtp ws list -l 3', 'dtp ws list has no flag -l', 'dtp ws list --limit 3'],
  ['dtp events search --open', 'dtp events search has no flag --open', 'dtp events search --help'],
  [
    'dtp code-samples preview a.yaml -l go',
    'dtp code-samples preview has no flag -l',
    'dtp code-samples preview a.yaml --language go',
  ],
  [
    'dtp events search LINT',
    'too many arguments for dtp events search (it takes none)',
    'dtp events search --type LINT',
  ],
  ['dtp ws get default', 'too many arguments for dtp ws get (it takes none)', 'dtp ws get -w default'],
  ['dtp ws get k3y', 'too many arguments for dtp ws get (it takes none)', 'dtp ws get -w ID'],
  ['dtp api /v1/x --input -', 'dtp api has no flag --input', 'dtp api /v1/x --body -'],
  ['dtp create token ci', 'unknown command "dtp create"', 'dtp ws tokens create --name ci'],
  ['dtp create token s3cret', 'unknown command "dtp create"', 'dtp ws tokens create'],
  ['dtp get tokens', 'unknown command "dtp get"', 'dtp ws tokens list'],
  ['dtp tokens revoke x', 'unknown command "dtp tokens revoke"', 'dtp ws tokens delete x'],
  ['dtp tags create a', 'unknown command "dtp tags create"', 'dtp artifacts tags add a'],
  ['dtp config view', 'unknown command "dtp config view"', 'dtp config explain'],
])('%s', async (line, message, next) => {
  expect(await told(words(line))).toMatchObject({ message, next: [next] });
});

test('dtp use: a profile or a workspace', async () => {
  expect((await told(['use', 'work'])).next).toEqual(['dtp config use work', 'dtp ws use work']);
});

test.each([
  ['.[].name', "'[].name'"],
  ['.[]|.name', "'[].name'"],
  ['.[] | .owner.name', "'[].owner.name'"],
  ['.[0]', "'[0]'"],
  ['[].name', "'[].name'"],
  ['.', '@'],
  ['.[] | {name}', 'EXPRESSION'],
  ['.[] | select(.token == "s3cret")', 'EXPRESSION'],
])('an expression of jq, which becomes JMESPath: %s', async (jq, expression) => {
  const { text, next } = await told(['ws', 'list', '--json', 'id,name', `--jsonpath=${jq}`]);
  expect(text).toContain('Use --query (JMESPath) or --jq');
  expect(next).toEqual([`dtp ws list --json --query ${expression}`]);
  const typed = expression === 'EXPRESSION' ? expression : jq === '.' ? jq : `'${jq}'`;
  expect((await told(['ws', 'list', '-q', jq])).next).toEqual([`dtp ws list --jq ${typed}`]);
  expect((await told(['ws', 'list', '--json', 'id,name', '--jq', jq])).next.join()).toMatch(
    /^dtp ws list --json --jq \S/,
  );
  if (expression !== 'EXPRESSION') expect(compileQuery(expression.replaceAll("'", ''))).toBeInstanceOf(Function);
});

test.each(['log', 'logs -o json'])('dtp %s: both commands that show events', async (line) => {
  const more = line.slice(4);
  expect((await told(words(`dtp ${line}`))).next).toEqual([`dtp events search${more}`, `dtp events tail${more}`]);
});

/** A wrong word, flag or value gives one sentence and a corrected line, which never repeats a possible secret. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { service } from '../support/function-service.ts';

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

test.each([
  // A misspelled command at any level.
  ['dtp wss list', 'unknown command "dtp wss"', 'dtp ws list'],
  ['dtp ws lisst', 'unknown command "dtp ws lisst"', 'dtp ws list'],
  ['dtp ws tokens craete --name ci', 'unknown command "dtp ws tokens craete"', 'dtp ws tokens create --name ci'],
  ['dtp evnts serach --limit 3', 'unknown command "dtp evnts"', 'dtp events search --limit 3'],
  ['dtp -o json evnts search', 'unknown command "dtp evnts"', 'dtp -o json events search'],
  // Under another noun, or in another order.
  ['dtp usage get --chart', 'unknown command "dtp usage"', 'dtp orgs usage get --chart'],
  ['dtp evnt search', 'unknown command "dtp evnt"', 'dtp events search'],
  ['dtp ws list tokens', 'too many arguments for dtp ws list (it takes none)', 'dtp ws tokens list'],
  ['dtp create token', 'unknown command "dtp create"', 'dtp ws tokens create'],
  ['dtp pull pets:v1 -O x', 'unknown command "dtp pull"', 'dtp artifacts pull pets:v1 -O x'],
  ['dtp ws list help', 'too many arguments for dtp ws list (it takes none)', 'dtp help ws list'],
  ['dtp help usage get', 'unknown command or topic "usage get"', 'dtp help orgs usage get'],
  ['dtp schema tokns list', 'unknown command "tokns list"', 'dtp schema ws tokens list'],
  ['dtp help enviroment', 'unknown command or topic "enviroment"', 'dtp help environment'],
  // Nothing similar exists.
  ['dtp ws nope', 'unknown command "dtp ws nope"', 'dtp ws --help'],
  ['dtp help ws nope', 'unknown command or topic "ws nope"', 'dtp help ws'],
  ['dtp frobnicate', 'unknown command "dtp frobnicate"', 'dtp --help'],
  ['dtp get', 'unknown command "dtp get"', 'dtp --help'],
  ['dtp ws get w_1', 'too many arguments for dtp ws get (it takes none)', 'dtp ws get -w ID'],
  [
    'dtp ws update w_2 --name x',
    'too many arguments for dtp ws update (it takes none)',
    'dtp ws update --name x -w ID',
  ],
  ['dtp artifacts pull pets v1', 'too many arguments for dtp artifacts pull (it takes 1)', 'dtp artifacts pull --help'],
  // A switch with a value is never inverted.
  [
    'dtp artifacts namespaces set-visibility pets --public false',
    '--public does not take a value (its opposite is --no-public)',
    'dtp artifacts namespaces set-visibility pets --no-public',
  ],
  [
    'dtp artifacts namespaces archive pets --archived false',
    '--archived does not take a value (its opposite is --no-archived)',
    'dtp artifacts namespaces archive pets --no-archived',
  ],
  [
    'dtp events post --success false --id a',
    '--success does not take a value (its opposite is --no-success)',
    'dtp events post --no-success --id a',
  ],
  [
    'dtp events search --success true',
    '--success does not take a value (its opposite is --no-success)',
    'dtp events search --success',
  ],
  [
    'dtp artifacts namespaces set-visibility pets --public=maybe',
    '--public does not take a value (its opposite is --no-public)',
    'dtp artifacts namespaces set-visibility --help',
  ],
  // Unknown flags.
  ['dtp ws list --worspace x', 'dtp ws list has no flag --worspace', 'dtp ws list --workspace ID'],
  ['dtp events serach --lmit 3', 'unknown command "dtp events serach"', 'dtp events search --limit 3'],
  ['dtp events search --sucess', 'dtp events search has no flag --sucess', 'dtp events search --success'],
  ['dtp events search --no-sucess', 'dtp events search has no flag --no-sucess', 'dtp events search --no-success'],
  [
    'dtp events search --success=false',
    '--success does not take a value (its opposite is --no-success)',
    'dtp events search --no-success',
  ],
  ['dtp events search --sucess=false', 'dtp events search has no flag --sucess', 'dtp events search --no-success'],
  [
    'dtp --success=true events search',
    '--success does not take a value (its opposite is --no-success)',
    'dtp events search --success',
  ],
  ['dtp ws list --insecure=no', '--insecure does not take a value', 'dtp ws list'],
  [
    'dtp ws list --query --json',
    '--query needs a value, but --json is a flag',
    'dtp ws list --query EXPRESSION --json',
  ],
  [
    'dtp events search --interaction x',
    'dtp events search has no flag --interaction',
    'dtp events search --interaction-type STRING',
  ],
  ['dtp --limit 5 events search', '--limit must come after the command', 'dtp events search --limit 5'],
  ['dtp ws list --frobnicate', 'dtp ws list has no flag --frobnicate', 'dtp ws list --help'],
  ['dtp dev --ephemerl -- make', 'dtp dev has no flag --ephemerl', 'dtp dev --ephemeral -- make'],
  ['dtp events search --limit', '--limit needs a value', 'dtp events search --limit NUMBER'],
  [
    'dtp events search --limit --success',
    '--limit needs a value, but --success is a flag',
    'dtp events search --limit NUMBER --success',
  ],
  ['dtp artifacts push spec', 'missing argument: NAMESPACE:TAG', 'dtp artifacts push spec NAMESPACE:TAG'],
  ['dtp config set workspace', 'missing argument: VALUE', 'dtp config set workspace VALUE'],
  // Invalid values.
  [
    'dtp ws list -o jsn',
    '--output must be table, json, yaml, toon, ndjson, csv, tsv, name or raw, not "jsn"',
    'dtp ws list -o json',
  ],
  [
    'dtp ws list --output=JSON',
    '--output must be table, json, yaml, toon, ndjson, csv, tsv, name or raw, not "JSON"',
    'dtp ws list --output=json',
  ],
  [
    'dtp ws list -oyml',
    '--output must be table, json, yaml, toon, ndjson, csv, tsv, name or raw, not "yml"',
    'dtp ws list -oyaml',
  ],
  // Words of other tools.
  [
    'dtp events search -o jsonl',
    '--output must be table, json, yaml, toon, ndjson, csv, tsv, name or raw, not "jsonl"',
    'dtp events search -o ndjson',
  ],
  ...['-o wide', '-owide', '--output=wide', '--output wide'].map((format): [string, string, string] => [
    `dtp ws list ${format} --limit 3`,
    'every column in full is --wide, not a format',
    'dtp ws list --limit 3 --wide',
  ]),
  ['dtp ws list --filter a', 'dtp ws list has no flag --filter', 'dtp ws list --query EXPRESSION'],
  ['dtp ws list --columns a', 'dtp ws list has no flag --columns', 'dtp ws list --fields NAMES'],
  ['dtp ws list -l 5', 'dtp ws list has no flag -l', 'dtp ws list --limit 5'],
  ['dtp ws list --format json', 'dtp ws list has no flag --format', 'dtp ws list --output json'],
  ['dtp ws list --format jsn', 'dtp ws list has no flag --format', 'dtp ws list --output FORMAT'],
  ['dtp ws list --retries 3', 'dtp ws list has no flag --retries', 'dtp ws list --retry 3'],
  [
    'dtp code-samples preview a.yaml --lang go',
    'dtp code-samples preview has no flag --lang',
    'dtp code-samples preview a.yaml --language go',
  ],
  // Only dtp itself has a version.
  [
    'dtp codehost actions trigger --version 1.4.0',
    'dtp codehost actions trigger has no flag --version',
    'dtp codehost actions trigger --set-version STRING',
  ],
  [
    'dtp artifacts push a.yaml pets:v1 --version=1.0',
    'dtp artifacts push has no flag --version',
    'dtp artifacts push --help',
  ],
  ['dtp ws list -V', 'dtp ws list has no flag -V', 'dtp ws list --verbose'],
  ['dtp sample openapi.yaml', 'unknown command "dtp sample"', 'dtp code-samples --help'],
  [
    'dtp ws tokens create ci',
    'too many arguments for dtp ws tokens create (it takes none)',
    'dtp ws tokens create --name NAME',
  ],
  ['dtp ws view', 'unknown command "dtp ws view"', 'dtp ws get'],
  ['dtp ws switch pets', 'unknown command "dtp ws switch"', 'dtp ws use pets'],
  ['dtp tokens new --name x', 'unknown command "dtp tokens new"', 'dtp ws tokens create --name x'],
  ['dtp events find', 'unknown command "dtp events find"', 'dtp events search'],
  [
    'dtp auth login --scheme apikey',
    '--scheme must be api-key, bearer or workspace-identifier, not "apikey"',
    'dtp auth login --scheme api-key',
  ],
  [
    'dtp schema-store create --format ymal',
    '--format must be json or yaml, not "ymal"',
    'dtp schema-store create --format yaml',
  ],
  ['dtp config get base-url', 'unknown setting "base-url"', 'dtp config get base_url'],
  [
    'dtp config set output jsn',
    'output must be table, json, yaml, toon, ndjson, csv, tsv, name or raw',
    'dtp config set output json',
  ],
])('%s', async (line, message, next) => {
  expect(await told(words(line))).toMatchObject({ message, next: [next] });
});

test('help of an unknown command is an error, wherever the flag is', async () => {
  for (const line of ['dtp foo --help', 'dtp -h foo', 'dtp ws foo bar -h', 'dtp ws tokns --help'])
    expect((await told(words(line))).message).toMatch(/^unknown command "dtp /);
  for (const line of ['dtp ws list extra --help', 'dtp --help', 'dtp ws --help'])
    expect((await dtp(words(line))).code).toBe(0);
});

test('the error for a workspace passed as an argument names its flag', async () => {
  for (const line of ['dtp ws get w_1', 'dtp tokens ls w_1'])
    expect((await told(words(line))).text).toContain('Select the workspace with -w ID.');
  expect((await told(words('dtp ws list w_1'))).text).not.toContain('-w ID');
});

test('without a similar value, the error lists the valid ones and suggests no command', async () => {
  expect(await told(['ws', 'list', '-o', 'protobuf'])).toMatchObject({ next: [] });
});

test('an unknown topic lists the topics too', async () => {
  const { text } = await told(['help', 'nope']);
  expect(text).toMatch(/ws\. Topics: concepts, flags, environment, .*topics\./);
  expect((await told(['schema', 'nope'])).text).not.toContain('Topics');
});

test('a profile', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'config'), { mode: 0o700 });
  writeFileSync(join(home, 'config', 'config.json'), '{"profiles":{"staging":{}}}', { mode: 0o600 });
  const world = { home };
  expect((await told(['ws', 'list', '--profile', 'stagin'], world, 3)).next).toEqual(['dtp ws list --profile staging']);
  expect((await told(['ws', 'list'], { ...world, env: { DTP_PROFILE: 'satging' } }, 3)).next).toEqual([
    'dtp ws list --profile staging',
  ]);
  expect((await told(['config', 'use', 'stging'], world)).next).toEqual(['dtp config use staging']);
  expect((await told(['ws', 'list', '--profile', 'production'], world, 3)).next).toEqual(['dtp config list']);
});

test.each([
  ['auth login --token hunter22', 'dtp auth login --with-token < FILE'],
  ['auth login --token=hunter22', 'dtp auth login --with-token < FILE'],
  ['auth login --with-tokn hunter22', 'dtp auth login --with-token'],
  ['auth login --with-tokn=hunter22', 'dtp auth login --with-token'],
  ['auth login hunter22', 'dtp auth login --help'],
  ['login hunter22', 'dtp login --help'],
  ['-phunter22 ws list', 'dtp ws list --help'],
  ['ws list --worspace hunter22', 'dtp ws list --workspace ID'],
  ['ws tokens create --nam hunter22', 'dtp ws tokens create --name STRING'],
  ['ws tokns create --frob hunter22', 'dtp ws tokens create --frob VALUE'],
  ['ws tokens create --nme x --key hunter22', 'dtp ws tokens create --name STRING --key STRING'],
  ['ws tokns create --key=hunter22', 'dtp ws tokens create --key=STRING'],
  ['ws tokns create -F key=hunter22', 'dtp ws tokens create -F NAME=VALUE'],
  ['ws tokns create --body {"key":"hunter22"}', 'dtp ws tokens create --body JSON'],
  ['ap /v1/user -H x-api-key:hunter22', 'dtp api /v1/user -H TEXT'],
  ['ap /v1/user?token=hunter22', 'dtp api VALUE'],
  ['ws list --frob hunter22 -o jsn', 'dtp ws list --frob VALUE -o json'],
  ['config set credential_comand hunter22', 'dtp config set credential_command VALUE'],
])('a possible secret is not repeated: %s', async (line, next) => {
  const { text, next: all } = await told(line.split(' '));
  expect(text).not.toContain('hunter22');
  expect(all).toEqual([next]);
});

test('an invalid value of an argument with choices', async () => {
  for (const [shell, next] of [
    ['bsh', ['dtp completion bash']],
    ['nushell', []],
  ] as const) {
    const { message, next: all } = await told(['completion', shell]);
    expect(message).toBe(`SHELL must be bash, zsh, fish or powershell, not "${shell}"`);
    expect(all).toEqual(next);
  }
});

test('an unknown record value is sent, with a note', async () => {
  const sent: string[] = [];
  const { openSend } = service(({ url }) => {
    sent.push(url);
    return [200, []];
  });
  const world: World = { env: { ...env, DTP_ERROR_FORMAT: 'text' }, openSend };
  const near = await dtp(['events', 'search', '--interaction-type', 'CLIEXEC'], world);
  expect(near.stderr).toBe('warning: unknown --type "CLIEXEC" (did you mean "CLI_EXEC"?); sending it anyway\n');
  const far = await dtp(['events', 'search', '--interaction-type', 'DEPLOYMENT'], world);
  const odd = await dtp(['events', 'search', '--type', 'LINT,CLI_EXEC'], world);
  expect(odd.stderr).toBe('warning: unknown --type "LINT,CLI_EXEC"; sending it anyway\n');
  const known = await dtp(['events', 'search', '--interaction-type', 'CLI_EXEC'], world);
  const words = expect.stringContaining('unknown --type "DEPLOYMENT" (known: CI_EXEC, CLI_EXEC, LINT,');
  expect([near.code, far.code, known.code, far.stderr, known.stderr]).toEqual([0, 0, 0, words, '']);
  expect(sent.map((url) => new URL(url).searchParams.get('interaction_type'))).toEqual([
    'CLIEXEC',
    'DEPLOYMENT',
    'LINT,CLI_EXEC',
    'CLI_EXEC',
  ]);
});

/** The API's name of a field is a flag of its command, also if a global flag has the same name. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { completionScript } from '../../src/describe/completions/index.ts';
import { memberTypes, typeOf } from '../../src/operations/field-types.ts';
import { settingFields } from '../../src/settings/keys.ts';
import { readLine } from '../../src/tree/line.ts';
import { rootCommand, runnableBelow } from '../../src/tree/tree.ts';
import { kebab } from '../../src/tree/vocabulary.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { connectMcp } from '../support/mcp.ts';
import { openEcho } from '../support/recording-service.ts';

const commands = runnableBelow(rootCommand);
const globalFlags = rootCommand.flags.map(({ name }) => name);

/** The names of all fields with the flags that have them. Path fields are arguments, and settings have flags for all. */
const fields = commands.flatMap(({ operation, words }) =>
  Object.entries(operation?.input ?? {}).flatMap(([name, field]) =>
    field.in === 'path' || (field.in === 'query' && name in settingFields)
      ? []
      : [name, ...memberTypes(typeOf(field)).map(([member]) => member)].map(
          (one) => [words.join(' '), one, name] as const,
        ),
  ),
);

test('every field of every operation has a flag with its name, which sets this field', () => {
  expect(fields.length).toBeGreaterThan(200);
  const lost = fields.filter(([command, one, name]) => {
    const argv = [...command.split(' '), `--${kebab(one)}=x`];
    const { command: entry } = readLine(argv);
    return entry.flags.find((flag) => flag.name === `--${kebab(one)}`)?.field !== name;
  });
  expect(lost).toEqual([]);
});

test('no command has two flags with one name, and these two have the name of a global flag', () => {
  const names = commands.flatMap(({ words, flags }) => flags.map(({ name }) => `${words.join(' ')} ${name}`));
  expect(names.filter((one, at) => names.indexOf(one) !== at)).toEqual([]);
  const clashes = names.filter((one) =>
    [...globalFlags, '--help'].includes((one.split(' ').at(-1) ?? '') as `--${string}`),
  );
  expect(clashes).toEqual(['artifacts remote-sources create --output', 'codehost actions trigger --force']);
});

const trigger = ['codehost', 'actions', 'trigger', '-R', 'acme/sdk', '--lock-id', 'lock-1'];
const create = ['artifacts', 'remote-sources', 'create', '--inputs', '[]'];
const merged = '{"registry_url":"merged"}';
const output = { registry_url: 'merged' };

/** The body of the request that would be sent, and what was printed around it. */
async function requestOf(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  home = temporaryFolder(),
) {
  const world = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k', DTP_ERROR_FORMAT: 'text', ...env };
  const ended = await dtp([...argv, '--dry-run'], { home, env: world });
  expect(ended.code, ended.stderr).toBe(0);
  return ended.stdout;
}
const bodyOf = async (argv: readonly string[]) => JSON.parse(await requestOf([...argv, '-o', 'json'])).body;

test.each<readonly [argv: readonly string[], force: boolean | undefined]>([
  [trigger, undefined],
  [[...trigger, '--force'], true],
  [[...trigger, '--no-force'], false],
  [[...trigger.slice(0, 3), '--force', ...trigger.slice(3)], true],
  // These are the earlier names.
  [[...trigger, '--force-generation'], true],
  [[...trigger, '--no-force-generation'], false],
  // In front of the command, a flag is global.
  [['--force', ...trigger], undefined],
  [['codehost', '--force', ...trigger.slice(1)], undefined],
  [['--force', ...trigger, '--force'], true],
  [[...trigger, '-F', 'force=true'], true],
])('%j forces: %j', async (argv, force) => {
  expect((await bodyOf(argv)).force).toBe(force);
});

test('in front of the command, --force replaces the file of -O, and after it does not', async () => {
  const home = temporaryFolder();
  const file = join(home, 'out.json');
  const write = (argv: readonly string[]) => {
    writeFileSync(file, 'old');
    const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k' };
    return dtp([...argv, '--dry-run', '-O', file], { home, env });
  };
  expect((await write(['--force', ...trigger])).code).toBe(0);
  expect((await write([...trigger, '--force'])).code).toBe(2);
});

test.each([
  [[...create, '--output', merged]],
  [[...create, `--output=${merged}`]],
  [[...create, '--output-value', merged]],
  [['--output', 'json', ...create, '--output', merged]],
  [[...create, '--body', '{"output":{"registry_url":"other"}}', '--output', merged]],
])('%j sets the field output', async (argv) => {
  expect((await bodyOf(argv)).output).toEqual(output);
});

test('the format of the output is set in front of the command, with -o, a variable or a file', async () => {
  const argv = [...create, '--output', merged];
  const yaml = /^method: POST$/m;
  const home = temporaryFolder();
  writeFileSync(join(home, '.dtp.json'), '{"output":"yaml"}');
  for (const text of [
    await requestOf(['--output', 'yaml', ...argv]),
    await requestOf([...argv, '-o', 'yaml']),
    await requestOf(argv, { DTP_OUTPUT: 'yaml' }),
    await requestOf(argv, {}, home),
  ])
    expect(text).toMatch(yaml);
});

test.each([
  ['artifacts revisions list pets --next-page-token t_2', 'next_page_token=t_2'],
  ['artifacts revisions list pets --page-token t_2', 'next_page_token=t_2'],
  ['suggest registry pets v1 --x-session-id s-1', '"x-session-id":"s-1"'],
  ['suggest registry pets v1 --session-id s-1', '"x-session-id":"s-1"'],
])('dtp %s', async (line, part) => {
  expect((await requestOf([...line.split(' '), '-o', 'json'])).replaceAll(/\s/g, '')).toContain(part);
});

describe('what shows the flags', () => {
  test('the help says where the global flag goes', async () => {
    for (const [words, name, meaning] of [
      [trigger, '--[no-]force', 'generate even if nothing changed'],
      [create, '--output', 'where the merged document is stored'],
    ] as const) {
      const { stdout } = await dtp([...words.slice(0, 3), '--help']);
      const global = name.replace('[no-]', '');
      expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
        new RegExp(
          `${name.replace(/[[\]]/g, '\\$&')}[^-]* ${meaning} \\(the global ${global} goes in front of the command\\)`,
        ),
      );
      expect(stdout).not.toMatch(/force-generation|output-value/);
    }
  });

  test('completions offer the values of the global flag, except where a field has its name', () => {
    const script = completionScript('bash');
    const at = (pattern: string) => script.indexOf(pattern);
    expect(at("'artifacts remote-sources create --output'")).toBeGreaterThan(0);
    // The script uses the first match.
    expect(at("'artifacts remote-sources create --output'")).toBeLessThan(at("*' --output'"));
  });

  test('the schema has the flag of the command', async () => {
    const { stdout } = await dtp(['schema', ...create.slice(0, 3), '-o', 'json']);
    expect(stdout).toMatch(/"name": "--output",\s+"value": "json"/);
  });

  test('a correction keeps the field', async () => {
    const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k', DTP_ERROR_FORMAT: 'text' };
    const { code, stderr } = await dtp([...trigger, '--forse'], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('lock-1 --force-generation\n')]);
    const format = await dtp([...create, '--format', 'json'], { env });
    expect([format.code, format.stderr]).toEqual([2, expect.stringContaining(" --inputs '[]' -o json\n")]);
    // Otherwise, a suggestion with the words of the user would leave it out, because it never confirms anything.
    expect(readLine([...trigger, '--force', '--force=false']).argv).toEqual([
      ...trigger,
      '--force-generation',
      '--force-generation=false',
    ]);
  });

  test('the inputs of a tool are fields', async () => {
    const service = await openEcho(() => [204, '']);
    const env = { DTP_BASE_URL: service.address, DTP_API_KEY: 'k' };
    const server = await connectMcp(temporaryFolder(), ['mcp', '--allow-writes'], { env });
    onTestFinished(async () => {
      await server.close();
      service.close();
    });
    const run = { org: 'acme', repo_name: 'sdk', gen_lock_id: 'lock-1', force: true };
    const source = { inputs: [{ registry_url: 'pets' }], output };
    for (const [tool, inputs] of [
      ['codehost_actions_trigger', run],
      ['artifacts_remote_sources_create', source],
    ] as const)
      expect((await server.call(tool, inputs)).isError).toBe(false);
    expect(service.asked.map(({ body }) => JSON.parse(body))).toEqual([run, source]);
  });
});

test('a command without such a field has the global flags only', () => {
  const argv = ['ws', 'list', '--output', 'json', '--force'];
  expect(readLine(argv).argv).toEqual(argv);
});

/** `dtp schema`: its output is valid according to its JSON Schema, and agrees with the operations and the command tree. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { longName } from '../../src/declarations/flag.ts';
import { describe as describeCommand, globalFlagRecords } from '../../src/describe/describe.ts';
import { jsonSchema } from '../../src/describe/json-schema.ts';
import { schemaOf, wholeSchema } from '../../src/describe/schema.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { settingRows } from '../../src/settings/keys.ts';
import { flagsOf } from '../../src/tree/operation-flags.ts';
import { allBelow, rootCommand, runnableBelow } from '../../src/tree/tree.ts';
import { dtp } from '../support/context.ts';

const validate = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(jsonSchema);

/** The errors in a document, according to the schema. */
const faults = (document: unknown) => (validate(document) ? [] : (validate.errors ?? []));

// As it is printed: without the fields that JSON omits.
const printed = (document: unknown) => JSON.parse(JSON.stringify(document)) as Record<string, unknown>;

const all = allBelow(rootCommand);

describe('matches its schema', () => {
  test.each(all.map((command) => [command.words.join(' ') || 'dtp', command] as const))('%s', (_, command) => {
    expect(faults(printed(schemaOf(command)))).toEqual([]);
  });

  test('everything at once', () => {
    expect(faults(printed(wholeSchema()))).toEqual([]);
  });

  test('unless it is invalid', () => {
    const record = printed(schemaOf(runnableBelow(rootCommand)[0] as (typeof all)[number]));
    expect(faults(record)).toEqual([]);
    for (const wrong of [{}, { ...record, flags: [{}] }, { ...record, surprise: 1 }, { ...record, effect: 'maybe' }])
      expect(faults(wrong).length).toBeGreaterThan(0);
  });
});

test.each(Object.values(operations) as readonly Operation[])('$id has a record', (operation) => {
  const command = runnableBelow(rootCommand).find((one) => one.words.join(' ') === operation.command.join(' '));
  const record = describeCommand(command as NonNullable<typeof command>);
  expect(record).toMatchObject({
    operation: operation.id,
    method: operation.method,
    path: operation.path,
    result: operation.result,
    summary: operation.summary,
  });
  expect(record.effect).toBe(operation.effect ?? (operation.method === 'GET' ? 'read' : 'write'));
  expect(record.deprecated).toBe(operation.deprecated);
  expect(record.simplified).toBe(operation.simplified);
  expect(record.retry?.statuses).toEqual(operation.retry?.statuses);
  expect(record.retry?.statuses_with_retry_after).toEqual(operation.retry && [429]);
  const names = record.flags.map(({ name }) => name);
  // A flag whose value is an argument, or part of --repo, is not shown.
  for (const flag of flagsOf(operation))
    expect(names.includes(`--${flag.name}`), flag.name).toBe(
      flag.setBy !== 'service' && flag.label === `--${flag.name}`,
    );
  expect(record.exit_codes.map(({ code }) => code).includes(8)).toBe(
    operation.flow === 'wait' || operation.flow === 'run',
  );
  expect(record.exit_codes.map(({ code }) => code).includes(75)).toBe(operation.flow === 'spool');
});

const flagsFor = (words: string) => {
  const found = runnableBelow(rootCommand).find((one) => one.words.join(' ') === words);
  const { flags } = describeCommand(found as NonNullable<typeof found>);
  return Object.fromEntries(flags.map((flag) => [flag.name, flag]));
};

test('a flag has its type, its values, and whether it is required', () => {
  const search = flagsFor('events search');
  expect(search['--limit']).toMatchObject({
    type: 'integer',
    value: 'number',
    required: false,
    repeatable: false,
  });
  expect(search['--success']).toMatchObject({ type: 'boolean', negatable: true });
  expect(search['--type']?.known_values).toContain('CLI_EXEC');
  expect(search['--type']?.enum).toBeUndefined();
  const token = flagsFor('publishing-tokens create');
  expect(token['--valid-until']).toMatchObject({ type: 'datetime', required: true, group: 'required' });
  const store = flagsFor('schema-store create');
  expect(store['--format']).toMatchObject({ enum: ['json', 'yaml'], required: false });
  expect(store['--spec']).toBeUndefined();
  expect(flagsFor('orgs add-ons create')['--add-ons']).toMatchObject({ repeatable: true, group: 'members' });
  expect(flagsFor('artifacts namespaces archive')['--archived']).toMatchObject({ default: true });
  expect(flagsFor('events post')['--batch-size']).toMatchObject({
    default: '500',
    group: 'flow',
    type: 'integer',
  });
  expect(flagsFor('artifacts push')['--tag']).toMatchObject({ repeatable: true });
  expect(flagsFor('serve')['--fail']).toMatchObject({ repeatable: true });
});

test('a session id is not required, because the tool creates it', () => {
  expect(flagsFor('suggest registry')['--session-id']).toMatchObject({ required: false });
});

test('the global flags have their variables', () => {
  const globals = Object.fromEntries(globalFlagRecords.map((flag) => [flag.name, flag]));
  for (const { flag, env } of Object.values(settingRows)) {
    if (flag === undefined || env === undefined) continue;
    const name = longName(flag);
    expect(globals[name]?.env, name).toEqual(expect.arrayContaining([...env]));
  }
  expect(globals['--no-input']?.env).toEqual(['DTP_NO_INPUT']);
  expect(globals['--output']?.enum).toContain('ndjson');
  expect(globals['--output']?.short).toBe('-o');
});

test('every local command has an effect', () => {
  const own = runnableBelow(rootCommand)
    .map(describeCommand)
    .filter(({ operation }) => operation === undefined);
  expect(own.length).toBeGreaterThan(15);
  expect(Object.fromEntries(own.map(({ command, effect }) => [command, effect]))).toMatchObject({
    'events queue drop': 'destroy',
    'config list': 'read',
    'config set': 'write',
    'auth status': 'read',
  });
});

describe('the output', () => {
  const json = async (...argv: string[]) => {
    const ended = await dtp(argv);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    return JSON.parse(ended.stdout);
  };

  test('is an index, a noun, a command, everything, or the schema itself', async () => {
    const index = await json('schema');
    expect(index).toMatchObject({ schema_version: 1, kind: 'index' });
    expect(index.commands).toHaveLength(runnableBelow(rootCommand).length);
    expect(index.commands).toContainEqual({
      command: 'ws tokens create',
      summary: 'Create a workspace token',
      effect: 'write',
      operation: 'createWorkspaceToken',
    });
    const group = await json('schema', 'ws', 'tokens');
    expect(group.commands.map((one: { command: string }) => one.command)).toEqual([
      'ws tokens create',
      'ws tokens delete',
      'ws tokens list',
    ]);
    expect(await json('schema', 'ws', 'tokens', 'create')).toEqual(
      printed(
        schemaOf(
          runnableBelow(rootCommand).find((one) => one.words.join(' ') === 'ws tokens create') as (typeof all)[number],
        ),
      ),
    );
    expect((await json('schema', '--all')).commands).toHaveLength(runnableBelow(rootCommand).length);
    expect(await json('schema', '--json-schema')).toEqual(printed(jsonSchema));
  });

  test.each([[['--json']], [['-o', 'json']]])('of dtp COMMAND --help %j is the same record', async (format) => {
    const record = await json('schema', 'ws', 'tokens', 'create');
    expect(await json('ws', 'tokens', 'create', '--help', ...format)).toEqual(record);
    expect(await json('help', 'ws', 'tokens', 'create', ...format)).toEqual(record);
    expect(await json('--help', ...format)).toEqual(await json('schema'));
    expect(await json('ws', '--help', ...format)).toEqual(await json('schema', 'ws'));
  });

  test('can be queried, shortened and formatted like any result', async () => {
    const required = await dtp(['schema', 'code-samples', 'get', '-r', '--query', 'flags[?required].name']);
    expect(required.stdout).toBe('--registry-url\n');
    const csv = await dtp(['schema', '-o', 'csv', '--fields', 'command,effect']);
    expect(csv.stdout.split('\n').slice(0, 2)).toEqual(['command,effect', 'api,write']);
    const table = await dtp(['schema', 'ws'], { tty: true, env: { NO_COLOR: '1' } });
    expect(table.stdout).toMatch(/^COMMAND +EFFECT +SUMMARY\nws create +write +Create a workspace\n/);
  });

  test('cannot be two of these at once', async () => {
    expect(await dtp(['schema', 'ws', '--all'])).toMatchObject({ code: 2, stdout: '' });
    expect(await dtp(['schema', '--json-schema', '--all'])).toMatchObject({ code: 2, stdout: '' });
  });
});

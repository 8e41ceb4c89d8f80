/** A tool takes the same values as inputs that its command takes as flags, under the same names. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toolName, toolOf } from '../../src/mcp/tools.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { openSend } from '../../src/transport/send.ts';
import { argumentsOf, type Flag } from '../../src/tree/operation-flags.ts';
import { dtp } from '../support/context.ts';
import { type Connected, connectMcp } from '../support/mcp.ts';
import { home } from '../support/process.ts';
import { type Asked, type Echo, openEcho } from '../support/recording-service.ts';
import {
  declaredOf,
  everyOperation,
  sampleFile,
  sampleFlags,
  sampleLine,
  sampleOf,
  writeSampleFile,
} from '../support/samples.ts';

const { folder, remove } = home();
let echo: Echo;
let server: Connected;
const env = () => ({
  DTP_BASE_URL: echo.address,
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
  DTP_ORGANIZATION_SLUG: 'o',
  DTP_WORKSPACE_SLUG: 'w',
});
beforeAll(async () => {
  writeSampleFile(folder);
  echo = await openEcho(({ path }) => [200, path === '/v1/artifacts/preflight' ? '{"auth_token":"t"}' : '{}']);
  server = await connectMcp(folder, ['mcp', '--allow-writes'], { env: env() });
});
afterAll(async () => {
  await server.close();
  echo.close();
  remove();
});

/** Record fields with the same name as a path parameter, which a tool takes only in the body. */
const inBodyAlone = ['workspace_id'];

const flagsFor = (operation: Operation): readonly Flag[] =>
  sampleFlags(operation).filter(({ member = '' }) => !inBodyAlone.includes(member));

function argsFor(operation: Operation): Record<string, unknown> {
  const given = flagsFor(operation).map((flag) => {
    const value = flag.kind === 'file' ? sampleFile : sampleOf(operation, flag).value;
    return [flag.member ?? flag.field, value] as const;
  });
  return {
    ...Object.fromEntries(argumentsOf(operation).map(([name]) => [name, 'x_1'])),
    ...Object.fromEntries(given),
  };
}

/** What distinguishes one request from another. The boundary of a form is different each time. */
function shown({ method, path, query, body }: Asked) {
  const [, boundary = ''] = /^--(\S+)\r\n/.exec(body) ?? [];
  return { method, path, query: [...query], body: boundary === '' ? body : body.replaceAll(boundary, 'b') };
}

async function overCommand(operation: Operation): Promise<readonly unknown[]> {
  const start = echo.asked.length;
  // Tools do not see keys, so they do not look them up.
  const lookup = operation.id === 'createWorkspaceToken' ? ['--no-lookup'] : [];
  const ended = await dtp([...sampleLine(operation, flagsFor(operation)), ...lookup], {
    home: folder,
    env: env(),
    openSend: async (options) => openSend(options),
  });
  expect(ended.code, ended.stderr).not.toBe(2);
  return echo.asked.slice(start).map(shown);
}

async function overTool(operation: Operation, args: Record<string, unknown>): Promise<readonly unknown[]> {
  const name = toolName(operation.command);
  const start = echo.asked.length;
  let called = await server.call(name, args);
  const confirm = /confirm set to (".*")\.$/.exec(called.value?.hint ?? '')?.[1];
  if (confirm !== undefined) called = await server.call(name, { ...args, confirm: JSON.parse(confirm) });
  expect(called.value?.code, JSON.stringify(called.value)).not.toBe('usage');
  return echo.asked.slice(start).map(shown);
}

describe('a tool sends what its command sends', () => {
  test.each(everyOperation.map((one) => [one.id, one] as const))('%s', async (_, operation) => {
    const sent = await overCommand(operation);
    expect(sent.length).toBeGreaterThan(0);
    expect(await overTool(operation, argsFor(operation))).toEqual(sent);
  });
});

/** A tool has these inputs, but its schema does not list them, to be short. */
function isUnlisted(operation: Operation, { field, member, setBy }: Flag): boolean {
  if (setBy === 'service' || (operation.flow === 'spool' && member !== undefined)) return true;
  const hasInputs = flagsFor(operation).some((one) => one.field === field && one.member !== undefined);
  const place = operation.input[field]?.in;
  return member === undefined && (hasInputs || place === undefined || place === 'header' || field.endsWith('_slug'));
}

describe('every usual input of a tool is declared, and a wrong one is refused like the flag', () => {
  test.each(everyOperation.map((one) => [one.id, one] as const))('%s', async (_, operation) => {
    const { properties } = toolOf('x', operation).inputSchema as unknown as {
      readonly properties: Readonly<Record<string, object>>;
    };
    const start = echo.asked.length;
    for (const flag of flagsFor(operation)) {
      const name = flag.member ?? flag.field;
      if (!isUnlisted(operation, flag)) expect(Object.keys(properties)).toContain(name);
      const type = declaredOf(operation, flag)?.one ?? flag.kind;
      if (type === 'json' || flag.kind === 'file') continue;
      // Only records accept an object, and only numbers accept a number.
      const wrong = flag.kind === 'json' ? 5 : flag.kind === 'integer' ? 'abc' : { a: 1 };
      const { isError, value } = await server.call(toolName(operation.command), {
        ...argsFor(operation),
        [name]: flag.many ? [wrong] : wrong,
      });
      expect([isError, value.code, value.message], name).toEqual([
        true,
        'usage',
        expect.stringMatching(new RegExp(`^${name} must be `)),
      ]);
    }
    expect(echo.asked.length).toBe(start);
  });
});

test.each(['events_post', 'ws_tokens_create', 'ws_get'])(
  '%s: a list of 200,000 elements does not overflow the stack',
  async (name) => {
    const elements = Array.from({ length: 200_000 }, (_, at) => `e${at}`);
    for (const input of ['body', 'workspace_id', 'query', 'confirm']) {
      const { value } = await server.call(name, { [input]: elements });
      expect(String(value?.message), input).not.toMatch(/stack/i);
    }
  },
);

test('a record field given as an input overrides the same field in the body, as a flag does', async () => {
  const start = echo.asked.length;
  const body = { name: 'body', alg: 'body', workspace_id: 'of the body' };
  await server.call('ws_tokens_create', { body, name: 'field' });
  await server.call('events_post', { body: [{ id: '1' }, { id: '2', success: false }], success: true });
  const [token, posted] = echo.asked.slice(start).map((one) => JSON.parse(one.body));
  expect(token).toEqual({ ...body, name: 'field' });
  expect(posted).toMatchObject([
    { id: '1', success: true },
    { id: '2', success: true },
  ]);
});

test('null means no value, unless the field may be null', async () => {
  const start = echo.asked.length;
  await server.call('ws_tokens_create', { name: 'n', alg: null, last_used: null, body: null });
  expect(echo.asked.slice(start).map(({ body }) => body)).toEqual(['{"name":"n","last_used":null}']);
});

test.each([
  ['ws_tokens_create', {}, 'missing input: name'],
  ['reports_upload', {}, 'missing inputs: type and file'],
  ['artifacts_tags_add', { namespace_name: 'n' }, 'missing inputs: revision_digest and tags'],
  ['events_post', {}, 'missing input: interaction_type (such as CI_EXEC)'],
  ['artifacts_preflight', {}, 'missing input: namespace_name'],
])('%s without what it needs names its inputs', async (name, args, words) => {
  const start = echo.asked.length;
  const { value } = await server.call(name, args);
  expect([value.code, value.message, value.hint]).toEqual([
    'usage',
    words,
    expect.stringMatching(/^Or give all fields as (body|data)\.$/),
  ]);
  expect(echo.asked.length).toBe(start);
});

test('simplifications are noted only if the embedded service is called', async () => {
  const noted = async (argv: readonly string[], variables: Readonly<Record<string, string>>) => {
    const one = await connectMcp(folder, argv, { env: variables });
    try {
      return (await one.call('auth_access')).notes.filter((note) => note.startsWith('With the embedded service: '));
    } finally {
      await one.close();
    }
  };
  expect(await noted(['mcp'], env())).toEqual([]);
  expect(await noted(['--profile', 'local', 'mcp'], {})).toHaveLength(1);
  expect(await noted(['mcp'], { DTP_BASE_URL: 'local:' })).toHaveLength(1);
});

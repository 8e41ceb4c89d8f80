/** Every tool of `dtp mcp`: its description, the request that it sends, and that it returns no secret. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseTools, listedTools, toolName, toolOf } from '../../src/mcp/tools.ts';
import { operations } from '../../src/operations/index.ts';
import { effectOf, harmOf, type Operation } from '../../src/operations/operation.ts';
import { remember } from '../support/known-workspaces.ts';
import { type Connected, connectMcp } from '../support/mcp.ts';
import { home } from '../support/process.ts';
import { type Echo, openEcho } from '../support/recording-service.ts';

const key = 'canary-credential-5ec7e7';
const token = 'canary-token-9b1d03';
const { folder, remove } = home();
let echo: Echo;
let server: Connected;
let status = 200;
const preflight = '/v1/artifacts/preflight';

/** A service that repeats every secret that it gets, in every way. */
const told = {
  id: 'x',
  key: token,
  access_token: token,
  auth_token: token,
  secrets: { NPM: [token] },
  url: `https://h.test/r?signature=${token}&page=1`,
  message: `no ${key} here`,
  [key]: `Bearer ${key}`,
};

/** From a table that was typed by hand. */
const documented = readFileSync(new URL('../operations.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('operation\t'))
  .map((line) => line.split('\t').slice(1) as [id: string, method: string, path: string]);

const operationOf = (id: string) => operations[id as keyof typeof operations] as Operation;
const nameOf = (id: string) => toolName(operationOf(id).command);

beforeAll(async () => {
  echo = await openEcho(({ path }) => {
    if (path === preflight) return [200, JSON.stringify({ auth_token: token })];
    if (status !== 200) return [status, JSON.stringify(told)];
    if (path.endsWith('/target')) return [200, `the target of ${key}`];
    // One string for the one item that is sent.
    if (path.endsWith('/suggest/items')) return [200, JSON.stringify([`no ${key} here`])];
    if (path.includes('/oci/') || /suggest.openapi/.test(path)) return [200, `text: ${key}\n`];
    return [
      200,
      JSON.stringify(
        path.endsWith('s') && !path.endsWith('/revisions') ? [told] : { ...told, items: [told], snippets: [told] },
      ),
    ];
  });
  await remember(join(folder, 'state'), echo.address, key, 'w_1');
  server = await connectMcp(folder, ['mcp', '--allow-writes'], {
    env: {
      DTP_BASE_URL: echo.address,
      DTP_API_KEY: key,
      DTP_WORKSPACE_ID: 'w_1',
      DTP_ORGANIZATION_SLUG: 'x_1',
      DTP_WORKSPACE_SLUG: 'x_1',
    },
  });
});
afterAll(async () => {
  await server.close();
  echo.close();
  remove();
});

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** A value for a schema, with all known fields, except those that make a call send another request. */
function sampleOf(schema: Schema, name = ''): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (schema.enum) return schema.enum[0];
  if (schema.format === 'date-time') return '2026-01-31T12:00:00Z';
  if (name === 'query') return '@';
  if (name === 'method_paths') return [{ method: 'get', path: '/x' }];
  if (type === 'string') return 'x_1';
  if (type === 'integer') return 3;
  if (type === 'boolean') return true;
  if (type === 'array') return [sampleOf(schema.items ?? {})];
  const known = Object.entries(schema.properties ?? {}).filter(
    ([one, { type: inner }]) =>
      !['confirm', 'shorten'].includes(one) && !(one === 'path' && inner === 'string' && isFile(schema)),
  );
  return Object.fromEntries(known.map(([one, inner]) => [one, sampleOf(inner, one)]));
}

/** A file is given as a path or as text. */
const isFile = ({ properties = {} }: Schema) => 'text' in properties && 'path' in properties;

test('there is a tool for each operation and for a push, with a name that clients accept', async () => {
  const { tools } = await server.client.listTools();
  // It can be called, but another tool replaces it.
  const unlisted = ['events_targets_list_deprecated'];
  const expected = ['artifacts_push', ...documented.map(([id]) => nameOf(id))];
  expect([...tools.map(({ name }) => name), ...unlisted].sort()).toEqual(expected.sort());
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  for (const { name } of tools) expect(name).toMatch(/^[a-z][a-z0-9_]{1,40}$/);
  expect(nameOf('getWorkspaceTokens')).toBe('ws_tokens_list');
});

test('the schemas are strict JSON Schema and do not mention flags', async () => {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    allErrors: true,
    formats: { 'date-time': true },
  });
  for (const { name, inputSchema, description } of (await server.client.listTools()).tools) {
    const validate = ajv.compile(inputSchema);
    expect(validate(sampleOf(inputSchema as Schema)), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    expect(JSON.stringify([inputSchema, description]), name).not.toMatch(/--[a-z]|@FILE|standard input/);
  }
});

test.each([
  [true, 66_636],
  [false, 29_464],
])('with writes %s, the list is at most half as long as its %i bytes with repeated texts', (allowWrites, before) => {
  const tools = listedTools(chooseTools({ allowWrites, patterns: undefined }));
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(before / 2);
});

test('inputs filled from settings and defaults are optional, and those that the API requires are required', () => {
  const required = (id: string) => toolOf(nameOf(id), operationOf(id)).inputSchema.required;
  expect(required('getWorkspaceTokens')).toBeUndefined();
  expect(required('getManifest')).toEqual(['namespace_name', 'revision_reference']);
  expect(required('suggestOpenAPIRegistry')).toEqual(['namespace_name', 'revision_reference']);
  expect(required('suggestItems')).toEqual(['prompt', 'items']);
  expect(required('createPublishingToken')).toEqual(['target_id', 'target_resource', 'valid_until', 'token_name']);
});

test('the hints follow from the effect of an operation', () => {
  // The protocol's defaults are: not read only, destructive, not idempotent.
  const hints = (id: string) => toolOf(nameOf(id), operationOf(id)).annotations;
  expect(hints('getWorkspaces')).toEqual({ readOnlyHint: true });
  expect(hints('suggest')).toEqual({ readOnlyHint: true });
  expect(hints('createWorkspace')).toEqual({ destructiveHint: false });
  expect(hints('updateWorkspaceSettings')).toEqual({ destructiveHint: false, idempotentHint: true });
  expect(hints('deleteWorkspaceToken')).toEqual({ idempotentHint: true });
  expect(hints('createBillingAddOns')).toEqual({});
  expect(hints('setVisibility')).toEqual({});
});

describe('each tool sends the request of its operation and shows no secret', () => {
  test.each(documented)('%s', async (id, method, path) => {
    const operation = operationOf(id);
    const schema = toolOf(nameOf(id), operation).inputSchema as Schema;
    const before = server.written().length;
    for (status of [200, 401, 400]) {
      const start = echo.asked.length;
      const args = sampleOf(schema) as Record<string, unknown>;
      let called = await server.call(nameOf(id), args);
      if (harmOf(operation) !== undefined) {
        expect(echo.asked.length, 'nothing is sent without confirm').toBe(start);
        expect(called.value.code).toBe('usage');
        expect(called.value.message, 'says what would be sent').toContain(` with ${method} ${path} `);
        const confirm = JSON.parse(/confirm set to (".*")\.$/.exec(called.value.hint)?.[1] ?? 'null');
        called = await server.call(nameOf(id), { ...args, confirm });
      }
      // The registry token is fetched first, and again if it is refused.
      const sent = echo.asked.slice(start).filter((one) => one.path !== preflight || path === preflight);
      const literal = path.replace(/\{[^}]+\}/g, 'x_1');
      expect(new Set(sent.map((one) => `${one.method} ${one.path}`))).toEqual(new Set([`${method} ${literal}`]));
      expect(called.isError, JSON.stringify(called.value)).toBe(status !== 200 && path !== preflight);
    }
    const written = server.written().slice(before);
    expect(written).not.toContain(key);
    expect(written).not.toContain(token);
    expect(written.length).toBeGreaterThan(100);
  });
});

test('only chosen tools are listed, and a pattern that matches nothing is refused', () => {
  const names = (allowWrites: boolean, ...patterns: string[]) => [...chooseTools({ allowWrites, patterns }).keys()];
  expect(names(false, 'ws_tokens_*')).toEqual(['ws_tokens_list']);
  expect(names(true, 'ws_tokens_*', 'auth_user')).toEqual([
    'auth_user',
    'ws_tokens_list',
    'ws_tokens_create',
    'ws_tokens_delete',
  ]);
  expect(() => names(true, 'ws_token')).toThrow('no tool matches ws_token');
  expect(names(true, 'artifacts_pu*')).toEqual(['artifacts_push']);
  for (const name of ['ws_create', 'artifacts_push']) expect(() => names(false, name)).toThrow('only tools that write');
  const reads = names(false, '*');
  expect(
    reads.every(
      (name) => effectOf([...chooseTools({ allowWrites: true, patterns: [name] }).values()][0] as Operation) === 'read',
    ),
  ).toBe(true);
  expect(reads).toContain('suggest_items');
  expect(reads).not.toContain('artifacts_preflight');
});

/** What the client of any tool reads about a call that fails: its inputs, and no flags. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseTools, toolOf } from '../../src/mcp/tools.ts';
import { withoutCommands } from '../support/hints/advice.ts';
import { type Called, type Connected, connectMcp } from '../support/mcp.ts';
import { home } from '../support/process.ts';
import { type Echo, openEcho } from '../support/recording-service.ts';

const { folder, remove } = home();
let echo: Echo;
let server: Connected;
let bare: Connected;
let answer: readonly [status: number, body: string] = [200, '{}'];

beforeAll(async () => {
  echo = await openEcho(({ path }) => (path.endsWith('/preflight') ? [200, '{"auth_token":"t"}'] : answer));
  const env = { DTP_BASE_URL: echo.address, DTP_API_KEY: 'k-1' };
  const all = { ...env, DTP_WORKSPACE_ID: 'w_1', DTP_ORGANIZATION_SLUG: 'o', DTP_WORKSPACE_SLUG: 'w' };
  server = await connectMcp(folder, ['mcp', '--allow-writes'], { env: all });
  bare = await connectMcp(folder, ['mcp', '--allow-writes'], { env });
});
afterAll(async () => {
  await server.close();
  await bare.close();
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

/** A valid value for a schema. */
function sampleOf({ type, format, enum: values, items = {}, properties = {} }: Schema, name = ''): unknown {
  if (values) return values[0];
  if (format === 'date-time') return '2026-01-31T12:00:00Z';
  if (name === 'query') return '@';
  if (name === 'method_paths') return [{ method: 'get', path: '/x' }];
  if ([type].flat()[0] === 'string') return 'x_1';
  if (type === 'integer') return 3;
  if (type === 'boolean') return true;
  if (type === 'array') return [sampleOf(items)];
  if ('text' in properties) return { text: 'openapi: 3.1.0' };
  const known = Object.entries(properties).filter(([one]) => !['confirm', 'shorten', 'wait', 'all'].includes(one));
  return Object.fromEntries(known.map(([one, inner]) => [one, sampleOf(inner, one)]));
}

/** Calls a tool, and confirms what it would do. */
async function call(on: Connected, name: string, args: Record<string, unknown>): Promise<Called> {
  const called = await on.call(name, args);
  const confirm = /confirm set to (".*")\.$/.exec(called.value?.hint ?? '')?.[1];
  return confirm === undefined ? called : on.call(name, { ...args, confirm: JSON.parse(confirm) });
}

/** Commands for the user have flags. What the service says is not advice. */
function expectNoFlags({ value, isError }: Called, what: string): void {
  if (!isError) return;
  const { message, hint = '', next = [], status } = value;
  const own = [status === undefined ? message : '', hint, ...next].map(withoutCommands);
  expect(own.join('\n'), what).not.toMatch(/(?<![\w-])(?:--[a-z]|-[a-zA-Z]\b)|\bflag|@FILE|standard input/);
  expect(String(hint), what).not.toMatch(next.length > 0 ? /\0/ : /:$|\0/);
}

const wrong = [{ a: 1 }, 'no such value', '', -1, true, [], [null], '../x', '@file', { path: '/etc/passwd' }, null];
const says = 'unknown value, see --limit or "-w"';

test.each([...chooseTools({ allowWrites: true, patterns: undefined })])('%s', async (name, operation) => {
  const schema = toolOf(name, operation).inputSchema as Schema;
  const full = sampleOf(schema) as Record<string, unknown>;
  const inputs = Object.keys(schema.properties ?? {});
  for (const on of [server, bare]) expectNoFlags(await call(on, name, {}), 'no inputs');
  expectNoFlags(await call(bare, name, full), 'no settings');
  for (const input of [...inputs, 'body', 'workspace_id', 'nothing']) {
    const { [input]: _, ...others } = full;
    expectNoFlags(await call(server, name, others), `without ${input}`);
    for (const one of wrong) {
      answer = [422, JSON.stringify({ message: `${input}: ${says}` })];
      const called = await call(server, name, { ...full, [input]: one });
      expectNoFlags(called, `${input}: ${JSON.stringify(one)}`);
      // What the service says stays as it is, and the field that it names is an input.
      if (called.value?.status !== 422 || name === 'artifacts_push') continue;
      expect(called.value.message).toContain(says);
      const [, named] = /^Check (\S+(?: and \S+)*)\./.exec(called.value.hint ?? '') ?? [];
      for (const field of named?.split(' and ') ?? []) expect([...inputs, 'body'], called.value.hint).toContain(field);
    }
  }
  for (const status of [202, 400, 401, 402, 403, 404, 409, 413, 415]) {
    answer = [status, JSON.stringify({ message: says })];
    expectNoFlags(await call(server, name, full), String(status));
  }
  answer = [200, 'not JSON'];
  expectNoFlags(await call(server, name, full), 'not JSON');
  answer = [200, '{}'];
});

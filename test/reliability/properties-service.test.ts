/** The embedded service with any input: the paths of each operation reach it, and nothing makes it fail. */
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import type { Field, Operation } from '../../src/operations/operation.ts';
import { buildRequest } from '../../src/request/build.ts';
import { readAll } from '../../src/request/http.ts';
import { openStore } from '../../src/service/data/store.ts';
import { route, splitUrl } from '../../src/service/http/router.ts';
import { createService } from '../../src/service/service.ts';
import { firstKey, seed as seedStore } from '../../src/service/tenancy/seed.ts';
import { anyText, bytes, json, jsonObject, property, streamOf, text } from '../support/property.ts';

const all: readonly Operation[] = Object.values(operations);
const words = { codehost: undefined, docsite: undefined };
const pathNames = ({ path }: Operation) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

/** Values that a client may put in a path. */
const segment = text.map((one) => one.replaceAll(/\p{Cc}/gu, '')).filter((one) => !['', '.', '..'].includes(one));

/** The expected path: of those that match, the one whose first literal comes first, whatever the method. */
function expectedPath(operation: Operation, values: readonly string[]): string {
  const names = pathNames(operation);
  const parts = operation.path
    .split('/')
    .map((part) => (part.startsWith('{') ? values[names.indexOf(part.slice(1, -1))] : part));
  const fitting = all.filter(({ path }) => {
    const others = path.split('/');
    return others.length === parts.length && others.every((part, at) => part.startsWith('{') || part === parts[at]);
  });
  const look = ({ path }: Operation) => path.replaceAll(/[^/{]+/g, 'a').replaceAll(/\{a/g, 'b');
  return [...fitting].sort((one, other) => (look(one) < look(other) ? -1 : 1))[0]?.path ?? '';
}

/** Literals at positions where another operation has a value. */
const literal = fc.constantFrom(
  ...new Set(all.flatMap(({ path }) => path.split('/')).filter((part) => part !== '' && !part.startsWith('{'))),
);

property(
  "a client's request for an operation is routed to it, with the values",
  [
    fc.constantFrom(...all),
    fc.array(fc.oneof({ weight: 4, arbitrary: segment }, { weight: 1, arbitrary: literal }), {
      minLength: 4,
      maxLength: 4,
    }),
  ],
  (operation, values) => {
    const names = pathNames(operation);
    const input = Object.fromEntries(names.map((name, at) => [name, values[at] as string]));
    const { url, method } = buildRequest(
      operation,
      { ...input, 'x-session-id': 's', Accept: 'x' },
      { base: 'local:', words },
      () => 'b',
    );
    const { path } = splitUrl(url);
    const matching = all.filter((one) => one.path === expectedPath(operation, values));
    const one = matching.find((each) => each.method === method);
    if (!one)
      return expect(() => route(method, path)).toThrow(`takes ${matching.map((each) => each.method).join(', ')}`);
    const found = route(method, path);
    expect(found?.operation.id).toBe(one.id);
    if (one.id === operation.id) expect(found?.path).toEqual(input);
  },
);

const store = openStore(':memory:');
afterAll(() => store.close());
const now = Date.parse('2026-01-31T12:00:00Z');
seedStore(store, new Date(now));
const { key, workspaceId } = firstKey(store);
const handle = createService(store, { now: () => now });

async function ask(method: string, url: string, headers: Readonly<Record<string, string>>, body?: Uint8Array) {
  const request = {
    method,
    url,
    headers: { 'x-api-key': key, ...headers },
    ...(body && { body: { size: body.byteLength, open: () => streamOf([body]) } }),
  };
  const response = await handle(request, { signal: new AbortController().signal });
  const answer = Buffer.from((await readAll(response.body, 2 ** 26)) ?? []).toString();
  return { status: response.status, answer };
}

/** A 5XX is a bug of the service, and an error has the document's Error shape. */
function isAnswer({ status, answer }: Awaited<ReturnType<typeof ask>>, label: string): void {
  expect(status, `${label}: ${answer}`).toBeLessThan(500);
  expect(status, label).toBeGreaterThanOrEqual(200);
  expect(answer, label).not.toMatch(/TypeError|SQLITE|\n\s+at /);
}

const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'get', '__proto__', 'TRACE');
const hostile = fc.array(
  fc.oneof(
    literal,
    literal,
    segment.map(encodeURIComponent),
    fc.constantFrom(
      'v1',
      'v2',
      'oci',
      '',
      '.',
      '..',
      '%2e%2e',
      '%',
      '%zz',
      '%00',
      '%c0%af',
      '__proto__',
      'constructor',
      workspaceId,
      's',
      'reports',
      'invites',
      'runs',
      'blobs',
      'uploads',
      'x'.repeat(5000),
    ),
    anyText,
  ),
  { maxLength: 8 },
);
const query = fc.oneof(
  fc.constant(''),
  fc.array(fc.tuple(anyText, anyText)).map((pairs) => `?${pairs.map((pair) => pair.join('=')).join('&')}`),
);

property('no path and no method makes it fail', [method, hostile, query], async (verb, path, asked) => {
  const url = `local:/${path.join('/')}${asked}`;
  isAnswer(await ask(verb, url, {}), `${verb} ${JSON.stringify(url)}`);
});

const queryValue = fc.oneof(
  text,
  fc.constantFrom('1', '-1', '0', 'true', 'yes', '2026-01-31T12:00:00Z', '[]', '{}', '[{"a":1}]', ''),
);
const bodied = fc.oneof(json, jsonObject, fc.array(jsonObject, { maxLength: 3 }));

/** Records with names that the document defines, and any values. */
const known = (fields: Readonly<Record<string, Field>>) => {
  const names = Object.keys(fields).filter((name) => fields[name]?.in === 'member');
  return names.length === 0
    ? bodied
    : fc.oneof(
        bodied,
        fc.record(Object.fromEntries(names.map((name) => [name, fc.oneof(json, text, fc.array(text), fc.boolean())])), {
          requiredKeys: [],
        }),
      );
};

const asked = fc.constantFrom(...all).chain((operation) => {
  const queries = Object.keys(operation.input).filter((name) => operation.input[name]?.in === 'query');
  return fc.record({
    operation: fc.constant(operation),
    path: fc.array(fc.oneof(segment, fc.constant(workspaceId)), { minLength: 4, maxLength: 4 }),
    query: fc.record(Object.fromEntries(queries.map((name) => [name, queryValue])), { requiredKeys: [] }),
    body: known(operation.input),
    isOurs: fc.boolean(),
  });
});

property(
  'any JSON body is accepted or rejected by any operation, never a 5XX',
  [asked],
  async ({ operation, path, query: pairs, body, isOurs }) => {
    const names = pathNames(operation);
    const values = Object.fromEntries(
      names.map((name, at) => [name, isOurs && name === 'workspace_id' ? workspaceId : path[at]]),
    );
    const { url } = buildRequest({ ...operation, input: {} }, values, { base: 'local:', words });
    const address = `${url}?${new URLSearchParams(pairs as Record<string, string>)}`;
    const sent = Buffer.from(JSON.stringify(body));
    const label = `${operation.id} ${address} ${sent.toString()}`;
    isAnswer(
      await ask(operation.method, address, { 'content-type': 'application/json', 'x-session-id': 's' }, sent),
      label,
    );
  },
);

const forms = all.filter(({ input }) => Object.values(input).some((field) => field.in === 'part'));
const part = fc.tuple(
  fc.oneof(text, fc.constantFrom('schema_file', 'language', 'data', 'file', 'schema', 'opts')),
  fc.option(text),
  fc.oneof(
    bytes,
    json.map((one) => Buffer.from(JSON.stringify(one))),
    fc.constant(Buffer.from('openapi: 3.1.0\ninfo: {}\npaths: {}')),
  ),
);

property(
  'any bytes of a form are accepted or rejected, never a 5XX',
  [fc.constantFrom(...forms), fc.array(part, { maxLength: 5 }), fc.constantFrom('b', 'other', ''), fc.nat({ max: 20 })],
  async (operation, parts, boundary, cut) => {
    const framed = parts.map(([name, file, content]) =>
      Buffer.concat([
        Buffer.from(
          `--b\r\ncontent-disposition: form-data; name="${name}"${file === null ? '' : `; filename="${file}"`}\r\n\r\n`,
        ),
        content,
        Buffer.from('\r\n'),
      ]),
    );
    const whole = Buffer.concat([...framed, Buffer.from('--b--\r\n')]);
    const sent = whole.subarray(0, whole.byteLength - cut);
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'x-session-id': 's' };
    isAnswer(
      await ask(operation.method, `local:${operation.path}`, headers, sent),
      `${operation.id} ${JSON.stringify(sent.toString('latin1'))}`,
    );
  },
  100,
);

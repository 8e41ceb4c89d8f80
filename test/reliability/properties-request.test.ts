/** Requests for any input: their URL, their content, and which inputs are rejected before there is a request. */
import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { expect } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { operations } from '../../src/operations/index.ts';
import type { Field, Operation } from '../../src/operations/operation.ts';
import { buildRequest, type FormField, multipart } from '../../src/request/build.ts';
import { headerValue } from '../../src/request/http.ts';
import { pathOf, queryOf } from '../../src/request/url.ts';
import { anyText, bytes, json, jsonObject, property, streamOf, text } from '../support/property.ts';

const all: readonly Operation[] = Object.values(operations);
const words = { codehost: undefined, docsite: undefined };

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'none';
  } catch (error) {
    if (error instanceof DtpError) return error.code;
    throw error;
  }
};

const base = fc
  .tuple(
    fc.constantFrom('https', 'http'),
    fc.constantFrom('api.example.test', '127.0.0.1', '[::1]', 'localhost', 'xn--bcher-kva.example'),
    fc.option(fc.integer({ min: 1, max: 65_535 }).filter((port) => port !== 80 && port !== 443)),
    fc.array(fc.constantFrom('api', 'v2', 'a%20b', 'x.y', '~me'), { maxLength: 3 }),
  )
  .map(([scheme, host, port, path]) => ({
    origin: `${scheme}://${host}${port === null ? '' : `:${port}`}`,
    path: path.map((one) => `/${one}`).join(''),
  }));

const withPath = all.filter(({ path }) => path.includes('{'));
const pathNames = ({ path }: Operation) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

/** What a path value may not be according to the API document: by code points, not by a pattern. */
const isRefused = (value: string) =>
  ['', '.', '..'].includes(value) ||
  [...value].some((char) => {
    const point = char.codePointAt(0) as number;
    return point < 0x20 || point === 0x7f || (point >= 0xd800 && point <= 0xdfff);
  });

const given = fc.array(fc.oneof(anyText, fc.constantFrom('.', '..', '', '%2e%2e', '../x')), {
  minLength: 4,
  maxLength: 4,
});

property(
  'a URL is its base and its template with the exact values, or is rejected',
  [base, fc.constantFrom(...withPath), given],
  ({ origin, path }, operation, values) => {
    const names = pathNames(operation);
    const input = Object.fromEntries(names.map((name, at) => [name, values[at] as string]));
    const build = () => buildRequest(operation, input, { base: origin + path, words });
    if (Object.values(input).some(isRefused)) {
      // Also before there is a URL: a rejected value must not cause a request.
      expect(codeOf(() => pathOf(operation.path, input))).toBe('usage');
      return expect(codeOf(build)).toBe('usage');
    }
    const { url } = build();
    const parsed = new URL(url);
    expect(parsed.origin).toBe(origin);
    expect(parsed.hash + parsed.search + parsed.username).toBe('');
    // The segments that a server sees are the ones sent, and a URL parser agrees.
    expect(parsed.href).toBe(url);
    const segments = url
      .slice((origin + path).length)
      .split('/')
      .map(decodeURIComponent);
    const wanted = operation.path.split('/').map((part) => (part.startsWith('{') ? input[part.slice(1, -1)] : part));
    expect(segments).toEqual(wanted);
  },
);

const queried = all.filter(({ input }) => Object.values(input).some((field) => field.in === 'query'));

const queryValue = ({ kind, many }: Field): fc.Arbitrary<unknown> => {
  const one =
    kind === 'integer' ? fc.maxSafeInteger() : kind === 'boolean' ? fc.boolean() : kind === 'json' ? json : text;
  return fc.option(many ? fc.array(one, { maxLength: 5 }) : one, { nil: undefined });
};

const queryCase = fc.constantFrom(...queried).chain((operation) => {
  const fields = Object.entries(operation.input).filter(([, field]) => field.in === 'query');
  const values = Object.fromEntries(fields.map(([name, field]) => [name, queryValue(field)]));
  return fc.tuple(fc.constant(operation), fc.record(values));
});

property('a query reads back as the given values, in order', [queryCase], ([operation, values]) => {
  const path = Object.fromEntries(pathNames(operation).map((name) => [name, 'x']));
  const { url } = buildRequest(operation, { ...path, ...values }, { base: 'https://a.test', words });
  const { searchParams } = new URL(url);
  const expected = Object.entries(operation.input).flatMap(([name, { kind }]) => {
    const value = (values as Record<string, unknown>)[name];
    if (value === undefined) return [];
    if (kind === 'json') return [[name, value]];
    return (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]);
  });
  const read = [...searchParams].map(([name, value]) =>
    operation.input[name]?.kind === 'json' ? [name, JSON.parse(value)] : [name, value],
  );
  deepStrictEqual(read, expected);
});

property('pairs of any names and strings read back', [fc.array(fc.tuple(text, text))], (pairs) => {
  const query = queryOf(pairs);
  expect(query).toMatch(/^(\?[\w.!~*'()%&=-]*)?$/);
  expect([...new URLSearchParams(query)]).toEqual(pairs);
});

const bodied = all.filter(({ input }) =>
  Object.values(input).some((field) => field.in === 'member' || field.in === 'body'),
);

property(
  'a JSON body arrives as given, with its fields over those of the whole',
  [
    fc.constantFrom(...bodied),
    jsonObject,
    fc.array(fc.option(json, { nil: undefined }), { minLength: 12, maxLength: 12 }),
  ],
  (operation, whole, values) => {
    const members = Object.keys(operation.input).filter((name) => operation.input[name]?.in === 'member');
    const set = members.flatMap((name, at) => (values[at] === undefined ? [] : [[name, values[at]] as const]));
    const path = Object.fromEntries(pathNames(operation).map((name) => [name, 'x']));
    // A body may contain a value that a flag overrides.
    const given = Object.fromEntries([...Object.entries(whole), ...set.map(([name]) => [name, 'other'])]);
    const headers = { 'x-session-id': 's' };
    const request = buildRequest(
      operation,
      { ...headers, ...path, ...Object.fromEntries(set), body: given },
      { base: 'https://a.test', words },
    );
    expect(request.headers['content-type']).toBe('application/json');
    const expected = new Map([...Object.entries(given), ...set]);
    const read = JSON.parse(Buffer.from(request.body as Uint8Array).toString());
    deepStrictEqual(new Map(Object.entries(read)), new Map([...expected]));
  },
);

/** A separate reader of RFC 7578: the parts of a form by their bytes. */
function readForm(form: Buffer, boundary: string) {
  const end = Buffer.from(`\r\n--${boundary}`);
  const parts: { head: readonly string[]; content: Buffer }[] = [];
  let at = Buffer.byteLength(`--${boundary}`);
  expect(form.subarray(0, at).toString()).toBe(`--${boundary}`);
  while (form.subarray(at, at + 2).toString() === '\r\n') {
    const gap = form.indexOf('\r\n\r\n', at);
    const next = form.indexOf(end, gap + 2);
    expect(next, 'a part ends').toBeGreaterThan(0);
    parts.push({
      head: form
        .subarray(at + 2, gap)
        .toString()
        .split('\r\n'),
      content: form.subarray(gap + 4, next),
    });
    at = next + end.byteLength;
  }
  expect(form.subarray(at).toString()).toBe('--\r\n');
  return parts;
}

/** As browsers do. */
const unquoted = (name: string) =>
  name.replace(/%(22|0D|0A)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const part: fc.Arbitrary<{ readonly name: string; readonly file?: string; readonly content: Uint8Array }> = fc.oneof(
  fc.record({ name: text, content: text.map((one) => Buffer.from(one)) }),
  fc.record({ name: text, file: text, content: bytes }),
);

property('a form returns its names, file names and bytes', [fc.array(part, { maxLength: 6 })], async (given) => {
  const parts = given.map(({ name, file, content }): FormField => {
    if (file === undefined) return { name, text: Buffer.from(content).toString() };
    const open = () => streamOf([content.subarray(0, 3), content.subarray(3)]);
    return { name, file: { name: file, size: content.byteLength, open } };
  });
  const boundary = 'dtp-7d2f1c';
  const body = multipart(parts, boundary);
  if (!('open' in body)) throw new Error('a form is a stream');
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.open()) chunks.push(chunk);
  const form = Buffer.concat(chunks);
  expect(form.byteLength).toBe(body.size);
  if (given.length === 0) return;
  const read = readForm(form, boundary).map(({ head, content }) => {
    const found = /^content-disposition: form-data; name="([^"\r\n]*)"(?:; filename="([^"\r\n]*)")?$/.exec(
      head[0] ?? '',
    );
    const [, name = '?', file] = found ?? [];
    expect(head.length).toBe(file === undefined ? 1 : 2);
    return { name: unquoted(name), ...(file !== undefined && { file: unquoted(file) }), content };
  });
  deepStrictEqual(
    read,
    given.map(({ name, file, content }) => ({
      name: unquoted(name),
      ...(file !== undefined && { file: unquoted(file) }),
      content: Buffer.from(content),
    })),
  );
});

const headerText = fc.oneof(
  anyText,
  fc.string(),
  fc.constantFrom('a\r\nx-y: 1', 'a\u007fb', 'a\tb', ' a', 'a ', 'a b', 'é', ''),
);

property('a header value is visible ASCII, or is rejected', [headerText], (value) => {
  const points = [...value].map((char) => char.codePointAt(0) as number);
  const isRight = points.every((one) => one >= 0x20 && one < 0x7f) && value !== '' && value.trim() === value;
  if (isRight) expect(headerValue('x', value)).toBe(value);
  else expect(codeOf(() => headerValue('x', value))).toBe('usage');
});

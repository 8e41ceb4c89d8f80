/** Rows that are read while a response arrives give the same output, or the same error code, as the whole response. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { operations } from '../../src/operations/index.ts';
import { render } from '../../src/render/index.ts';
import type { HttpRequest, HttpResponse } from '../../src/request/http.ts';
import { readResponse } from '../../src/request/read.ts';
import { rowsIn } from '../../src/request/rows.ts';
import { anyText, cuts, json, pieces, property, streamOf } from '../support/property.ts';

const request: HttpRequest = { method: 'GET', url: 'https://api.example.test/v1/list', headers: {} };
/** A list in the field `items`. */
const listing = operations.getNamespaces;
const view = { color: false, rows: listing.rows };

const answered = (chunks: readonly Uint8Array[]): HttpResponse => ({
  status: 200,
  headers: {},
  body: streamOf(chunks),
});

/** The error that the user sees. */
function failure(error: unknown): string {
  if (!(error instanceof DtpError)) throw error;
  return `${error.code}: ${error.message}`;
}

/** The NDJSON of a response that is read as a whole. */
async function whole(bytes: Uint8Array): Promise<{ readonly text: string; readonly error?: string }> {
  try {
    const value = await readResponse(listing, answered([bytes]), request);
    return { text: await render(value.kind === 'json' ? value.value : undefined, 'ndjson', view) };
  } catch (error) {
    return { text: '', error: failure(error) };
  }
}

/** The NDJSON of a response that is read row by row. */
async function byRow(chunks: readonly Uint8Array[]): Promise<{ readonly text: string; readonly error?: string }> {
  let text = '';
  try {
    const value = await readResponse({ ...listing, result: 'bytes' }, answered(chunks), request);
    if (value.kind !== 'bytes') throw new Error(value.kind);
    const rows = rowsIn(value.body, listing.rows, value.bad);
    for (;;) {
      const next = await rows.next();
      if (!next.done) text += await render(next.value.rows, 'ndjson', view);
      else {
        if (!next.value.hasRows) text += await render(next.value.value, 'ndjson', view);
        return { text };
      }
    }
  } catch (error) {
    return { text, error: failure(error) };
  }
}

const row = fc.oneof(json, fc.constantFrom('a,b', '[', ']', '},{', '"', '\\', '{"items":[1]}'));
const rows = fc.array(row, { maxLength: 6 });
const document = fc.oneof(
  rows,
  rows.map((items) => ({ items })),
  fc.tuple(json, rows, json).map(([before, items, after]) => ({ before, items, after })),
  rows.map((items) => ({ deep: { items }, list: items, items: { items } })),
  json,
);
const written = fc
  .tuple(document, fc.constantFrom(0, 2), fc.boolean(), fc.constantFrom('', ' \n', '\ufeff'))
  .map(([value, indent, escaped, before]) => {
    const text = JSON.stringify(value, undefined, indent);
    return before + (escaped ? text.replaceAll('"items"', '"\\u0069t\\u0065ms"') : text);
  });

property(
  'reading row by row gives the same output, wherever the chunks are split',
  [written, cuts],
  async (text, at) => {
    const bytes = Buffer.from(text);
    expect(await byRow(pieces(bytes, at))).toEqual(await whole(bytes));
  },
);

/** Pieces of valid and invalid JSON documents. */
const fragment = fc.oneof(
  fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '1', 'null', '"items"', '{"items":[', '{"a":1}', '},', ']}'),
  fc.constantFrom('12345678901234567890', '1e400', ' ', '\n', '\v', '\ufeff'),
  anyText,
);
const garbage = fc.oneof(
  fc.array(fragment).map((parts) => parts.join('')),
  fc.tuple(written, fc.nat(), fragment).map(([text, place, part]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + part + text.slice(at + (place % 3));
  }),
);

property(
  'unreadable input fails the same way, after whole lines',
  [garbage, cuts],
  async (text, at) => {
    const bytes = Buffer.from(text);
    const [one, other] = [await whole(bytes), await byRow(pieces(bytes, at))];
    // Duplicate fields are only an error if the first one may already have been shown.
    if (other.error?.endsWith('has two fields "items"')) return;
    expect(other.error === undefined).toBe(one.error === undefined);
    if (other.error === undefined) expect(other).toEqual(one);
    else for (const line of other.text.split('\n').slice(0, -1)) JSON.parse(line);
    expect(other.text === '' || other.text.endsWith('\n')).toBe(true);
  },
  1000,
);

test.each([
  ['[{"a":1},{"a":2},nonsense]', 'is not JSON'],
  ['[{"a":1},{"a":2},]', 'is not JSON'],
  ['[,{"a":1}]', 'is not JSON'],
  ['[{"a":1} {"a":2}]', 'is not JSON'],
  ['[{"a":1},{"a":2}', 'is not JSON'],
  ['[{"a":1}}', 'is not JSON'],
  ['[{"a":1}] x', 'is not JSON'],
  ['{"items":[{"a":1}],"next":}', 'is not JSON'],
  ['{"items":[{"a":1}]', 'is not JSON'],
  ['{"items" [1]}', 'is not JSON'],
  ['<html>[1]</html>', 'is a web page, not data from the service'],
  ['\ufeff[\ufeff1]', 'is not JSON'],
  [' ', 'is empty'],
  ['[{"a":1e400}]', 'contains the number 1e400, which is out of range'],
  ['{"items":[{"a":1}],"n":1e400}', 'contains the number 1e400, which is out of range'],
])('%s %s', async (text, what) => {
  const message = `bad_response: 200 from GET /v1/list: the response ${what}`;
  expect((await whole(Buffer.from(text))).error).toBe(message);
  expect((await byRow([Buffer.from(text)])).error).toBe(message);
  const single = Array.from(Buffer.from(text), (byte) => new Uint8Array([byte]));
  expect((await byRow(single)).error).toBe(message);
});

test('invalid UTF-8 in a row is reported after the preceding rows', async () => {
  const chunks = [Buffer.from('[1,'), Buffer.from([0x22, 0xff, 0x22]), Buffer.from(']')];
  expect(await byRow(chunks)).toEqual({
    text: '1\n',
    error: 'bad_response: 200 from GET /v1/list: the response is not valid UTF-8',
  });
});

test.each(['{"items":[1],"items":[2]}', '{"items":[1],"items":null}'])(
  'duplicate fields are an error if rows were shown: %s',
  async (text) => {
    expect(await byRow([Buffer.from(text)])).toEqual({
      text: '1\n',
      error: 'bad_response: 200 from GET /v1/list: the response has two fields "items"',
    });
  },
);

test('rows are yielded as soon as possible, and no more is read than necessary', async () => {
  let asked = 0;
  const body = (async function* () {
    for (const text of ['{"items":[{"a":1},{"a"', ':2},{"a":3},{', '"a":4}]}']) {
      asked++;
      yield Buffer.from(text);
    }
  })();
  const found = rowsIn(body, 'items', (what) => new DtpError('bad_response', what));
  const seen: unknown[] = [];
  for (let next = await found.next(); !next.done; next = await found.next()) seen.push([asked, next.value.rows]);
  expect(seen).toEqual([
    [1, [{ a: 1 }]],
    [2, [{ a: 2 }, { a: 3 }]],
    [3, [{ a: 4 }]],
  ]);
});

const chunk = Buffer.alloc(4 * 1024 * 1024, 'x');
test.each([
  ['a row', '[1,"', '"]', 'contains a row longer than 64 MiB', '1\n'],
  ['a row in one piece', `["${'x'.repeat(64 * 1024 * 1024)}`, '', 'contains a row longer than 64 MiB', ''],
  ['content around the rows', '{"items":[1],"more":"', '"}', 'is longer than 64 MiB', '1\n'],
  ['a value that is not a list', '{"more":"', '"}', 'is longer than 64 MiB', ''],
])('%s is buffered up to 64 MiB', async (_, before, after, what, text) => {
  const long = [Buffer.from(before), ...Array<Buffer>(17).fill(chunk), Buffer.from(after)];
  const error = `bad_response: 200 from GET /v1/list: the response ${what}`;
  expect(await byRow(long)).toEqual({ text, error });
});

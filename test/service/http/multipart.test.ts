/** The form parser: the parts do not depend on how the bytes are split, and invalid forms are refused. */
import { describe, expect, test } from 'vitest';
import { boundaryOf, formParts } from '../../../src/service/http/multipart.ts';

interface Parsed {
  readonly name: string;
  readonly filename: string | undefined;
  readonly bytes: Buffer;
}

async function* cut(bytes: Buffer, ...offsets: readonly number[]) {
  let from = 0;
  for (const to of [...offsets, bytes.byteLength]) {
    yield bytes.subarray(from, to);
    from = to;
  }
}

async function parse(body: AsyncIterable<Uint8Array>, boundary = 'X'): Promise<readonly Parsed[]> {
  const parsed: Parsed[] = [];
  for await (const { name, filename, body: part } of formParts(body, boundary)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of part) chunks.push(chunk);
    parsed.push({ name, filename, bytes: Buffer.concat(chunks) });
  }
  return parsed;
}

const whole = (text: string) => parse(cut(Buffer.from(text, 'latin1')));
const field = (name: string, content: string) =>
  `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;

/** Content that is full of near-boundaries. */
const tricky = '\r\n--\r\n--Y\r\n-\r\r\n\n--X-not\r\n';
const form = Buffer.from(
  `${field('data', '{"type":"linting"}')}--X\r\nContent-Type: text/html\r\ncontent-disposition: form-data; name="file"; filename="a b.html"\r\n\r\n${tricky}\r\n--X--\r\n`,
);

const expected = [
  { name: 'data', filename: undefined, bytes: Buffer.from('{"type":"linting"}') },
  { name: 'file', filename: 'a b.html', bytes: Buffer.from(tricky) },
];

describe('the parts are the same if the bytes are split', () => {
  test('at each offset', async () => {
    for (let at = 0; at <= form.byteLength; at++) expect(await parse(cut(form, at))).toEqual(expected);
  });

  test('at each pair of adjacent offsets', async () => {
    for (let at = 0; at < form.byteLength; at++) expect(await parse(cut(form, at, at + 1))).toEqual(expected);
  });

  test('into single bytes', async () => {
    const offsets = [...form.keys()].slice(1);
    expect(await parse(cut(form, ...offsets))).toEqual(expected);
  });
});

test('binary content comes back unchanged', async () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7919) % 256));
  const body = Buffer.concat([
    Buffer.from('--X\r\ncontent-disposition: form-data; name="f"; filename="b.bin"\r\n\r\n'),
    bytes,
    Buffer.from('\r\n--X--'),
  ]);
  const [part] = await parse(cut(body, 1000, 1001, 65_536));
  expect(part?.bytes.equals(bytes)).toBe(true);
});

test('an empty form, an empty part, a preamble and an epilogue', async () => {
  expect(await whole('--X--\r\n')).toEqual([]);
  expect(await whole(`${field('a', '')}--X--`)).toEqual([{ name: 'a', filename: undefined, bytes: Buffer.alloc(0) }]);
  const [part] = await whole(`who reads this\r\n${field('a', 'b')}--X--\r\nor this`);
  expect(part).toEqual({ name: 'a', filename: undefined, bytes: Buffer.from('b') });
});

test('names are read in all notations of clients', async () => {
  const nameOf = async (written: string) =>
    (await whole(`--X\r\nContent-Disposition: form-data; ${written}\r\n\r\n\r\n--X--`))[0];
  expect(await nameOf('name="a%22b"; filename="c\\"d"')).toMatchObject({ name: 'a"b', filename: 'c"d' });
  expect(await nameOf('name=plain')).toMatchObject({ name: 'plain', filename: undefined });
  expect(await nameOf('filename="x; name=y"; name="z"')).toMatchObject({
    name: 'z',
    filename: 'x; name=y',
  });
});

test('a part that is not read is skipped', async () => {
  const names: string[] = [];
  for await (const { name } of formParts(cut(form, 30, 60), 'X')) names.push(name);
  expect(names).toEqual(['data', 'file']);
});

describe('refused', () => {
  test.each([
    ['no end boundary', field('a', 'b')],
    ['an end in the middle of the boundary', `${field('a', 'b')}--`],
    ['nothing', ''],
    ['another boundary', '--Y\r\n\r\n--Y--'],
    ['headers that do not end', '--X\r\nContent-Disposition: form-data; name="a"'],
  ])('%s', async (_, text) => {
    await expect(whole(text)).rejects.toMatchObject({
      status: 400,
      message: 'the form ends before its last boundary',
    });
  });

  test('headers longer than 16 KiB, even if they never end', async () => {
    const endless = async function* () {
      yield Buffer.from('--X\r\n');
      for (;;) yield Buffer.from(`a: ${'b'.repeat(1000)}\r\n`);
    };
    await expect(parse(endless())).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('16384'),
    });
  });

  test('a part without a name, and text after a boundary', async () => {
    await expect(whole('--X\r\ncontent-type: a/b\r\n\r\n\r\n--X--')).rejects.toThrow('no name');
    await expect(whole('--Xtra\r\n\r\n\r\n--X--')).rejects.toThrow('followed by other text');
  });

  test('a content type that is not a form or has no boundary', () => {
    expect(boundaryOf('multipart/form-data; boundary=abc')).toBe('abc');
    expect(boundaryOf('Multipart/Form-Data; charset=utf-8; boundary="a b"')).toBe('a b');
    expect(() => boundaryOf('application/json')).toThrow('multipart/form-data');
    expect(() => boundaryOf(undefined)).toThrow('multipart/form-data');
    expect(() => boundaryOf('multipart/form-data')).toThrow('boundary');
    expect(() => boundaryOf(`multipart/form-data; boundary=${'a'.repeat(71)}`)).toThrow('boundary');
  });
});

/** The formats for scripts, chosen fields, and queries: exact output. */
import { describe, expect, it, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { compileQuery } from '../../src/expressions/query.ts';
import { render, type View } from '../../src/render/index.ts';

const pipe: View = { color: false };
const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

const rows = [
  { id: 'w_1', name: 'One, "two"', on: true, owner: { name: 'Ann', tags: ['a', 'b'] } },
  { id: 'w_2', name: ' lines\nof\ttext', count: 1.5, none: null },
];

describe('csv', () => {
  it('has every field of any row, and quotes if necessary', async () => {
    expect(await render(rows, 'csv', pipe)).toBe(
      lines(
        'id,name,on,owner,count,none',
        'w_1,"One, ""two""",true,"{""name"":""Ann"",""tags"":[""a"",""b""]}",,',
        'w_2," lines\nof\ttext",,,1.5,',
      ),
    );
  });

  it.each<[unknown, Partial<View>, string]>([
    [rows, { fields: ['id', 'owner.name'] }, lines('id,owner.name', 'w_1,Ann', 'w_2,')],
    [rows, { headers: false, fields: ['id'] }, lines('w_1', 'w_2')],
    [{ next: 1, items: rows }, { rows: 'items', fields: ['id'] }, lines('id', 'w_1', 'w_2')],
    [{ id: 1, name: 'x' }, {}, lines('id,name', '1,x')],
    [['a', 2, null], {}, lines('a', '2', '""')],
    ['text', {}, lines('text')],
    [[], {}, ''],
    [[], { fields: ['id'] }, lines('id')],
  ])('%j with %j', async (value, view, expected) => {
    expect(await render(value, 'csv', { ...pipe, ...view })).toBe(expected);
  });
});

test('tsv has one line per row, whatever the cells contain', async () => {
  expect(await render(rows, 'tsv', { ...pipe, fields: ['id', 'name'] })).toBe(
    lines('id\tname', 'w_1\tOne, "two"', 'w_2\t lines\\nof\\ttext'),
  );
});

describe('each character of a cell', () => {
  // The cell in a pipe as CSV and as TSV, then on a terminal as CSV and as TSV.
  it.each<[string, string, string, string, string]>([
    ['a\r\nb', '"a\r\nb"', 'a\\r\\nb', '"a\nb"', 'a\\r\\nb'],
    ['a\rb', '"a\rb"', 'a\\rb', 'a\\u000db', 'a\\rb'],
    ['a\tb', 'a\tb', 'a\\tb', 'a\tb', 'a\\tb'],
    ['C:\\new', 'C:\\new', 'C:\\\\new', 'C:\\new', 'C:\\\\new'],
    ['\u001b[1m', '\u001b[1m', '\u001b[1m', '\\u001b[1m', '\\u001b[1m'],
    ['a\u2028b', 'a\u2028b', 'a\u2028b', 'a\\u2028b', 'a\\u2028b'],
    ['\ufeffa', '"\ufeffa"', '\ufeffa', '\\ufeffa', '\\ufeffa'],
    ['a\ud800', 'a\\ud800', 'a\\ud800', 'a\\ud800', 'a\\ud800'],
    ['=1+1', '=1+1', '=1+1', '=1+1', '=1+1'],
    ['é 😀', 'é 😀', 'é 😀', 'é 😀', 'é 😀'],
  ])('%j', async (text, ...expected) => {
    const terminal = { ...pipe, width: 80 };
    for (const [view, [asCsv, asTsv]] of [
      [pipe, expected.slice(0, 2)],
      [terminal, expected.slice(2)],
    ] as const) {
      expect(await render([{ [text]: text }], 'csv', view)).toBe(lines(asCsv ?? '', asCsv ?? ''));
      expect(await render([{ [text]: text }], 'tsv', view)).toBe(lines(asTsv ?? '', asTsv ?? ''));
    }
  });

  it('of lists and objects is a JSON escape', async () => {
    const row = [{ a: ['\r\n', '\u001b'] }];
    expect(await render(row, 'csv', pipe)).toBe(lines('a', '"[""\\r\\n"",""\\u001b""]"'));
    expect(await render(row, 'tsv', pipe)).toBe(lines('a', '["\\\\r\\\\n","\\\\u001b"]'));
  });
});

describe('yaml', () => {
  it.each([
    ...['text', 'v1.2.3', '1.2.3', '127.0.0.1', '127.0.0.1:8080', 'sha256:234b85', 'a=b', '==', '0o9z', 'acme-1'],
    ...['3515aa3f-f57b-4744-9228-846b70fa10ee', '2024-01', '2024-01-01 was a Monday', 'é 日本', 'a  b', 'no way'],
  ])('%s needs no quotes', async (text) => {
    expect(await render({ [text]: text }, 'yaml', pipe)).toBe(`${text}: ${text}\n`);
  });

  it.each([
    ['=', '"="'],
    ['\uffff', '"\\U0000ffff"'],
    ['a\ufffeb', '"a\\U0000fffeb"'],
    ['-0o7', '"-0o7"'],
    ['2024-01-01T00:00:00.', '"2024-01-01T00:00:00."'],
    [' \n', '" \\n"'],
    [1e21, '1.0e+21'],
    [-1e-7, '-1.0e-7'],
    [1.5e21, '1.5e+21'],
    [1e20, '100000000000000000000'],
  ])('%j is written so that every parser reads it back', async (value, expected) => {
    expect(await render([value], 'yaml', pipe)).toBe(`- ${expected}\n`);
  });

  it('lines of text stay lines', async () => {
    expect(await render({ a: 'b\n  c\n' }, 'yaml', pipe)).toBe('a: |\n  b\n    c\n');
    expect(await render('b\nc\n', 'yaml', pipe)).toBe('"b\\nc\\n"\n');
  });
});

it.each<[unknown, Partial<View>, string]>([
  [rows, {}, lines('w_1', 'w_2')],
  [{ items: [{ name: 'v1', id: 'i' }] }, { rows: 'items', columns: ['name'] }, lines('v1')],
  [[{ slug: 's' }, { name: '', url: 'u' }, 7, 'text'], {}, lines('s', 'u', '7', 'text')],
  [{ id: 12 }, {}, lines('12')],
  [{ a: { id: 'x' }, id: 'y' }, { names: 'a.id' }, lines('x')],
  [{ a: {}, id: 'y' }, { names: 'a.id' }, lines('y')],
  [{ a: ['x', 'y'] }, { names: 'a[]' }, lines('x', 'y')],
  [{ id: 'y' }, { names: 'a[]' }, ''],
  [{}, { rows: 'items' }, ''],
  [[], {}, ''],
])('name of %j with %j', async (value, view, expected) => {
  expect(await render(value, 'name', { ...pipe, ...view })).toBe(expected);
});

it.each<[unknown, Partial<View>, string]>([
  [{ ok: true }, {}, 'the result has no id or name to print'],
  [null, {}, 'the result has no id or name to print'],
  [true, {}, 'the result has no id or name to print'],
  [[{ id: 'a' }, { nothing: 1 }], {}, 'row 2 of the result has no id or name to print'],
  [[null], {}, 'the result has no id or name to print'],
])('no name of %j', async (value, view, message) => {
  await expect(render(value, 'name', { ...pipe, ...view })).rejects.toMatchObject({
    code: 'usage',
    message,
  });
});

describe('raw, and -r', () => {
  it.each<[unknown, string]>([
    ['a "text"\u001b', 'a "text"\u001b\n'],
    ['a line\n', 'a line\n'],
    [12, '12\n'],
    [true, 'true\n'],
    [null, ''],
    [['a', 1, null, 'b'], lines('a', '1', 'b')],
    [[], ''],
  ])('%j is printed without quotes', async (value, expected) => {
    expect(await render(value, 'raw', pipe)).toBe(expected);
    for (const format of ['json', 'table', 'yaml', 'csv'] as const)
      expect(await render(value, format, { ...pipe, bare: true })).toBe(expected);
  });

  it('values that are not scalars keep their format', async () => {
    expect(await render({ a: ['b'] }, 'raw', pipe)).toBe('{"a":["b"]}\n');
    expect(await render({ a: 1 }, 'json', { ...pipe, bare: true })).toBe('{\n  "a": 1\n}\n');
    expect(await render([['a']], 'yaml', { ...pipe, bare: true })).toBe('- - a\n');
  });

  it('hidden characters are escaped on a terminal', async () => {
    expect(await render('a\u001b[31m', 'raw', { ...pipe, width: 80 })).toBe('a\\u001b[31m\n');
  });
});

describe('fields', () => {
  const fields = ['owner.name', 'id', 'owner.age'];

  it('stay in place in JSON, and are null if missing', async () => {
    expect(JSON.parse(await render(rows, 'json', { ...pipe, fields }))).toEqual([
      { owner: { name: 'Ann', age: null }, id: 'w_1' },
      { owner: { name: null, age: null }, id: 'w_2' },
    ]);
    expect(await render(rows, 'ndjson', { ...pipe, fields: ['id'] })).toBe('{"id":"w_1"}\n{"id":"w_2"}\n');
    expect(await render({ id: 1, b: 2 }, 'yaml', { ...pipe, fields: ['b'] })).toBe('b: 2\n');
  });

  it('keep the fields next to the rows of a list', async () => {
    const page = { next: 't', items: [{ id: 1, b: 2 }] };
    expect(JSON.parse(await render(page, 'json', { ...pipe, rows: 'items', fields: ['b'] }))).toEqual({
      next: 't',
      items: [{ b: 2 }],
    });
  });

  it('are the columns of a table in order, and the lines of a record', async () => {
    expect(await render(rows, 'table', { ...pipe, columns: ['name'], fields })).toBe(
      lines('OWNER.NAME  ID   OWNER.AGE', 'Ann         w_1', '            w_2'),
    );
    expect(await render(rows, 'table', { ...pipe, fields: ['id'], headers: false })).toBe(lines('w_1', 'w_2'));
    expect(await render(rows[0], 'table', { ...pipe, fields: ['owner.name', 'x'] })).toBe(
      lines('owner.name  Ann', 'x'),
    );
  });

  it('find a name that contains a dot, and nothing inherited', async () => {
    const row = { 'a.b': 1, a: { b: 2 } };
    expect(await render(row, 'json', { ...pipe, fields: ['a.b', 'a.constructor', 'toString'] })).toBe(
      '{\n  "a.b": 1,\n  "a": {\n    "constructor": null\n  },\n  "toString": null\n}\n',
    );
  });
});

describe('queries', () => {
  it.each<[string, unknown]>([
    ['[].id', ['w_1', 'w_2']],
    ['[?on].name | [0]', 'One, "two"'],
    ['[0].owner.{who: name, first: tags[0]}', { who: 'Ann', first: 'a' }],
    ['length(@)', 2],
    ['nothing', null],
    ["sort_by(@, &id)[-1].id || 'none'", 'w_2'],
  ])('%s', (expression, expected) => {
    expect(compileQuery(expression)(rows)).toEqual(expected);
  });

  it.each(['', 'a[', '[?a', 'a.b.', '@@', 'a b'])('%j is rejected', (expression) => {
    expect(() => compileQuery(expression)).toThrow(DtpError);
    expect(() => compileQuery(expression)).toThrow(/^--query: /);
  });

  it('an unknown function is reported before it is called, at any depth', () => {
    expect(() => compileQuery('[].{a: map(&nosuch(@), b)}')).toThrow('--query: unknown function nosuch()');
  });

  it('a wrong type is reported when it occurs', () => {
    expect(() => compileQuery('length(on)')({ on: true })).toThrow(/^--query: argument 1 of length\(\) must be /);
  });
});

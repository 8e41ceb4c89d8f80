/** Formatted values: tables of literals, lists and records, widths, colors. */
import { describe, expect, it } from 'vitest';
import { formats } from '../../src/render/formats.ts';
import { render, rowsOf, type View } from '../../src/render/index.ts';
import { cut, widthOf } from '../../src/render/width.ts';

const pipe: View = { color: false };
const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

const events = [
  { id: 'e_1', interaction_type: 'CLI_EXEC', success: true, created_at: '2024-01-02T03:04:05.000Z' },
  { id: 'e_20', interaction_type: 'TARGET', success: false },
];

describe('a table of a list', () => {
  it('has the fields of all rows as columns', async () => {
    expect(await render(events, 'table', pipe)).toBe(
      lines(
        'ID    INTERACTION TYPE  SUCCESS  CREATED AT',
        'e_1   CLI_EXEC          yes      2024-01-02T03:04:05.000Z',
        'e_20  TARGET            no',
      ),
    );
  });

  it('has the columns of the view, in order, even if rows lack them', async () => {
    expect(await render(events, 'table', { ...pipe, columns: ['success', 'id', 'none'] })).toBe(
      lines('SUCCESS  ID    NONE', 'yes      e_1', 'no       e_20'),
    );
  });

  it('takes the rows from the field of the view', async () => {
    const value = { next: 'x', users: [{ id: 'u_1', genLockId: 7 }] };
    expect(await render(value, 'table', { ...pipe, rows: 'users' })).toBe(lines('ID   GEN LOCK ID', 'u_1  7'));
  });

  it('is empty for an empty list', async () => {
    expect(await render([], 'table', pipe)).toBe('');
    expect(await render({ users: [] }, 'table', { ...pipe, rows: 'users' })).toBe('');
  });

  it('is one line each for scalars and for lists of lists', async () => {
    expect(await render(['a', true, null, 3, ['x', 'y']], 'table', pipe)).toBe(lines('a', 'yes', '', '3', 'x, y'));
  });

  it('writes nested values in one cell', async () => {
    const row = { many: ['a', 1, true], none: [], one: { b: [1] }, mixed: [1, {}] };
    expect(await render([row], 'table', pipe)).toBe(
      lines('MANY       NONE  ONE        MIXED', 'a, 1, yes        {"b":[1]}  [1,{}]'),
    );
  });

  it('escapes line breaks in a pipe, and shows the first line on a terminal', async () => {
    const rows = [
      { a: 'one\r\ntwo\n', b: 1 },
      { a: 'one\n', b: 2 },
    ];
    expect(await render(rows, 'table', pipe)).toBe(lines('A             B', 'one\\r\\ntwo\\n  1', 'one\\n         2'));
    expect(await render(rows, 'table', { ...pipe, width: 80 })).toBe(lines('A     B', 'one…  1', 'one   2'));
  });

  it('aligns wide characters, old and new emoji, and marks', async () => {
    const rows = ['日本', 'ｱｲ', '한국', '😀', '🫠', '❤️', '🇯🇵', 'e\u0301', 'กำ', 'x'].map((a) => ({
      a,
      b: '|',
    }));
    const text = await render(rows, 'table', pipe);
    const widths = text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => widthOf(line));
    expect(widths).toEqual(rows.map(() => 7));
    expect(text.split('\n').slice(1, 4)).toEqual(['日本  |', 'ｱｲ    |', '한국  |']);
  });

  it('supports more rows than a function may have arguments', async () => {
    const text = await render(
      Array.from({ length: 130_000 }, (_, id) => ({ id })),
      'table',
      pipe,
    );
    expect(text.split('\n')).toHaveLength(130_002);
    expect(text.endsWith('\n129999\n')).toBe(true);
  });
});

describe('a table in a pipe', () => {
  const wide = [{ id: 'w_1', name: 'n'.repeat(60), description: 'd'.repeat(60), ok: true }];

  it('is not cut', async () => {
    expect(await render(wide, 'table', pipe)).toContain(`${'n'.repeat(60)}  ${'d'.repeat(60)}  yes\n`);
  });

  it('has a bold header row, and no other color', async () => {
    expect(await render([{ id: 'a', n: 1 }], 'table', { color: true })).toBe(
      lines('\u001b[1mID\u001b[22m  \u001b[1mN\u001b[22m', 'a   1'),
    );
    expect(await render({ id: 'a' }, 'table', { color: true })).toBe('\u001b[1mid\u001b[22m  a\n');
  });
});

describe('a table of a record', () => {
  it('has a line for each field', async () => {
    expect(await render({ id: 'w_1', on: false, none: null, tags: ['a', 'b'], o: { x: 1 } }, 'table', pipe)).toBe(
      lines('id    w_1', 'on    no', 'none', 'tags  a, b', 'o.x   1'),
    );
  });

  it('keeps the lines of a string below each other', async () => {
    expect(await render({ text: 'one\r\n  two\n\nthree\n', id: 1 }, 'table', pipe)).toBe(
      lines('text  one', '        two', '', '      three', 'id    1'),
    );
  });

  it('is a record if the field of the rows is not a list', async () => {
    expect(await render({ users: 3 }, 'table', { ...pipe, rows: 'users' })).toBe('users  3\n');
  });

  it('is empty for an empty record', async () => {
    expect(await render({}, 'table', pipe)).toBe('');
  });
});

describe('a table of a scalar', () => {
  it.each([
    ['a string\nof lines\t.', 'a string\nof lines\t.\n'],
    ['ends\n', 'ends\n'],
    ['', ''],
    [true, 'yes\n'],
    [12.5, '12.5\n'],
    [null, ''],
    [undefined, ''],
  ])('%j', async (value, text) => {
    expect(await render(value, 'table', pipe)).toBe(text);
  });
});

// An empty TSV cell is a tab.
it.each(formats.filter((one) => one !== 'tsv'))('%s has no spaces at the ends of lines', async (format) => {
  const value = [
    { id: 'x', b: null, c: '' },
    { id: 'long text', b: [], c: {} },
  ];
  for (const one of [value, value[0]])
    expect(await render(one, format, { color: true, width: 30 })).not.toMatch(/[ \t]$/m);
});

describe('json', () => {
  it('is one document of two spaces', async () => {
    expect(await render({ users: [1] }, 'json', { ...pipe, rows: 'users' })).toBe(
      lines('{', '  "users": [', '    1', '  ]', '}'),
    );
    expect(await render('text', 'json', pipe)).toBe('"text"\n');
    expect(await render(undefined, 'json', pipe)).toBe('null\n');
  });
});

describe('ndjson', () => {
  it('is one line per row', async () => {
    expect(
      await render(
        events.map(({ id }) => ({ id })),
        'ndjson',
        pipe,
      ),
    ).toBe('{"id":"e_1"}\n{"id":"e_20"}\n');
    expect(await render({ users: [1, 'a'] }, 'ndjson', { ...pipe, rows: 'users' })).toBe('1\n"a"\n');
    expect(await render([], 'ndjson', pipe)).toBe('');
  });

  it('is one line for anything else', async () => {
    expect(await render({ a: [1, 2] }, 'ndjson', pipe)).toBe('{"a":[1,2]}\n');
    expect(await render('x\ny', 'ndjson', pipe)).toBe('"x\\ny"\n');
  });
});

describe('toon', () => {
  it.each([
    [
      'a list of records',
      [
        { id: 1, name: 'a, b' },
        { id: 2, name: 'c' },
      ],
      '[2]{id,name}:\n  1,"a, b"\n  2,c\n',
    ],
    [
      'a long integer',
      { id: 12345678901234567890n, all: [9007199254740993n] },
      'id: 12345678901234567890\nall[1]: 9007199254740993\n',
    ],
    ['nothing', {}, '\n'],
    ['an empty list', [], '[]\n'],
    ['null', null, 'null\n'],
    ['empty values', { a: [], b: {}, c: '' }, 'a: []\nb:\nc: ""\n'],
    ['a missing field', { a: undefined, b: 1 }, 'b: 1\n'],
    ['strings that look like other values', ['1', 'true', 'null', '- a'], '[4]: "1","true","null","- a"\n'],
  ])('%s', async (_, value, expected) => {
    expect(await render(value, 'toon', pipe)).toBe(expected);
  });

  it('shows only the chosen fields', async () => {
    expect(await render([{ id: 1, b: 2 }], 'toon', { ...pipe, fields: ['b'] })).toBe('[1]{b}:\n  2\n');
  });
});

describe('yaml', () => {
  it('is in block style, without folding, anchors or words that other parsers read as booleans', async () => {
    const shared = { a: 'no', b: 'x '.repeat(100).trim() };
    expect(await render({ one: shared, two: [shared], text: 'l1\nl2\n', none: null }, 'yaml', pipe)).toBe(
      lines(
        ...['one:', '  a: "no"', `  b: ${shared.b}`, 'two:', '  - a: "no"', `    b: ${shared.b}`],
        ...['text: |', '  l1', '  l2', 'none: null'],
      ),
    );
  });
});

describe('rowsOf', () => {
  it.each([
    [[1], undefined, [1]],
    [{ a: [1] }, 'a', [1]],
    [{ a: [1] }, undefined, undefined],
    [{ a: 1 }, 'a', undefined],
    [null, 'a', []],
    [{ a: null }, 'a', []],
    [null, undefined, undefined],
    [{}, 'a', undefined],
    ['text', 'length', undefined],
  ])('of %j by %s', (value, rows, expected) => {
    expect(rowsOf(value, rows === undefined ? pipe : { ...pipe, rows })).toEqual(expected);
  });
});

it.each([
  ['', 0],
  ['abc', 3],
  ['日本', 4],
  ['ひらカタ', 8],
  ['ｱｲ', 2],
  ['Ａ！￥', 6],
  ['한국', 4],
  ['\u1112\u1161\u11ab', 2],
  ['😀', 2],
  ['🫠', 2],
  ['👍🏽', 2],
  ['❤️', 2],
  ['❤', 1],
  ['🇯🇵', 2],
  ['1️⃣', 2],
  ['e\u0301', 1],
  ['\u0301', 0],
  ['กำ', 2],
  ['नमस्ते', 4],
  ['…–“é', 4],
])('%s takes %i columns', (text, width) => {
  expect(widthOf(text)).toBe(width);
});

it.each([
  ['abcdef', 4, 'abc…'],
  ['abcd', 4, 'abcd'],
  ['日本語', 4, '日…'],
  ['日本語', 5, '日本…'],
  ['😀😀', 3, '😀…'],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ['abc', 1, '…'],
])('%s cut to %i columns', (text, width, expected) => {
  expect(cut(text, width)).toBe(expected);
});

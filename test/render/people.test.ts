/** What people see on a terminal: ages, local times, colored states, nested records, bars. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { ageText, instantOf, localText } from '../../src/render/amounts.ts';
import { type Bar, chart } from '../../src/render/chart.ts';
import { render, type View } from '../../src/render/index.ts';
import { widthOf } from '../../src/render/width.ts';

const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'America/St_Johns';
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const now = Date.parse('2026-03-10T12:00:00Z');
const terminal: View = { color: false, width: 80, now };
const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

describe('instants', () => {
  it.each([
    ['2026-03-10T11:59:01Z', 'just now'],
    ['2026-03-10T12:00:30Z', 'just now'],
    ['2026-03-10T11:59:00Z', '1 min ago'],
    ['2026-03-10T11:00:01Z', '59 min ago'],
    ['2026-03-10T11:00:00Z', '1 h ago'],
    ['2026-03-08T12:00:01Z', '47 h ago'],
    ['2026-03-08T12:00:00Z', '2 days ago'],
    ['2026-02-08T12:00:01Z', '29 days ago'],
    ['2026-02-08T02:00:00Z', '2026-02-07'],
    ['2026-03-12T13:00:00.5+01:00', 'in 2 days'],
    ['2026-03-10T12:05:00Z', 'in 5 min'],
    ['2026-03-10T12:04:31Z', 'in 5 min'],
    // Made a moment ago, for 90 days.
    ['2026-06-08T11:59:58Z', 'in 90 days'],
  ])('%s is %s', (text, age) => {
    expect(ageText(instantOf(text) as number, now)).toBe(age);
  });

  it.each([
    // Daylight saving time begins that night.
    ['2026-03-08T05:29:59Z', '2026-03-08 01:59:59'],
    ['2026-03-08T05:30:00Z', '2026-03-08 03:00:00'],
    ['0031-01-01T12:00:00Z', '0031-01-01 08:29:08'],
  ])('%s is %s in local time', (text, local) => {
    expect(localText(instantOf(text) as number)).toBe(local);
  });

  it.each(['2026-03-10', '12:00', '2026-13-45T99:99:99Z', 'x2026-03-10T12:00:00Z', 5, null, undefined, ''])(
    '%j is not a time',
    (value) => {
      expect(instantOf(value)).toBeUndefined();
    },
  );
});

describe('on a terminal', () => {
  const row = { id: 'w_1', created_at: '2026-03-10T11:55:00Z' };

  it('a list has ages and a record has local times, but a pipe gets the exact value', async () => {
    expect(await render([row], 'table', terminal)).toBe(lines('ID   CREATED', 'w_1  5 min ago'));
    expect(await render(row, 'table', terminal)).toBe(
      lines('ID       w_1', 'Created  2026-03-10 09:25 -02:30 (5 min ago)'),
    );
    for (const format of ['table', 'csv', 'json', 'yaml', 'tsv', 'ndjson'] as const)
      expect(await render([row], format, { color: false })).toContain('2026-03-10T11:55:00Z');
    expect(await render({ ...row, created_at: '2020-01-01T12:00:00Z' }, 'table', terminal)).toContain(
      'Created  2020-01-01 08:30 -03:30\n',
    );
  });
});

describe('a card', () => {
  const id = 'c7830485-0574-45e1-9139-9ef9b8a21958';

  it('has no negative field that is false, and no secret', async () => {
    const record = {
      name: 'ci',
      inactive: false,
      telemetry_disabled: false,
      verified: false,
      token: 'dtp_1',
    };
    expect(await render(record, 'table', terminal)).toBe(
      lines('ci', 'Verified  no', 'Token     (hidden; shown with --all-fields)', '+2 fields: --all-fields'),
    );
    expect(await render({ ...record, inactive: true }, 'table', terminal)).toContain('ci\n✘ inactive\nInactive  yes');
    const all = await render(record, 'table', { ...terminal, allFields: true });
    expect(all).toContain('Inactive            no');
    expect(all).toContain('dtp_1');
    expect(await render(record, 'json', terminal)).toContain('dtp_1');
    expect(await render(record, 'table', { ...terminal, fields: ['token'] })).toContain('dtp_1');
  });

  it('has a title, and plain words for the fields that have a value', async () => {
    const record = {
      ...{
        id,
        name: 'Pets',
        gen_lock_id: 'lock',
        organizationId: 'o_1',
        short_url: 'x',
        none: null,
        list: [],
      },
      ...{ text: '', inner: {}, count: 0, on: false, size: 12_400, elapsed_ms: 66, tags: ['a', 'b'] },
    };
    const text = lines(
      'Pets (c7830485)',
      `ID                  ${id}`,
      'Generation lock ID  lock',
      'Organization ID     o_1',
      'Short URL           x',
      'Count               0',
      'On                  no',
      'Size                12.4 kB',
      'Elapsed             66 ms',
      'Tags                a, b',
    );
    expect(await render(record, 'table', terminal)).toBe(text);
    expect(await render(record, 'table', { ...terminal, allFields: true })).toBe(
      text.replace(
        /(?<=Short URL .*\n)/,
        lines('None                -', 'List                -', 'Text                -', 'Inner               -'),
      ),
    );
    expect(await render(record, 'table', { ...terminal, fields: ['name', 'none'] })).toBe(
      lines('Name  Pets', 'None  -'),
    );
  });

  it('has a section for each inner record and list of records', async () => {
    const value = {
      owner: { name: 'Ann', at: { a: { b: { c: 1 } } }, none: {} },
      users: [{ id: 'u_1', on: true }],
      last: 'x',
    };
    expect(await render(value, 'table', terminal)).toBe(
      lines(
        ...['Last  x', '', 'Owner', '  Name  Ann', '', '  At', '    A', '      B  {"c":1}', ''],
        ...['Users', '  ID   ON', '  u_1  yes'],
      ),
    );
  });

  it.each([20, 30, 40, 80])('never breaks a value, at a width of %i', async (width) => {
    const values = [id, `sha256:${'0123456789abcdef'.repeat(4)}`, `https://x.test/${'a/'.repeat(40)}`];
    const text = await render({ values: values[0], b: values[1], c: values[2] }, 'table', {
      ...terminal,
      width,
    });
    for (const value of values) expect(text).toContain(`  ${value}\n`);
  });

  it('wraps sentences between words, below each other', async () => {
    const message = 'a sentence of several words that is longer than the room that is left for it';
    expect(await render({ message, id: 1 }, 'table', { ...terminal, width: 50 })).toBe(
      lines(
        'ID       1',
        'Message  a sentence of several words that is',
        '         longer than the room that is left for it',
      ),
    );
  });

  it('links URLs only if the terminal can and nothing in them could end the link', async () => {
    const url = 'https://x.test/a?b=c';
    const linked = `\u001b]8;;${url}\u001b\\${url}\u001b]8;;\u001b\\`;
    expect(await render({ url }, 'table', { ...terminal, links: true })).toBe(lines(`URL  ${linked}`));
    expect(await render({ url }, 'table', terminal)).toBe(lines(`URL  ${url}`));
    for (const bad of [`${url}\u0007`, `${url}\u001b\\x`, `${url}é`, `see ${url}`, 'javascript:x'])
      expect(await render({ bad }, 'table', { ...terminal, links: true })).not.toContain('\u001b]8');
  });
});

const link = 'https://docs.example.test/petstore/pets?page=2&sort=name';

test.each<[string, unknown, number, readonly string[]]>([
  [
    'several lines',
    'lint failed:\n\tline 3\r\n\tline 9\n',
    80,
    ['Error', '  lint failed:', '    line 3', '    line 9'],
  ],
  ['one line', 'failed\n', 80, ['Error  failed']],
  ['a URL with room', link, 80, [`Error  ${link}`]],
  ['a URL without room', link, 40, ['Error', `  ${link}`]],
  ['a URL in a sentence', `See ${link} for more.`, 40, ['Error', '  See', `  ${link}`, '  for more.']],
  ['URLs', [link, `${link}&desc`], 80, [`Error  ${link}`, `       ${link}&desc`]],
  ['URLs without room', [link, `${link}&desc`], 30, ['Error', `  ${link}`, `  ${link}&desc`]],
  ['strings of several lines', ['a\nb', 'c'], 80, ['Error', '  a', '  b', '  c']],
  ['short strings', ['a', 'b'], 80, ['Error  a, b']],
  ['a long string', 'x'.repeat(200_000), 80, ['Error', `  ${'x'.repeat(64 * 1024)}`, '  …']],
])('a card shows %s without a break in a value', async (_, error, width, expected) => {
  expect(await render({ error }, 'table', { ...terminal, width })).toBe(lines(...expected));
});

test('each URL of a list is a link', async () => {
  const linked = `\u001b]8;;${link}\u001b\\${link}\u001b]8;;\u001b\\`;
  expect(await render({ urls: [link, link] }, 'table', { ...terminal, links: true })).toBe(
    lines(`Urls  ${linked}`, `      ${linked}`),
  );
});

test('states have colors, and words with the same meaning', async () => {
  const rows = ['yes', 'running', 'failed', 'no', 'other'].map((word) => ({ word }));
  const text = await render(rows, 'table', { ...terminal, color: true });
  expect(text).toBe(
    lines(
      '\u001b[1mWORD\u001b[22m',
      '\u001b[32myes\u001b[39m',
      '\u001b[33mrunning\u001b[39m',
      '\u001b[31mfailed\u001b[39m',
      '\u001b[2mno\u001b[22m',
      'other',
    ),
  );
  expect(await render([{ on: true }, { on: false }], 'table', terminal)).toBe(lines('ON', 'yes', 'no'));
});

test('nested records become separate lines, and lists of records become tables', async () => {
  const value = {
    id: 1,
    owner: { name: 'Ann', at: { a: { b: { c: 1 } } }, none: {} },
    users: [{ id: 'u_1', on: true }],
    tags: [],
    last: 'x',
  };
  expect(await render(value, 'table', { color: false })).toBe(
    lines(
      'id            1',
      'owner.name    Ann',
      'owner.at.a.b  {"c":1}',
      'owner.none    {}',
      'tags',
      'last          x',
      '',
      'users',
      'ID   ON',
      'u_1  yes',
    ),
  );
});

describe('bars', () => {
  const bars: readonly Bar[] = [
    { label: 'typescript', value: 60, most: 120, note: '60 of 120' },
    { label: 'go', value: 120, most: 120, note: '120 of 120' },
    { label: 'a language with a very long name', value: 1, most: 120, note: '1 of 120' },
    { label: '日本', value: 0, most: 0, note: '0' },
  ];

  it('have the same scale and fit the width', () => {
    const text = chart(bars, 60, false);
    expect(text.split('\n').slice(0, 4)).toEqual([
      'typescript                ███████████░░░░░░░░░░░  60 of 120',
      'go                        ██████████████████████  120 of 120',
      'a language with a very …  ▏░░░░░░░░░░░░░░░░░░░░░  1 of 120',
      '日本                                              0',
    ]);
    for (const width of [20, 60, 81, 200])
      for (const line of chart(bars, width, false).trimEnd().split('\n'))
        expect(widthOf(line)).toBeLessThanOrEqual(Math.max(width, 24 + 8 + 10 + 4));
  });

  it('draw a part differently, however small', () => {
    const days: readonly Bar[] = [
      { label: 'a', value: 1000, marked: 1, note: '' },
      { label: 'b', value: 2, marked: 2, note: '' },
      { label: 'c', value: 1, note: '' },
    ];
    expect(
      chart(days, 25, false)
        .split('\n')
        .map((line) => line.trimEnd()),
    ).toEqual(['a  ███████████████████▒', 'b  ▒', 'c  ▏', '']);
    expect(chart(days.slice(1, 2), 20, true)).toContain('\u001b[31m▒');
  });

  it('are empty for no values', () => {
    expect(chart([], 80, false)).toBe('');
  });
});

test('a family emoji is one character, and a joiner anywhere else is escaped', async () => {
  const family = '👩‍👩‍👧';
  for (const format of ['table', 'csv', 'tsv', 'name', 'json', 'yaml'] as const)
    expect(await render([{ id: family }], format, terminal)).toContain(family);
  expect(await render([{ a: family, b: '|' }], 'table', terminal)).toBe(lines('A   B', `${family}  |`));
  for (const text of ['a\u200db', `${family}\u200d`, '\u200d👧', '👩\u200dx'])
    expect(await render([{ text }], 'csv', terminal)).toContain('\\u200d');
});

/** A list as a table on a terminal: which columns there are, how wide they are, and what their cells show. */
import { describe, expect, it } from 'vitest';
import { render, type View } from '../../src/render/index.ts';
import { widthOf } from '../../src/render/width.ts';

const pipe: View = { color: false };
const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

describe('a table on a terminal', () => {
  const wide = [{ id: 'w_1', name: 'n'.repeat(60), description: 'd'.repeat(60), ok: true }];

  it('fits by cutting the widest columns first', async () => {
    expect(await render(wide, 'table', { ...pipe, columns: ['id', 'name', 'description', 'ok'], width: 60 })).toBe(
      lines(
        `ID   ${'NAME'.padEnd(24)}  ${'DESCRIPTION'.padEnd(24)}  OK`,
        `w_1  ${'n'.repeat(23)}…  ${'d'.repeat(23)}…  yes`,
      ),
    );
  });

  it.each([60, 79, 80, 200])('is at most %i columns wide', async (width) => {
    const many = [Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`key_${i}`, '日本語'.repeat(i)]))];
    for (const value of [wide, many]) {
      const text = await render(value, 'table', { ...pipe, width });
      for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width);
    }
  });

  it('has no column wider than 60, unless it is wide', async () => {
    const long = [{ id: 'w_1', text: 'x'.repeat(100) }];
    expect(await render(long, 'table', { ...pipe, width: 200 })).toContain(`${'x'.repeat(59)}…\n`);
    expect(await render(long, 'table', { ...pipe, width: 80, wide: true })).toContain('x'.repeat(100));
  });

  it('leaves out lesser columns first, then the last ones, and says how many', async () => {
    const row = { a: 'a'.repeat(30), b: 'b'.repeat(30), c: 'c'.repeat(30), d: 'd'.repeat(30), e: 1 };
    const screen = ['a', { title: 'BEE', from: ['b'], isLesser: true }, 'c', 'd', 'e'] as const;
    const shown = async (width: number) =>
      (await render([row], 'table', { ...pipe, screen, width })).split('\n').filter((_, at) => at !== 1);
    expect(await shown(200)).toEqual([expect.stringMatching(/^A +BEE +C +D +E$/), '']);
    expect(await shown(70)).toEqual([expect.stringMatching(/^A +C +D +E$/), '+1 column: --wide', '']);
    expect(await shown(60)).toEqual([expect.stringMatching(/^A +C +D +E$/), '+1 column: --wide', '']);
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`k${at}`, 'x'.repeat(20)]));
    expect(await render([many], 'table', { ...pipe, width: 60 })).toMatch(/^K0 +K1 +K2\n.*\n\+6 columns: --wide\n$/);
  });

  it('shows records below each other if it is narrower than 60 columns', async () => {
    const rows = [
      { id: 'w_1', name: 'Pets', note: 'words that need more than one line' },
      { id: 'w_2', name: '', note: null },
    ];
    expect(await render(rows, 'table', { ...pipe, columns: ['name', 'id', 'note'], width: 30 })).toBe(
      lines(
        ...['Pets', '  ID: w_1', '  Note: words that need more', '        than one line', ''],
        ...['-', '  ID: w_2'],
      ),
    );
  });

  it('aligns numbers to the right', async () => {
    const rows = [
      { n: 5, t: 'a' },
      { n: 1234n, t: 'b' },
      { n: null, t: 'c' },
    ];
    expect(await render(rows, 'table', { ...pipe, width: 80 })).toBe(lines('   N  T', '   5  a', '1234  b', '      c'));
  });

  it('begins with the field that people know a row by, and leaves out empty fields', async () => {
    const rows = [{ a: 1, id: 'w_1', none: null, name: 'Pets', list: [], slug: 'pets' }];
    expect(await render(rows, 'table', { ...pipe, width: 80 })).toBe(lines('NAME  SLUG  ID   A', 'Pets  pets  w_1  1'));
    expect(await render(rows, 'table', { ...pipe, width: 80, allFields: true })).toContain('NONE  LIST');
  });

  it('shortens ids and digests, but keeps different ones apart', async () => {
    const [one, other] = ['01a2053f-92c1-7e72-bd6c-a184c4fa519b', '01a2053f-92c0-7777-9d01-3dd36cab3df5'];
    const digest = `sha256:${'4f0c91a2b7de'.repeat(6).slice(0, 64)}`;
    const shown = (rows: readonly object[], more = {}) =>
      render(rows, 'table', { ...pipe, width: 80, headers: false, ...more });
    expect(
      await shown([
        { id: one, digest },
        { id: one, digest },
      ]),
    ).toBe(lines('01a2053f  sha256:4f0c91a2b7de', '01a2053f  sha256:4f0c91a2b7de'));
    expect(await shown([{ id: one }, { id: other }])).toBe(lines('01a2053f-92c1', '01a2053f-92c0'));
    expect(await shown([{ id: one, digest }], { wide: true })).toBe(lines(`${one}  ${digest}`));
    expect(await shown([{ id: 'job_77d0a3b2c1d0e9f8' }])).toBe(lines('job_77d0a3b2c1d0e9f8'));
  });

  it('has a sign for the state of each row, in ASCII if need be', async () => {
    const rows = [{ id: 'a', success: true }, { id: 'b', success: false }, { id: 'c' }];
    const shown = (more: Partial<View>) => render(rows, 'table', { ...pipe, width: 80, ...more });
    expect(await shown({})).toBe(lines('  ID', '✔ a', '✘ b', '- c'));
    expect(await shown({ plainSigns: true })).toBe(lines('   ID', 'ok a', 'x  b', '-  c'));
    expect(await shown({ color: true })).toContain('\u001b[31m✘\u001b[39m b\n');
    expect(await shown({ fields: ['id', 'success'] })).toBe(lines('ID  SUCCESS', 'a   yes', 'b   no', 'c'));
    const states = [
      { id: 'a', status: 'running' },
      { id: 'b', status: 'failed' },
    ];
    expect(await render(states, 'table', { ...pipe, width: 80 })).toBe(
      lines('  ID  STATUS', '! a   running', '✘ b   failed'),
    );
  });

  it('shows the first field of a column that has a value, and joins fields', async () => {
    const screen = [
      { title: 'REPO', from: ['repo', 'owner/name', 'other'] },
      { title: 'TOOK', from: ['duration_ms'] },
      { title: 'SIZE', from: ['size'] },
    ];
    const rows = [
      { repo: 'r', owner: 'o', name: 'n', duration_ms: 5100, size: 12_400 },
      { owner: 'o', name: 'n', duration_ms: 12 },
      { owner: 'o', other: 'x' },
      {},
    ];
    expect(await render(rows, 'table', { ...pipe, screen, width: 80 })).toBe(
      lines('REPO   TOOK     SIZE', 'r     5.1 s  12.4 kB', 'o/n   12 ms', 'x', ''),
    );
  });
});

/** Rows with many fields: how many columns there may be, and how many values are read. */
import { describe, expect, test } from 'vitest';
import { render } from '../../src/render/index.ts';

describe('rows with different fields', () => {
  /** Rows with one field each, all different. Reads of their values are counted. */
  const differing = (count: number) => {
    const read: string[] = [];
    const rows = Array.from({ length: count }, (_, index) =>
      Object.defineProperty({}, `k${index}`, { enumerable: true, get: () => read.push(`k${index}`) }),
    );
    return { rows, read };
  };
  const formats = [
    ['csv', 1000],
    ['tsv', 1000],
    ['table', 100],
  ] as const;

  test.each(formats)('%s: more than %d are reported before a value is read', async (format, most) => {
    const { rows, read } = differing(most + 1);
    await expect(render(rows, format, { color: false })).rejects.toMatchObject({
      code: 'bad_response',
      message: `the rows have ${most + 1} different fields, which is too many for a table (limit: ${most})`,
      facts: { hint: 'Choose fields with --fields, or use -o json.' },
    });
    await expect(render({ rows }, format, { color: false, rows: 'rows' })).rejects.toThrow('limit');
    expect(read).toEqual([]);
  });

  test.each(formats)('%s: %d are shown, and with more, the chosen ones', async (format, most) => {
    const all = await render(differing(most).rows, format, { color: false });
    expect(all.split('\n')).toHaveLength(most + 2);
    expect(all.split('\n')[0]).toMatch(new RegExp(`k${most - 1}$`, 'i'));
    const named = await render(differing(most + 1).rows, format, { color: false, fields: [`k${most}`] });
    expect(named.trim()).toMatch(new RegExp(`^k${most}\n(?:""|\n)*1$`, 'i'));
  });

  test('on a terminal, at most 200 fields are read', async () => {
    const read = new Set<string>();
    const members = Array.from({ length: 2000 }, (_, index) => `k${index}`);
    const row = new Proxy(Object.fromEntries(members.map((name) => [name, 1])), {
      get: (target, name: string) => {
        read.add(name);
        return target[name];
      },
    });
    const text = await render([row], 'table', { color: false, width: 60 });
    expect(text).toMatch(/^K0 +K1 .*\n 1 +1 .*\n\+1\d\d columns: --wide\n$/);
    expect(read.size).toBe(200);
  });
});

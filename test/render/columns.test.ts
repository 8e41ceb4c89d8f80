/** Rows with many members: how many columns there may be, and how much is looked at for them. */
import { describe, expect, test } from 'vitest';
import { render } from '../../src/render/index.ts';

describe('rows whose members differ', () => {
  /** Rows of one member each, no two alike; reads of their values are counted. */
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

  test.each(formats)('%s: more than %d are told before a value is looked at', async (format, most) => {
    const { rows, read } = differing(most + 1);
    await expect(render(rows, format, { color: false })).rejects.toMatchObject({
      code: 'bad_response',
      message: `the rows have ${most + 1} different members, which are too many columns (${most} at most)`,
      facts: { hint: 'Name those to show with --fields, or use -o json.' },
    });
    await expect(render({ rows }, format, { color: false, rows: 'rows' })).rejects.toThrow('at most');
    expect(read).toEqual([]);
  });

  test.each(formats)('%s: %d are shown, and of more those that are named', async (format, most) => {
    const all = await render(differing(most).rows, format, { color: false });
    expect(all.split('\n')).toHaveLength(most + 2);
    expect(all.split('\n')[0]).toMatch(new RegExp(`k${most - 1}$`, 'i'));
    const named = await render(differing(most + 1).rows, format, { color: false, fields: [`k${most}`] });
    expect(named.trim()).toMatch(new RegExp(`^k${most}\n+1$`, 'i'));
  });

  test('a terminal looks at no more columns than it has room for', async () => {
    const read: string[] = [];
    const members = Array.from({ length: 2000 }, (_, index) => `k${index}`);
    const row = new Proxy(Object.fromEntries(members.map((name) => [name, 1])), {
      get: (target, name: string) => {
        read.push(name);
        return target[name];
      },
    });
    expect(await render([row], 'table', { color: false, width: 12 })).toBe('K0  K1  …\n1   1\n');
    expect(read.length).toBeLessThanOrEqual(13);
  });
});

/** A list that is written row by row, in any groups, is the same text as the whole list. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Format, formats } from '../../src/render/formats.ts';
import { render, rowWriter } from '../../src/render/index.ts';
import { property } from '../support/property.ts';

const view = { color: false };
const plain = fc.oneof(
  fc.constantFrom(null, true, 1.5, 12345678901234567890n, '', 'a', '1', 'x: y', '‮', '-'),
  fc.string(),
);
const name = fc.constantFrom('id', 'a b', 'toString', '__proto__', '1', 'created_at');
const record = fc
  .uniqueArray(fc.tuple(name, plain), { selector: ([one]) => one, maxLength: 4 })
  .map((all) => Object.fromEntries(all));
/** Records with the same fields, which may have another order. */
const alike = fc.array(fc.tuple(plain, plain, fc.boolean()).map(([id, b, turned]) => (turned ? { b, id } : { id, b })));
const nested = fc.oneof(
  record,
  plain,
  fc.array(plain, { maxLength: 3 }),
  fc.record({ id: plain, more: fc.array(record, { maxLength: 2 }) }),
);
const list = fc.oneof(alike, fc.array(record), fc.array(plain), fc.array(nested));

/** Writes a list in groups of these sizes, in turn. */
async function inGroups(
  rows: readonly unknown[],
  format: Format,
  sizes: readonly number[],
): Promise<string | undefined> {
  const writer = await rowWriter(format, view);
  if (!writer) return undefined;
  const groups: (readonly unknown[])[] = [];
  for (let at = 0, turn = 0; at < rows.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    groups.push(rows.slice(at, at + size));
    at += size;
  }
  for (const group of groups) writer.look?.(group);
  let text = '';
  for (const group of groups) text += [...(await writer.write(group))].join('');
  return text + writer.end();
}

const rowByRow: readonly Format[] = ['json', 'ndjson', 'csv', 'tsv', 'toon', 'name'];

test('the formats that are written row by row', async () => {
  const found = await Promise.all(formats.map(async (format) => ((await rowWriter(format, view)) ? [format] : [])));
  expect(found.flat().sort()).toEqual([...rowByRow].sort());
});

for (const format of rowByRow.filter((one) => one !== 'name'))
  property(
    `${format} has the same text`,
    [list, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 })],
    async (rows, sizes) => {
      expect(await inGroups(rows, format, sizes)).toBe(await render(rows, format, view));
    },
  );

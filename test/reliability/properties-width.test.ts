/**
 * Terminal columns: the width of strings, where they are cut and wrapped, that no table is too wide; and dates
 * for people.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import { ageText, instantOf, localText } from '../../src/render/amounts.ts';
import { table } from '../../src/render/table.ts';
import { cut, widthOf, wrapLines } from '../../src/render/width.ts';
import { harmless, property } from '../support/property.ts';

/** Letters with the width that every terminal gives them. */
const letters: readonly (readonly [letter: string, columns: number])[] = [
  ...[...'abcdefgXYZ 0123456789.,-_/{}'].map((one) => [one, 1] as const),
  ...[...'éßñøЖдλ…│█'].map((one) => [one, 1] as const),
  ...[...'漢字かなカナ한글，'].map((one) => [one, 2] as const),
  ...['e\u0301', 'n\u0303'].map((one) => [one, 1] as const),
  ...['😀', '🚀', '👩‍💻', '🏳️‍🌈', '❤️', '👍🏽'].map((one) => [one, 2] as const),
];
const letter = fc.constantFrom(...letters);
const measured = fc.array(letter, { maxLength: 60 }).map((all) => ({
  text: all.map(([one]) => one).join(''),
  columns: all.reduce((sum, [, columns]) => sum + columns, 0),
  parts: all,
}));

/** The width by the table above only. */
const columnsOf = (text: string): number => {
  const known = [...letters].sort(([one], [other]) => other.length - one.length);
  let sum = 0;
  for (let at = 0; at < text.length; ) {
    const [found, columns] = known.find(([one]) => text.startsWith(one, at)) ?? [text[at] as string, 1];
    sum += columns;
    at += found.length;
  }
  return sum;
};

property('a string is as wide as its letters', [measured], ({ text, columns }) => {
  expect(widthOf(text)).toBe(columns);
});

property(
  'a string that fits is not cut; otherwise it becomes its start and an ellipsis that fit',
  [measured, fc.integer({ min: 1, max: 70 })],
  ({ text, columns }, width) => {
    const shown = cut(text, width);
    expect(columnsOf(shown)).toBeLessThanOrEqual(width);
    if (columns <= width) return expect(shown).toBe(text);
    expect(shown.endsWith('…')).toBe(true);
    expect(text.startsWith(shown.slice(0, -1))).toBe(true);
    // One more letter would not have fit.
    expect(columnsOf(shown)).toBeGreaterThanOrEqual(width - 1);
  },
);

property(
  'wrapping a string loses only spaces, and no line is too wide',
  [measured, fc.integer({ min: 2, max: 40 })],
  ({ text }, width) => {
    const lines = wrapLines(text, width);
    expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
    expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    // Surrounding spaces are not part of a line.
    if (columnsOf(text.trim()) <= width) expect(lines.map((line) => line.trim())).toEqual([text.trim()]);
  },
);

const value = fc.oneof(
  measured.map(({ text }) => text),
  harmless,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(harmless, { maxLength: 3 }),
);
const record = fc.dictionary(harmless, value, { noNullPrototype: true, minKeys: 1, maxKeys: 8 });

property(
  'no line of a list is wider than the terminal',
  [fc.array(record, { minLength: 1, maxLength: 8 }), fc.integer({ min: 60, max: 160 })],
  async (rows, width) => {
    const lines = (await table(rows, { color: false, width, now: 0 })).split('\n');
    expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
    expect([2, 3]).toContain(lines.length - rows.length);
  },
);

property(
  'on a narrow terminal, only a word that must not be broken is wider',
  [fc.array(record, { minLength: 1, maxLength: 8 }), fc.integer({ min: 24, max: 59 })],
  async (rows, width) => {
    const lines = (await table(rows, { color: false, width, now: 0 })).split('\n');
    for (const line of lines.filter((line) => columnsOf(line) > width))
      expect(line.trim().replace(/^\S*: /, '')).not.toContain(' ');
  },
);

property(
  'nothing of a record is lost, and only a word that must not be broken is wider than the terminal',
  [
    fc.dictionary(fc.string({ unit: fc.constantFrom(...'abcde_'), minLength: 1, maxLength: 8 }), measured, {
      noNullPrototype: true,
      minKeys: 1,
      maxKeys: 6,
    }),
    fc.integer({ min: 20, max: 120 }),
  ],
  async (all, width) => {
    const one = Object.fromEntries(Object.entries(all).map(([name, { text }]) => [name, text]));
    const shown = await table(one, { color: false, width, now: 0 });
    for (const line of shown.split('\n').filter((line) => columnsOf(line) > width))
      expect(line.slice(line.search(/ {2}/)).trim()).not.toContain(' ');
    for (const text of Object.values(one)) for (const word of text.split(' ')) expect(shown).toContain(word);
  },
);

const instant = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});

property(
  'a time is read with any offset, and any other string is invalid',
  [instant, fc.integer({ min: -14 * 60, max: 14 * 60 }), harmless],
  (date, offset, other) => {
    const there = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
    const [sign, by] = [offset < 0 ? '-' : '+', Math.abs(offset)];
    const zone = `${String(Math.floor(by / 60)).padStart(2, '0')}:${String(by % 60).padStart(2, '0')}`;
    expect(instantOf(`${there}${sign}${zone}`)).toBe(date.getTime());
    expect(instantOf(date.toISOString())).toBe(date.getTime());
    expect(new Date(localText(date.getTime()).replace(' ', 'T')).getTime()).toBe(
      Math.floor(date.getTime() / 1000) * 1000,
    );
    expect(instantOf(other)).toBeUndefined();
  },
);

property(
  'an age is exact to its unit',
  [instant, fc.integer({ min: -400 * 86_400_000, max: 40 * 86_400_000 })],
  (date, distance) => {
    const at = date.getTime();
    const shown = ageText(at, at + distance);
    // Times ahead are rounded to the minute.
    const far = distance < 0 ? -distance + 30_000 : distance;
    const [, ahead, count, unit, ago] = /^(in )?(\d+) (min|h|days)( ago)?$/.exec(shown) ?? [];
    if (Math.abs(distance) < 60_000) return expect(shown).toBe('just now');
    if (far >= (distance < 0 ? 366 : 30) * 86_400_000) return expect(shown).toBe(localText(at).slice(0, 10));
    expect([ahead !== undefined, ago !== undefined]).toEqual([distance < 0, distance > 0]);
    const size = { min: 60_000, h: 3_600_000, days: 86_400_000 }[unit as 'min' | 'h' | 'days'];
    expect(Math.floor(far / size)).toBe(Number(count));
  },
);

/** SECURITY.md: the tests that it names exist, and each reliability test proves one of its promises. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const text = readFileSync(join(root, 'SECURITY.md'), 'utf8');

/** A name without a folder is in the folder of the name before it. */
const named = [...text.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, name = '']) =>
  name.includes('/') ? name : `test/reliability/${name}`,
);

test('each named test exists', () => {
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

test('each reliability test is named', () => {
  const all = readdirSync(join(root, 'test/reliability')).map((name) => `test/reliability/${name}`);
  expect(all.filter((name) => !named.includes(name))).toEqual([]);
});

test('each promise names its test', () => {
  const rows = text.split('\n').filter((line) => /^\|(?! Promise|---)/.test(line));
  expect(rows.filter((line) => !/`\S+\.test\.ts` \|$/.test(line))).toEqual([]);
});

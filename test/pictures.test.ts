/** The pictures of the documents show the screens of test/screens. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { picture, pictures } from '../scripts/pictures.mjs';
import { plain } from './support/screen-colors.ts';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'docs/pictures');
const names = Object.keys(pictures) as (keyof typeof pictures)[];

test('each picture is generated, and there is no other', () => {
  expect(readdirSync(folder).sort()).toEqual([...names, 'page.png'].sort());
});

test('the picture of the page is light, and the README describes it', () => {
  expect(statSync(join(folder, 'page.png')).size).toBeLessThan(120_000);
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toMatch(/!\[[^\]]{40,}\]\(docs\/pictures\/page\.png\)/);
});

test.each(names)('%s is as generated, and has every word of its screens as text', (name) => {
  const svg = readFileSync(join(folder, name), 'utf8');
  expect(svg).toBe(picture(name));
  const shown = svg
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s/g, '');
  for (const screen of pictures[name]) {
    const text = plain(readFileSync(join(root, `test/screens/${screen}.txt`), 'utf8'));
    const colored = text.split('\n── ').find((one) => /^[^\n]*\b80\b[^\n]*color/.test(one)) ?? '';
    const words = colored.split('\n').slice(1).join('').replace(/\s/g, '');
    expect(words.length).toBeGreaterThan(20);
    expect(shown).toContain(words.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
  }
});

test('a picture has dark colors too, and nothing from elsewhere', () => {
  for (const name of names) {
    const svg = readFileSync(join(folder, name), 'utf8');
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/href|url\(|@import|<script/);
  }
});

/** Numbers agree with their nouns. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { amount } from '../../src/render/amounts.ts';

test.each([
  [0, '0 events'],
  [1, '1 event'],
  [2, '2 events'],
] as const)('%i', (count, text) => {
  expect(amount(count, 'event')).toBe(text);
  expect(amount(count, 'batch is', 'batches are')).toBe(count === 1 ? '1 batch is' : `${count} batches are`);
});

/** A number that may be one, followed by a noun in the plural. Limits and numbers of at least two are not matched. */
const fixed =
  /\$\{(?![^}]*(?:limits|most|longest|depthLimit|counted))[^{}]*\} (?:more |queued |invalid |event )?(?:events|files|batches|tools|columns|lines|profiles|tokens)\b/g;

/** Ranges such as `3 of 12 events`, in which the number is never one, or the words are chosen next to it. */
const allowed = ['commands/operation/period.ts', 'render/bounds.ts', 'commands/artifacts/contents.ts'];

test('no sentence has a fixed plural after a number', () => {
  const src = resolve(import.meta.dirname, '../../src');
  const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.startsWith('service/') && !allowed.includes(file))
    .flatMap((file) => (readFileSync(join(src, file), 'utf8').match(fixed) ?? []).map((one) => `${file}: ${one}`));
  expect(found).toEqual([]);
});

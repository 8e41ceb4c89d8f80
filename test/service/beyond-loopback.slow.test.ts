/** The tests that SECURITY.md names for the embedded service, over TLS, as if clients were on other machines. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const text = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8');
const [section = ''] = /\n## The embedded service\n.*?\n## /s.exec(text) ?? [];
const files = [
  ...new Set([...section.matchAll(/`(test\/service\/[\w/-]+(?<!\.slow)\.test\.ts)`/g)].map(([, file = '']) => file)),
];

beforeAll(() => {
  process.env.DTP_TEST_TLS = '1';
});
afterAll(() => {
  delete process.env.DTP_TEST_TLS;
});

test('the files are known', () => {
  expect(files.length).toBeGreaterThanOrEqual(11);
});

describe.each(files)('%s', async (file) => {
  // The query makes it another module, so its tests are registered here too.
  await import(/* @vite-ignore */ new URL(`../../${file}?beyond-loopback`, import.meta.url).href);
});

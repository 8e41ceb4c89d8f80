/** `dtp artifacts push` asks for a missing document and reference on a terminal. */
import { expect, test } from 'vitest';
import { document, registry, write } from '../../support/artifacts.ts';

const world = { tty: true, env: { TERM: 'dumb' } };

test.each([
  ['push', ['push'], true],
  ['push of a document', ['push', 'openapi.json'], false],
])('%s', async (_, words, asksFile) => {
  const { run, home } = await registry();
  write(home, { 'openapi.json': document() });
  const typed = [
    ...(asksFile ? [['API document, or a folder', 'openapi.json'] as const] : []),
    ['NAMESPACE:TAG (a new namespace is created)', 'pets:v1'] as const,
  ];
  const { code, stderr } = await run(words, { ...world, typed });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('Running: dtp artifacts push openapi.json pets:v1');
  expect(stderr).toContain('Pushed pets:v1');
});

test('a wrong document is reported before the next question', async () => {
  const { run } = await registry();
  const { code, stderr } = await run(['push', 'nope.json'], { ...world, typed: [] });
  expect([code, stderr]).toEqual([2, expect.stringContaining('file not found: nope.json')]);
});

test('the earlier flag for the namespace still works, and nothing is asked', async () => {
  const { run, home } = await registry();
  write(home, { 'openapi.json': document() });
  const { code, stderr } = await run(['push', 'openapi.json', '--namespace', 'pets', '--tag', 'v1'], {
    ...world,
    typed: [],
  });
  expect(code, stderr).toBe(0);
});

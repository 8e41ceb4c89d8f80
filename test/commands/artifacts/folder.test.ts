/** What a push of a folder packs: links, hidden files, pipes, strings that look like references, and changing files. */
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeBundle } from '../../../src/commands/artifacts/bundle.ts';
import { openNamed } from '../../../src/files/open.ts';
import { document, dryPush as dry, write } from '../../support/artifacts.ts';
import { temporaryFolder } from '../../support/context.ts';

test('a folder is packed with the targets of its links, and with hidden files the document refers to if they are included', async () => {
  const place = temporaryFolder();
  write(place, {
    'd/openapi.json': document('a.json', '.common/b.json', 'linked.json'),
    'd/a.json': '{}',
    'd/.common/b.json': '{}',
    'd/.hidden': 'x',
    'd/real.json': '{}',
  });
  symlinkSync('real.json', join(place, 'd/linked.json'));
  const { stdout } = await dry(place, ['d', '--include', 'd/.common']);
  expect(JSON.parse(stdout).files).toEqual([
    '.common/b.json',
    ...['a.json', 'linked.json', 'openapi.json', 'real.json'],
  ]);
});

test('a document that is a link is packed', async () => {
  const place = temporaryFolder();
  write(place, { 'd/root.json': document() });
  symlinkSync('root.json', join(place, 'd/openapi.json'));
  expect(JSON.parse((await dry(place, ['d'])).stdout).files).toEqual(['openapi.json', 'root.json']);
});

test.each([
  ['to nowhere', 'nowhere'],
  ['out of the folder', '../outside.json'],
  ['to a folder', '.'],
])('a link %s is refused', async (_, target) => {
  const place = temporaryFolder();
  write(place, { 'outside.json': '{}', 'd/openapi.json': document() });
  symlinkSync(target, join(place, 'd/link.json'));
  const { code, stderr } = await dry(place, ['d']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('link.json is a link that does not lead to a file')]);
});

test('a pipe is refused without waiting for it', async () => {
  const place = temporaryFolder();
  execFileSync('mkfifo', [join(place, 'openapi.yaml')]);
  const { code, stderr } = await dry(place, ['openapi.yaml']);
  expect([code, stderr]).toEqual([2, 'error: openapi.yaml is neither a file nor a folder\n']);
});

test('a $ref in an example is a string, but one next to it is a reference', async () => {
  const place = temporaryFolder();
  const info = { title: 'T', version: '1' };
  const push = (rest: object) => {
    write(place, { 'openapi.json': JSON.stringify({ openapi: '3.1.0', info, ...rest }), 'a.json': '{}' });
    return dry(place, ['openapi.json']);
  };
  const missing = { $ref: 'missing.json' };
  for (const rest of [
    { example: missing },
    { examples: [missing] },
    { x: { default: { deep: [missing] }, enum: [missing], const: missing } },
  ])
    expect((await push(rest)).code).toBe(0);
  for (const rest of [
    { properties: { example: missing } },
    { responses: { default: missing } },
    { x: [missing, { example: missing }] },
  ])
    expect((await push(rest)).code).toBe(2);
  const both = await push({ example: { $ref: 'a.json' } });
  expect(JSON.parse(both.stdout).files).toEqual(['a.json', 'openapi.json']);
});

test('a file that changes during packing is an error', async () => {
  const place = temporaryFolder();
  const path = join(place, 'openapi.json');
  write(place, { 'openapi.json': document() });
  const fileAt = (name: string) => ({
    name,
    path,
    real: path,
    open: () => openNamed({ cwd: place, home: place, env: {} }, path, { name }),
  });
  const { signal } = new AbortController();
  // Called between the pieces, at the moment when somebody else writes.
  const meddling = new Proxy(signal, {
    get: (target, name) => {
      if (name !== 'throwIfAborted') return Reflect.get(target, name, target);
      writeFileSync(path, document('#/changed'));
      return () => target.throwIfAborted();
    },
  });
  const packing = writeBundle([fileAt('openapi.json')], join(place, 'bundle.zip'), meddling);
  await expect(packing).rejects.toThrow('openapi.json changed while it was being packed');
  const bundle = await writeBundle([fileAt('a')], join(place, 'again.zip'), signal);
  expect(bundle.size).toBeGreaterThan(0);
  await bundle.close();
});

/** Files of `dtp mcp` whose paths are redirected at the moment when they are opened. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pushRevision } from '../../src/commands/artifacts/push.ts';
import type { Context } from '../../src/context.ts';
import type { Invocation } from '../../src/invocation/invocation.ts';
import { openRoots } from '../../src/mcp/roots.ts';
import { temporaryFolder } from '../support/context.ts';

/** What happens before and after the next opening of a path with this ending. */
const swap = vi.hoisted(() => ({
  end: '',
  there: () => undefined as unknown,
  back: () => undefined as unknown,
  hasProc: true,
}));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return {
    ...real,
    open: (path: string, flags: number, done: (error: Error | null, fd: number) => void) => {
      const isSwapped = swap.end !== '' && path.endsWith(swap.end);
      if (isSwapped) swap.there();
      real.open(path, flags, (error, fd) => {
        if (isSwapped) swap.back();
        done(error, fd);
      });
    },
    existsSync: (path: string) => (path === '/proc/self/fd' ? swap.hasProc : real.existsSync(path)),
  };
});

let folder: string;
let root: string;
beforeEach(() => {
  folder = temporaryFolder();
  root = join(folder, 'root');
  for (const one of ['root/a/b', 'other/b', 'config']) mkdirSync(join(folder, one), { recursive: true });
  writeFileSync(join(root, 'a', 'b', 'pet.yaml'), 'a: inside');
  writeFileSync(join(folder, 'other', 'b', 'pet.yaml'), 'a: canary');
  writeFileSync(join(folder, 'other', 'pet.yaml'), 'a: canary');
  writeFileSync(join(root, 'root.yaml'), 'a: { $ref: a/b/pet.yaml }');
});
afterEach(() => {
  swap.end = '';
  swap.hasProc = true;
});

const opened = (given = [root]) => {
  const context = { cwd: folder, home: folder, env: { DTP_CONFIG_DIR: join(folder, 'config') } };
  return openRoots({ ...context, signal: new AbortController().signal } as unknown as Context, given);
};

/** Replaces a folder or a file with a link while a path with this ending is opened. */
function exchange(path: string, to: string) {
  swap.end = 'pet.yaml';
  swap.there = () => {
    renameSync(join(root, path), join(folder, 'aside'));
    symlinkSync(join(folder, to), join(root, path));
  };
  swap.back = () => {
    unlinkSync(join(root, path));
    renameSync(join(folder, 'aside'), join(root, path));
  };
}

const ways = [
  ['a file', 'a/b/pet.yaml', async () => (await opened()).file({ path: 'a/b/pet.yaml' }, 'x')],
  ['a string', 'a/b/pet.yaml', async () => (await opened()).text({ path: 'a/b/pet.yaml' }, 'x')],
  ['a file that a document refers to', '', async () => (await opened()).file({ path: 'root.yaml' }, 'x', true)],
  ['the same as a string', '', async () => (await opened()).text({ path: 'root.yaml' }, 'x', true)],
  [
    'a file of the second root',
    '',
    async () => (await opened([join(root, 'a', 'b'), root])).text({ path: 'a/b/pet.yaml' }, 'x'),
  ],
] as const;

describe.each([
  ['with /proc', true],
  ['without /proc', false],
])('%s', (_, hasProc) => {
  test.each(ways)('%s is read if nothing is replaced', async (_, __, read) => {
    swap.hasProc = hasProc;
    const found = await read();
    expect(typeof found === 'string' ? found : found.size).toBeTruthy();
  });

  describe.each(ways)('%s', (_, __, read) => {
    test.each([
      ['its folder', 'a/b', 'other/b'],
      ['the folder above it', 'a', 'other'],
      ['the file itself', 'a/b/pet.yaml', 'other/pet.yaml'],
    ])('is not read from elsewhere if %s is replaced with a link', async (_, path, to) => {
      swap.hasProc = hasProc;
      exchange(path, to);
      await expect(read()).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringMatching(/is not in|changed while it was being opened|cannot be read \(ELOOP\)/),
      });
    });
  });
});

test('a folder that is replaced with a link before its files are listed is not pushed', async () => {
  for (const one of [join(root, 'a'), join(folder, 'other')])
    writeFileSync(join(one, 'openapi.yaml'), 'openapi: 3.1.0');
  const place = await (await opened()).place('a', 'path');
  const { real } = place;
  renameSync(real, join(folder, 'aside'));
  symlinkSync(join(folder, 'other'), real);
  const { signal } = new AbortController();
  const context = { cwd: folder, home: folder, env: {}, signal };
  const invocation = { context, globals: {}, argv: [], log: {} } as unknown as Invocation;
  await expect(pushRevision(invocation, { args: [real, 'pets'], flags: {}, place })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('is not in'),
  });
});

test.skipIf(process.platform === 'win32')('a pipe or a device that replaces a file is not waited for', async () => {
  for (const make of [
    () => execFileSync('mkfifo', [join(root, 'a', 'b', 'pet.yaml')]),
    () => symlinkSync('/dev/zero', join(root, 'a', 'b', 'pet.yaml')),
  ]) {
    const path = join(root, 'a', 'b', 'pet.yaml');
    swap.end = 'pet.yaml';
    swap.there = () => {
      rmSync(path);
      make();
    };
    swap.back = () => {
      rmSync(path);
      writeFileSync(path, 'a: inside');
    };
    await expect((await opened()).file({ path: 'a/b/pet.yaml' }, 'x')).rejects.toMatchObject({
      code: 'usage',
    });
  }
});

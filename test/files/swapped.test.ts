/** Files and folders that are replaced with links between the check and the use. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { contentsOf } from '../../src/commands/artifacts/contents.ts';
import { appendLine } from '../../src/files/append.ts';
import { openNamed, readAllOf } from '../../src/files/open.ts';
import { writeNamedFile } from '../../src/files/output.ts';
import { openFiles } from '../../src/input/files.ts';
import { temporaryFolder } from '../support/context.ts';

/** Called before and after the next opening of a path with this ending. */
const swap = vi.hoisted(() => ({
  end: '',
  there: () => undefined as unknown,
  back: () => undefined as unknown,
}));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const isSwapped = (path: string) => swap.end !== '' && path.endsWith(swap.end);
  return {
    ...real,
    open: (path: string, flags: number, done: (error: Error | null, fd: number) => void) => {
      if (!isSwapped(path)) return real.open(path, flags, done);
      swap.there();
      real.open(path, flags, (error, fd) => {
        swap.back();
        done(error, fd);
      });
    },
    openSync: (path: string, flags: number, mode?: number) => {
      if (!isSwapped(path)) return real.openSync(path, flags, mode);
      swap.there();
      try {
        return real.openSync(path, flags, mode);
      } finally {
        swap.back();
      }
    },
  };
});

let home: string;
let cwd: string;
let outside: string;
beforeEach(() => {
  home = temporaryFolder();
  [cwd, outside] = [join(home, 'repository'), join(home, 'outside')];
  for (const folder of [join(cwd, '.git'), join(cwd, 'a/b'), join(outside, 'b')])
    mkdirSync(folder, { recursive: true });
  for (const [folder, mark] of [
    [join(cwd, 'a/b'), 'inside'],
    [join(outside, 'b'), 'canary'],
    [outside, 'canary'],
  ] as const)
    writeFileSync(join(folder, 'pet.json'), JSON.stringify({ openapi: '3.1.0', info: { title: mark } }));
});
afterEach(() => {
  swap.end = '';
});

const context = () => ({ cwd, home, env: {}, stdin: process.stdin, signal: new AbortController().signal });

/** Replaces a part of the path with a link, and puts it back after the opening unless it `stays`. */
function exchange(end: string, path: string, to: string, stays = false) {
  swap.end = end;
  swap.there = () => {
    renameSync(join(cwd, path), join(home, 'aside'));
    symlinkSync(join(outside, to), join(cwd, path));
  };
  swap.back = () => {
    if (stays) return;
    rmSync(join(cwd, path));
    renameSync(join(home, 'aside'), join(cwd, path));
  };
}

const places: readonly (readonly [name: string, path: string, to: string])[] = [
  ['the file', 'a/b/pet.json', 'pet.json'],
  ['its folder', 'a/b', 'b'],
  ['the folder above', 'a', ''],
];

describe.each([true, false])('if the link stays: %s', (stays) => {
  test.each(places)('%s is replaced while it is opened for reading', async (_, path, to) => {
    exchange('pet.json', path, to, stays);
    await expect(openNamed(context(), 'a/b/pet.json', { name: 'x' })).rejects.toThrow(
      /because the link|outside of|ELOOP|changed/,
    );
  });

  test.each(places.slice(1))('%s is replaced while a result is written', async (_, path, to) => {
    exchange('/a/b', path, to, stays);
    await writeNamedFile(context(), 'a/b/out.json', 'x', { replace: true }).catch(() => undefined);
    expect(readdirSync(join(outside, 'b'))).toEqual(['pet.json']);
  });

  test.each(places.slice(1))('%s is replaced while a record is appended', async (_, path, to) => {
    exchange('/a/b', path, to, stays);
    appendLine(context(), 'a/b/log.ndjson', 'x');
    expect(readdirSync(join(outside, 'b'))).toEqual(['pet.json']);
  });
});

test.each(places)('%s is replaced between the first check and the upload', async (_, path, to) => {
  const file = await openFiles(context()).file('a/b/pet.json', '--file');
  exchange('', path, to, true);
  swap.there();
  const sent: string[] = [];
  const send = async () => {
    for await (const piece of file.open()) sent.push(Buffer.from(piece).toString());
  };
  await expect(send()).rejects.toThrow(/because the link/);
  expect(sent).toEqual([]);
});

test.each(places)('%s is replaced between the check and the packing of a bundle', async (_, path, to) => {
  const { files } = await contentsOf(context(), 'a/b/pet.json');
  exchange('', path, to, true);
  swap.there();
  await expect(files[0]?.open()).rejects.toThrow(/changed|cannot be read/);
});

test('nothing is replaced', async () => {
  const file = await openNamed(context(), 'a/b/pet.json', { name: 'x' });
  expect(Buffer.from((await readAllOf(file, context().signal)) ?? []).toString()).toContain('inside');
  await writeNamedFile(context(), 'a/b/out.json', 'x', { replace: true });
  expect(appendLine(context(), 'a/b/log.ndjson', 'x')).toBeUndefined();
  expect(readFileSync(join(cwd, 'a/b/out.json'), 'utf8')).toBe('x');
  expect(readFileSync(join(cwd, 'a/b/log.ndjson'), 'utf8')).toBe('x');
});

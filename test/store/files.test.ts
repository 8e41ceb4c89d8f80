/** Atomic file writes. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileWhole } from '../../src/store/files.ts';

const place = { folder: '' };
beforeEach(() => {
  place.folder = mkdtempSync(join(tmpdir(), 'dtp-files-'));
});
afterEach(() => rm(place.folder, { recursive: true, force: true }));

const at = (name: string) => join(place.folder, name);
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

async function* chunks(...all: string[]) {
  for (const one of all) yield Buffer.from(one);
}

describe('writeFileWhole', () => {
  it.each([
    ['text', () => 'é one'],
    ['bytes', () => Buffer.from('é one')],
    ['chunks', () => chunks('é ', 'o', 'ne')],
  ])('writes %s with private permissions, and leaves no other file', async (_, content) => {
    await writeFileWhole(at('a'), content(), { replace: false });
    expect(readFileSync(at('a'), 'utf8')).toBe('é one');
    expect(modeOf(at('a'))).toBe('600');
    expect(readdirSync(place.folder)).toEqual(['a']);
  });

  it('sets the requested mode', async () => {
    await writeFileWhole(at('a'), 'x', { replace: false, mode: 0o640 });
    expect(modeOf(at('a'))).toBe('640');
  });

  it('writes more than a pipe buffer or a page', async () => {
    const large = Buffer.alloc(3_000_001, 'x');
    await writeFileWhole(at('a'), large, { replace: false });
    expect(readFileSync(at('a')).equals(large)).toBe(true);
  });

  it('replaces a file only if allowed', async () => {
    writeFileSync(at('a'), 'old', { mode: 0o644 });
    await expect(writeFileWhole(at('a'), 'new', { replace: false })).rejects.toMatchObject({
      code: 'usage',
      message: `cannot write ${at('a')}: it already exists`,
      facts: { hint: 'Overwrite it with --force.' },
    });
    expect(readFileSync(at('a'), 'utf8')).toBe('old');
    await writeFileWhole(at('a'), 'new', { replace: true });
    expect(readFileSync(at('a'), 'utf8')).toBe('new');
    expect(modeOf(at('a'))).toBe('600');
    expect(readdirSync(place.folder)).toEqual(['a']);
  });

  it('does not request content if it may not write', async () => {
    writeFileSync(at('a'), 'old');
    let asked = false;
    const content = (async function* () {
      asked = true;
      yield Buffer.from('x');
    })();
    await expect(writeFileWhole(at('a'), content, { replace: false })).rejects.toThrow('already exists');
    expect(asked).toBe(false);
  });

  it('does not overwrite a file that appeared in the meantime', async () => {
    const content = (async function* () {
      yield Buffer.from('mine');
      writeFileSync(at('a'), 'theirs');
    })();
    await expect(writeFileWhole(at('a'), content, { replace: false })).rejects.toMatchObject({
      code: 'usage',
    });
    expect(readFileSync(at('a'), 'utf8')).toBe('theirs');
    expect(readdirSync(place.folder)).toEqual(['a']);
  });

  it('leaves the old file, and no other, if the content fails', async () => {
    writeFileSync(at('a'), 'old');
    const failure = new Error('reset');
    const content = (async function* () {
      yield Buffer.from('half');
      throw failure;
    })();
    await expect(writeFileWhole(at('a'), content, { replace: true })).rejects.toBe(failure);
    expect(readFileSync(at('a'), 'utf8')).toBe('old');
    expect(readdirSync(place.folder)).toEqual(['a']);
  });

  it('rejects links, folders, devices and pipes', async () => {
    writeFileSync(at('target'), 'old');
    symlinkSync(at('target'), at('link'));
    symlinkSync(at('nowhere'), at('dangling'));
    await mkdir(at('folder'));
    execFileSync('mkfifo', [at('pipe')]);
    for (const [name, kind] of [
      ['link', 'a symbolic link'],
      ['dangling', 'a symbolic link'],
      ['folder', 'a folder'],
      ['pipe', 'a device'],
      ['/dev/null', 'a device'],
    ] as const) {
      const path = name.startsWith('/') ? name : at(name);
      await expect(writeFileWhole(path, 'x', { replace: true })).rejects.toMatchObject({
        code: 'usage',
        message: `cannot write ${path}: it is ${kind}, not a file`,
      });
    }
    expect(readFileSync(at('target'), 'utf8')).toBe('old');
    expect(readdirSync(place.folder).sort()).toEqual(['dangling', 'folder', 'link', 'pipe', 'target']);
  });

  it.each([
    ['none/a', 'its folder does not exist'],
    ['file/a', 'a part of its path is not a folder'],
    ['n'.repeat(300), 'its name is too long'],
  ])('reports what is wrong with %s', async (name, reason) => {
    writeFileSync(at('file'), '');
    await expect(writeFileWhole(at(name), 'x', { replace: true })).rejects.toMatchObject({
      code: 'usage',
      message: `cannot write ${at(name)}: ${reason}`,
    });
  });
});

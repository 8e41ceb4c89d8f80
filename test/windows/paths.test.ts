/** Paths are compared by the rules of the platform. */
import { posix, win32 } from 'node:path';
import { expect, test } from 'vitest';
import { isSamePath, isWithin } from '../../src/system/paths.ts';

test.each([
  ['C:\\Users\\me', 'c:\\users\\me', true, true],
  ['C:\\Users\\me', 'C:/Users/me/', true, true],
  ['C:\\Users\\me', 'c:\\users\\me\\repo', true, false],
  ['C:\\Users\\me', 'C:\\Users\\me2', false, false],
  ['C:\\Users\\me', 'C:\\Users', false, false],
  ['C:\\Users\\me', 'D:\\Users\\me\\repo', false, false],
  ['C:\\', 'c:\\x', true, false],
  ['C:\\a', 'C:\\a\\..b', true, false],
  ['\\\\server\\share\\a', '\\\\SERVER\\share\\a\\b', true, false],
])('Windows: %s and %s', (folder, path, within, same) => {
  expect([isWithin(folder, path, win32), isSamePath(folder, path, win32)]).toEqual([within, same]);
});

test.each([
  ['/home/me', '/home/me', true, true],
  ['/home/me', '/home/Me', false, false],
  ['/home/me', '/home/me/../me/', true, true],
  ['/home/me', '/home/me/a', true, false],
  ['/home/me', '/home/me2', false, false],
  ['/', '/x', true, false],
])('POSIX: %s and %s', (folder, path, within, same) => {
  expect([isWithin(folder, path, posix), isSamePath(folder, path, posix)]).toEqual([within, same]);
});

/** Standard input that is a folder or closed, as in `dtp … < folder`: an error, never an empty input. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');

const lines: readonly (readonly [line: string, words: string])[] = [
  ['events post --body -', '--body: standard input is a folder, not a file'],
  ['ws update --body -', '--body: standard input is a folder, not a file'],
  ['reports upload --type linting --file -', 'FILE: standard input is a folder, not a file'],
  ['api /v1/user -X POST --body -', 'standard input is a folder, not a file'],
  ['auth login --base-url http://127.0.0.1:1 --with-token', 'standard input is a folder, not a file'],
];

// Windows does not open folders as files.
test.skipIf(process.platform === 'win32').each(lines)('%s', (line, words) => {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-stdin-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const input = openSync(folder, 'r');
  try {
    const address = { DTP_BASE_URL: 'http://127.0.0.1:1', DTP_API_KEY: 'k', DTP_WORKSPACE_ID: 'w' };
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...line.split(' ')], {
      stdio: [input, 'pipe', 'pipe'],
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...address, DTP_ERROR_FORMAT: 'text' },
      encoding: 'utf8',
    });
    expect([status, stdout], stderr).toEqual([2, '']);
    expect(stderr).toContain(words);
  } finally {
    closeSync(input);
  }
});

// Only Linux shows how standard input was opened.
test.skipIf(process.platform !== 'linux').each(lines)('%s <&-', (line, words) => {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-stdin-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const run = (input: string) =>
    spawnSync('sh', ['-c', `'${process.execPath}' '${bin}' ${line} ${input}`], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        DTP_BASE_URL: 'http://127.0.0.1:1',
        DTP_API_KEY: 'k',
        DTP_WORKSPACE_ID: 'w',
        DTP_ERROR_FORMAT: 'text',
      },
      encoding: 'utf8',
    });
  const { status, stdout, stderr } = run('<&-');
  expect([status, stdout], stderr).toEqual([2, '']);
  expect(stderr).toContain(words.replace('a folder, not a file', 'closed'));
  // An empty file is still an empty input.
  expect(run('</dev/null').stderr).not.toContain('is closed');
});

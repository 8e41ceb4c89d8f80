/** The program that opens a URL, and why a program could not be started. */
import { chmodSync, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openBrowser } from '../../src/system/browser.ts';
import { runChild } from '../../src/system/child.ts';
import { temporaryFolder } from '../support/context.ts';

const url = 'https://reports.example.test/r?a=1&b=%s';

/** A program that writes its arguments to a file, one per line. */
function recorder(folder: string): string {
  const program = join(folder, 'browser');
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/seen'\n`);
  chmodSync(program, 0o755);
  return program;
}

test.each([
  ['PROGRAM', [url]],
  ['PROGRAM --new-window', ['--new-window', url]],
  ['PROGRAM -u %s -x', ['-u', url, '-x']],
  ['PROGRAM:firefox', [url]],
  ['PROGRAM $(id)', ['$(id)', url]],
])('BROWSER=%s', async (browser, expected) => {
  const folder = temporaryFolder();
  await openBrowser(url, browser.replace('PROGRAM', recorder(folder)));
  expect(readFileSync(join(folder, 'seen'), 'utf8').trimEnd().split('\n')).toEqual(expected);
});

test.skipIf(process.platform === 'win32')(
  'only a program that the user chose starts in the current folder',
  async () => {
    const folder = temporaryFolder();
    for (const name of ['xdg-open', 'open', 'chosen']) {
      writeFileSync(join(folder, name), `#!/bin/sh\npwd -P > '${folder}/seen'\n`);
      chmodSync(join(folder, name), 0o755);
    }
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const seen = () => readFileSync(join(folder, 'seen'), 'utf8').trimEnd();
    await openBrowser(url);
    expect(seen()).toBe(realpathSync(dirname(process.execPath)));
    await openBrowser(url, 'chosen');
    expect(seen()).toBe(realpathSync(process.cwd()));
  },
);

test('a browser that is missing or fails', async () => {
  const folder = temporaryFolder();
  await expect(openBrowser(url, 'no-such-browser')).rejects.toThrow(
    'no-such-browser is not installed, or not in a folder of PATH. Set BROWSER to a program that opens URLs',
  );
  await expect(openBrowser(url, 'false')).rejects.toThrow('false exited with 1. Set BROWSER');
  expect(existsSync(join(folder, 'seen'))).toBe(false);
});

test.each<[string, string | undefined, number, string]>([
  ['no-such-program', undefined, 0, 'no-such-program is not installed, or not in a folder of PATH'],
  ['./nope.sh', undefined, 0, 'file not found: FOLDER/nope.sh'],
  ['./plain.sh', '#!/bin/sh\n', 0o644, 'FOLDER/plain.sh is not executable'],
  [
    './odd.sh',
    '#!/no/such/shell\n',
    0o755,
    'FOLDER/odd.sh cannot be started: the program in its first line does not exist',
  ],
])('dev -- %s', async (name, content, mode, message) => {
  const folder = temporaryFolder();
  const program = name.replace(/^\./, folder);
  if (content !== undefined) {
    writeFileSync(program, content);
    chmodSync(program, mode);
  }
  const run = runChild({ name: program, args: [], env: process.env }, new AbortController().signal);
  await expect(run).rejects.toMatchObject({ code: 'usage', message: message.replace('FOLDER', folder) });
});

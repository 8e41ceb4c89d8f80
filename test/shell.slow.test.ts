/** Each word of a printed command is one word in every shell that it may be pasted into. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { quoteWord, settingLine, shellLine } from '../src/shell.ts';
import { temporaryFolder } from './support/context.ts';
import { isUnprintable, pastedStrings } from './support/pasted-strings.ts';
import { pastingShells } from './support/pasting.ts';

const printable = pastedStrings.filter((text) => !isUnprintable(text));

/** A folder with files whose names are flags or match patterns, so that a pattern without quotes finds some. */
function folderOfFiles(): string {
  const folder = temporaryFolder();
  for (const name of ['--base-url=x', '-y', 'a', 'a1', 'b', 'out', 'in']) writeFileSync(join(folder, name), '');
  return folder;
}

test('there are 300 strings, and most can be printed', () => {
  expect(pastedStrings).toHaveLength(300);
  expect(printable.length).toBeGreaterThan(270);
});

describe.each(pastingShells)('$name', ({ argv: [program = '', ...flags] }) => {
  const isMissing = spawnSync(program, ['-c', 'exit 0']).error !== undefined;
  if (isMissing) process.stdout.write(`${program} is not installed, so nothing is pasted into it\n`);
  const run = (script: string) => {
    const cwd = folderOfFiles();
    writeFileSync(join(cwd, 'script'), script);
    const out = execFileSync(program, [...flags, join(cwd, 'script')], {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd },
    });
    return out.toString().split('\0').slice(0, -1);
  };

  test.skipIf(isMissing)('reads each word as it is, alone and in a flag, with and without needing quotes', () => {
    const lines = printable.map((text) => shellLine([text, `--name=${text}`], 'posix'));
    const read = run(lines.map((line) => `printf '%s\\0' ${line}\n`).join(''));
    expect(read).toEqual(printable.flatMap((text) => [text, `--name=${text}`]));
    expect(run(printable.map((text) => `printf '%s\\0' ${quoteWord(text)}\n`).join(''))).toEqual(printable);
  });

  test.skipIf(isMissing)('reads the line that sets a variable', () => {
    const lines = printable.map((text) => `${settingLine('DTP_TEST', text, 'posix')}\nprintf '%s\\0' "$DTP_TEST"\n`);
    expect(run(lines.join(''))).toEqual(printable);
  });
});

test('a word that cannot be printed is a placeholder in each shell', () => {
  const shells = ['posix', 'powershell', 'cmd'] as const;
  for (const text of pastedStrings.filter(isUnprintable))
    expect(shells.map((shell) => shellLine(['dtp', text, `--name=${text}`], shell))).toEqual(
      shells.map(() => 'dtp VALUE --name=VALUE'),
    );
});

test('plain words have no quotes', () => {
  const plain = [
    'ws',
    'list',
    '-w',
    'w_1',
    '--name=a',
    'acme/petstore',
    'petstore:v1',
    'a@b.example',
    '@events.ndjson',
  ];
  expect(shellLine([...plain, 'https://api.example.test/v1', 'id,name', 'sha256:0a', '1.5', '+1'], 'posix')).toBe(
    `${plain.join(' ')} https://api.example.test/v1 id,name sha256:0a 1.5 +1`,
  );
});

/** Lines to paste are written for the shell of the user. */
import { expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { buildRequest } from '../../src/request/build.ts';
import { curlOf } from '../../src/request/curl.ts';
import { inputLine, type ShellKind, settingLine, shellLine, shellOf, unsettingLine } from '../../src/shell.ts';
import { isUnprintable, pastedStrings } from '../support/pasted-strings.ts';

const both = 'C:\\Program Files\\WindowsPowerShell\\Modules;C:\\WINDOWS\\system32\\WindowsPowerShell\\v1.0\\Modules';

test.each<[string, boolean, Readonly<Record<string, string>>, ShellKind]>([
  ['Linux', false, {}, 'posix'],
  ['PowerShell on Linux', false, { PSModulePath: 'a;b;c' }, 'posix'],
  ['cmd', true, { PSModulePath: both }, 'cmd'],
  ['cmd without variables', true, {}, 'cmd'],
  ['PowerShell', true, { PSModulePath: `C:\\Users\\me\\Documents\\PowerShell\\Modules;${both}` }, 'powershell'],
  ['Git Bash', true, { MSYSTEM: 'MINGW64', PSModulePath: both }, 'posix'],
  ['a POSIX shell', true, { SHELL: '/usr/bin/bash', PSModulePath: both }, 'posix'],
])('%s', (_, isWindows, env, shell) => {
  expect(shellOf(isWindows, env)).toBe(shell);
});

test.each([
  ['pets', 'pets', 'pets', 'pets'],
  ['C:\\a\\b.yaml', "'C:\\a\\b.yaml'", 'C:\\a\\b.yaml', 'C:\\a\\b.yaml'],
  ['two words', "'two words'", "'two words'", '"two words"'],
  ["it's", `'it'\\''s'`, "'it''s'", `"it's"`],
  ['say "hi"', `'say "hi"'`, 'VALUE', '"say ""hi"""'],
  ['a & b | c', "'a & b | c'", "'a & b | c'", '"a & b | c"'],
  ['100%', "'100%'", "'100%'", '"100"^%""'],
  ['%PATH%', "'%PATH%'", "'%PATH%'", '""^%"PATH"^%""'],
  ['$HOME', "'$HOME'", "'$HOME'", '"$HOME"'],
  ['a,b', 'a,b', "'a,b'", 'a,b'],
  ['@x.json', '@x.json', "'@x.json'", '@x.json'],
  ['ends in \\ ', "'ends in \\ '", "'ends in \\ '", '"ends in \\ "'],
  ['a b\\', "'a b'\\\\''", 'VALUE', '"a b\\\\"'],
  ['a\\"b c', `'a\\"b c'`, 'VALUE', '"a\\\\""b c"'],
  ['', "''", 'VALUE', '""'],
  ['{a,b}', "'{a,b}'", "'{a,b}'", '{a,b}'],
  ['\u2019 | x \u2018', "'\u2019 | x \u2018'", "'\u2019\u2019 | x \u2018\u2018'", '"\u2019 | x \u2018"'],
  ['\u2013\u2013yes', "'\u2013\u2013yes'", "'\u2013\u2013yes'", '"\u2013\u2013yes"'],
  ['--%', "'--%'", "'--%'", '"--"^%""'],
  ['--', '--', "'--'", '--'],
  ['-a.b', '-a.b', "'-a.b'", '-a.b'],
  ['=ls', "'=ls'", '=ls', '=ls'],
  ['a\nb', 'VALUE', 'VALUE', 'VALUE'],
  ['--name=a\u202eb', '--name=VALUE', '--name=VALUE', '--name=VALUE'],
])('the word %j', (word, ...shown) => {
  const shells = ['posix', 'powershell', 'cmd'] as const;
  expect(shells.map((shell) => shellLine(['dtp', word], shell))).toEqual(shown.map((one) => `dtp ${one}`));
});

/** Splits a command line as programs on Windows do (the rules of the Microsoft C runtime). */
function argumentsIn(line: string): readonly string[] {
  const found: string[] = [];
  let [now, isQuoted, isWord] = ['', false, false];
  for (let at = 0; at < line.length; at++) {
    const [, slashes = '', quote = ''] = /^(\\*)("?)/.exec(line.slice(at)) ?? [];
    if (slashes !== '' || quote !== '') {
      isWord = true;
      now += quote === '' ? slashes : '\\'.repeat(slashes.length / 2);
      at += slashes.length - (quote === '' ? 1 : 0);
      if (quote === '') continue;
      if (slashes.length % 2 === 1) now += '"';
      else if (isQuoted && line[at + 1] === '"') {
        now += '"';
        at++;
      } else isQuoted = !isQuoted;
    } else if (line[at] === ' ' && !isQuoted) {
      if (isWord) found.push(now);
      [now, isWord] = ['', false];
    } else {
      now += line[at];
      isWord = true;
    }
  }
  return isWord ? [...found, now] : found;
}

/** What cmd passes on: `^` outside of quotes is left out, and nothing there may be a sign with a meaning. */
function passedOn(line: string): string {
  let [text, isQuoted] = ['', false];
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && line[at] === '^') at++;
    else if (!isQuoted && /[&|<>()%]/.test(line[at] ?? '')) throw new Error(`cmd reads ${line[at]} in ${line}`);
    text += line[at];
  }
  return text;
}

const hard = ['\\"', 'a b\\\\', '&calc', '" & calc & "', '()<>|', 'é "x" %y%', 'a\\%b\\', ...pastedStrings];

/** The word that PowerShell reads. Undefined if it reads anything else than one word. */
function wordInPowershell(text: string): string | undefined {
  if (/^(?!-[^-].|--$)[\w+=:./\\-]+$/.test(text)) return text;
  const [, quoted] = /^'((?:[^'\u2018-\u201b]|(['\u2018-\u201b])\2)*)'$/.exec(text) ?? [];
  return quoted?.replace(/(['\u2018-\u201b])\1/g, '$1');
}

/** How PowerShell before 7.3 passes a word to a program: it drops an empty one, and escapes nothing. */
const passedByOldPowershell = (word: string): string => (/\s/.test(word) ? `"${word}"` : word);

test('cmd and a program read each word as it was meant', () => {
  for (const word of hard.filter((one) => !isUnprintable(one)))
    expect(argumentsIn(passedOn(shellLine(['dtp', word, 'end'], 'cmd')))).toEqual(['dtp', word, 'end']);
});

test('each PowerShell passes each word on as it was meant, or the word is a placeholder', () => {
  const printed = hard.flatMap((word) => {
    const read = wordInPowershell(shellLine([word], 'powershell'));
    if (read !== 'VALUE') expect(read).toBe(word);
    expect(argumentsIn(`dtp ${passedByOldPowershell(read ?? '')} end`)).toEqual(['dtp', read, 'end']);
    return read === 'VALUE' ? [] : [word];
  });
  expect(printed.length).toBeGreaterThan(150);
});

test('no line that sets a variable does more than that', () => {
  for (const value of hard) {
    expect(settingLine('DTP_TEST', value, 'cmd')).toMatch(/^set "DTP_TEST=[^"%\n\r]*"$/);
    const word = wordInPowershell(settingLine('DTP_TEST', value, 'powershell').replace('$env:DTP_TEST = ', ''));
    expect(word).toBe(isUnprintable(value) ? 'VALUE' : value);
  }
});

test('variables and files', () => {
  const lines = (shell: ShellKind) => [
    settingLine('DTP_API_KEY', 'k 1', shell),
    unsettingLine(['DTP_API_KEY', 'DTP_TOKEN'], shell),
    inputLine('dtp auth login --with-token', 'FILE', shell),
  ];
  expect(lines('posix')).toEqual([
    "export DTP_API_KEY='k 1'",
    'unset DTP_API_KEY DTP_TOKEN',
    'dtp auth login --with-token < FILE',
  ]);
  expect(lines('powershell')).toEqual([
    "$env:DTP_API_KEY = 'k 1'",
    'Remove-Item Env:DTP_API_KEY, Env:DTP_TOKEN',
    'Get-Content -Raw FILE | dtp auth login --with-token',
  ]);
  expect(lines('cmd')).toEqual([
    'set "DTP_API_KEY=k 1"',
    'set "DTP_API_KEY=" & set "DTP_TOKEN="',
    'dtp auth login --with-token < FILE',
  ]);
});

/** The command for a request of an operation. */
function commandFor(shell: ShellKind, operation: Operation, input: Readonly<Record<string, unknown>>): string {
  const target = { base: 'https://api.example.test', headers: {} };
  const request = buildRequest(operation, input, target as never, () => 'b');
  return curlOf(operation, input, request, { credential: 'x-api-key', shell });
}

test('--curl writes a body, the credential and a form for each shell', () => {
  const body = { name: 'it\'s "x"' };
  const of = (shell: ShellKind) => commandFor(shell, operations.createWorkspace, { body });
  expect(of('posix')).toMatch(/^curl .* \\\n.*-H "x-api-key: \$DTP_API_KEY"/s);
  expect(of('powershell')).toMatch(/^'\{"name":"it''s \\"x\\""\}' \| curl\.exe .* `\n.*--data-binary "@-"$/s);
  expect(of('powershell')).toContain("-H ('x-api-key: ' + $env:DTP_API_KEY)");
  expect(of('cmd')).toMatch(/^curl .* \^\n.*-H "x-api-key: %DTP_API_KEY%"/s);
  expect(of('cmd')).toContain(String.raw`--data-binary "{""name"":""it's \\""x\\""""}"`);
});

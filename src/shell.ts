/** Quotes words for a POSIX shell, and writes lines to paste into the shell of the user. */
import { isOnWindows, ownVariables } from './system/platform.ts';

/** Quotes a word for a POSIX shell, even if it needs no quotes. */
export const quoteWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

export type ShellKind = 'posix' | 'powershell' | 'cmd';

/**
 * Returns the shell that a program was probably started from. On Windows, Git Bash and others set SHELL or MSYSTEM.
 * PSModulePath has two folders for all programs, and PowerShell adds those of the user.
 */
export function shellOf(isWindows: boolean, env: Readonly<Record<string, string | undefined>>): ShellKind {
  if (!isWindows || env.SHELL || env.MSYSTEM) return 'posix';
  return (env.PSModulePath ?? '').split(';').length > 2 ? 'powershell' : 'cmd';
}

export const ourShell = (): ShellKind => shellOf(isOnWindows, ownVariables);

const safe: Readonly<Record<ShellKind, RegExp>> = {
  // zsh looks for files that match brackets.
  posix: /^[\w@%+=:,./{}-]+$/,
  powershell: /^[\w%+=:./\\-]+$/,
  cmd: /^[\w@+=:,./\\{}[\]-]+$/,
};

/** Quotes a word only if it contains characters that the shell may interpret. */
export const shellWord = (word: string, shell: ShellKind = ourShell()): string =>
  safe[shell].test(word) ? word : quotedWord(word, shell);

/** Quotes a word, even if it needs no quotes. */
export function quotedWord(word: string, shell: ShellKind): string {
  if (shell === 'posix') return quoteWord(word);
  if (shell === 'powershell') return `'${word.replaceAll("'", "''")}'`;
  // Programs read two quotes as one, so that cmd never sees the end of the quotes. It replaces %NAME% even inside them.
  const pieces = word.split('"').map((piece) => piece.replace(/(?<!\\)\\+$/, '$&$&'));
  return `"${pieces.join('""').replaceAll('%', '"^%"')}"`;
}

export const shellLine = (words: readonly string[], shell: ShellKind = ourShell()): string =>
  words.map((word) => shellWord(word, shell)).join(' ');

/** Returns the line that sets a variable for the programs that the shell starts. */
export function settingLine(name: string, value: string, shell: ShellKind = ourShell()): string {
  if (shell === 'posix') return `export ${name}=${shellWord(value, shell)}`;
  if (shell === 'powershell') return `$env:${name} = '${value.replaceAll("'", "''")}'`;
  return `set "${name}=${value}"`;
}

export function unsettingLine(names: readonly string[], shell: ShellKind = ourShell()): string {
  if (shell === 'posix') return shellLine(['unset', ...names], shell);
  if (shell === 'powershell') return `Remove-Item ${names.map((name) => `Env:${name}`).join(', ')}`;
  return names.map((name) => `set "${name}="`).join(' & ');
}

/** Returns the line that runs a command with a file as its standard input. */
export const inputLine = (line: string, file: string, shell: ShellKind = ourShell()): string =>
  shell === 'powershell' ? `Get-Content -Raw ${file} | ${line}` : `${line} < ${file}`;

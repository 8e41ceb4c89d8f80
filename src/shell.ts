/** Quotes words for a POSIX shell, and writes lines to paste into the shell of the user. */
import { isOnWindows, ownVariables } from './system/platform.ts';

// In quotes, fish reads a backslash as an escape if a quote or another one follows, so these are outside of the quotes.
/** Quotes a word for sh, bash, zsh and fish, even if it needs no quotes. */
export const quoteWord = (word: string): string => `'${word.replace(/\\(?=[\\']|$)|(?<=\\)\\|'/g, `'\\$&'`)}'`;

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

/** Words that no shell changes. All other characters are quoted: shells expand braces, `~`, `%self` and zsh `=program`. */
const plain: Readonly<Record<ShellKind, RegExp>> = {
  posix: /^(?!.*(?:^|[:=])=)[\w@+=:,./-]+$/,
  // PowerShell splits `-a.b`, and keeps `--` and `--%` for itself.
  powershell: /^(?!--$|-[^-].)[\w+=:./\\-]+$/,
  cmd: /^[\w@+=:,./\\{}[\]-]+$/,
};

/** Matches what a terminal interprets, hides or does not paste: control and format characters, and lone surrogates. */
export const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Quotes a word only if the shell may interpret its characters. A word that it cannot write becomes a placeholder. */
export function shellWord(word: string, shell: ShellKind = ourShell()): string {
  if (plain[shell].test(word)) return word;
  // PowerShell before 7.3 drops an empty word, and escapes neither quotes nor a backslash before those that it adds.
  const isDropped = /^$|"/.test(word) || (word.endsWith('\\') && /\s/.test(word));
  const isLost = word.search(hidden) >= 0 || (shell === 'powershell' && isDropped);
  return isLost ? `${/^--[a-z-]+=/.exec(word)?.[0] ?? ''}VALUE` : quotedWord(word, shell);
}

/** Quotes a word, even if it needs no quotes. */
export function quotedWord(word: string, shell: ShellKind): string {
  if (shell === 'posix') return quoteWord(word);
  // PowerShell also reads typographic quotes as quotes.
  if (shell === 'powershell') return `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
  // Programs read two quotes as one, so that cmd never sees the end of the quotes. It replaces %NAME% even inside them.
  const pieces = word.split('"').map((piece) => piece.replace(/(?<!\\)\\+(?=%|$)/g, '$&$&'));
  return `"${pieces.join('""').replaceAll('%', '"^%"')}"`;
}

export const shellLine = (words: readonly string[], shell: ShellKind = ourShell()): string =>
  words.map((word) => shellWord(word, shell)).join(' ');

/** Returns the line that sets a variable for the programs that the shell starts. */
export function settingLine(name: string, value: string, shell: ShellKind = ourShell()): string {
  if (value.search(hidden) >= 0 || (shell === 'cmd' && /["%]/.test(value))) return settingLine(name, 'VALUE', shell);
  if (shell === 'posix') return `export ${name}=${shellWord(value, shell)}`;
  if (shell === 'powershell') return `$env:${name} = ${quotedWord(value, shell)}`;
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

/** Builds suggested command lines: quoted, without secrets in URLs, and without flags that only the user should add. */
import type { LongFlag } from '../declarations/types.ts';
import { redactUrl } from '../request/redact.ts';
import { shellLine } from '../shell.ts';
import { proxyShown } from '../transport/proxy.ts';
import type { Globals } from './global-flags.ts';

/** A literal word or flag, an argument that may be anything, or a flag with a value that may be anything. */
export type Word = string | readonly [argument: string] | readonly [flag: string, value: string];

/**
 * Returns the words as the parser reads them, with `more` words. If an argument begins with a dash, the arguments come
 * after `--`. A value that begins with a dash is joined to its flag.
 */
export function argvOf(words: readonly Word[], more: readonly Word[] = []): readonly string[] {
  const end = words.indexOf('--');
  const rest = end < 0 ? [] : asArguments(words.slice(end + 1).flat());
  const all = [...words.slice(0, end < 0 ? undefined : end), ...rest, ...more];
  const isPlain = end < 0 && !all.some((word) => isArgument(word) && /^-./.test(word[0]));
  const ordered = isPlain ? all : [...all.filter((word) => !isArgument(word)), '--', ...all.filter(isArgument)];
  return ordered.flatMap((word) => {
    if (typeof word === 'string' || word[1] === undefined || !/^-./.test(word[1])) return word;
    return `${word[0]}${word[0].startsWith('--') ? '=' : ''}${word[1]}`;
  });
}

export const asArguments = (values: readonly string[]): readonly Word[] => values.map((value) => [value]);

const isArgument = (word: Word): word is readonly [string] => typeof word !== 'string' && word.length === 1;

/**
 * Returns a suggested command to paste into a shell. Secrets in URLs are masked. The `deliberateFlags` are left out, so
 * that pasting it cannot confirm a deletion, overwrite a file or weaken a connection. Use this for every suggestion
 * with words of the user, and mark values that come from anywhere else: see `Word`.
 */
export function commandLine(words: readonly Word[], more: readonly Word[] = []): string {
  const argv = argvOf(words, more);
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  const others = argv.slice(own.length);
  // After `--` is the command of another program. If it has such a flag, replace the whole command, because removing
  // the flag would change its meaning.
  const rest = others.some((word) => withoutDeliberate(word)[0] !== word) ? ['--', 'COMMAND'] : others;
  return shellLine(['dtp', ...own.flatMap(withoutDeliberate).map(shownWord), ...rest.map(shownWord)]);
}

/** Returns a flag with its value, to add to a command line. */
export const flagText = (flag: string, value: string): string => shellLine(argvOf([[flag, value]]));

/** The flags that no suggestion contains. */
export const deliberateFlags: readonly string[] = [
  '--yes',
  '--force',
  '--insecure',
  '--allow-http',
] satisfies readonly LongFlag[];

/** Returns the word without deliberate flags: nothing for `--yes`, and `-v` for `-vy`. */
function withoutDeliberate(word: string): readonly string[] {
  if (deliberateFlags.includes(word.split('=')[0] ?? '')) return [];
  if (!/^-[rvi]*y[rviy]*$/.test(word)) return [word];
  const rest = word.replaceAll('y', '');
  return rest === '-' ? [] : [rest];
}

/** Masks secrets in URLs. The URL of a proxy may contain a password even if it has no scheme. */
function shownWord(word: string, index: number, argv: readonly string[]): string {
  const [, flag = '', value = word] = /^(--[\w-]+=)(.*)$/s.exec(word) ?? [];
  const isProxy = flag === '--proxy=' || argv[index - 1] === '--proxy';
  return flag + (isProxy ? proxyShown(value) : redactUrl(value));
}

/** Returns the flags that make a suggested command use the same service and, if needed, the same workspace. */
export function sameService(globals: Globals, takesWorkspace = true): readonly Word[] {
  const { baseUrl, profile, workspace, proxy, caCert } = globals;
  return flagsWith({ 'base-url': baseUrl, profile, ...(takesWorkspace && { workspace }), proxy, 'ca-cert': caCert });
}

/** Returns the flags that have a value. */
export const flagsWith = (values: Readonly<Record<string, string | undefined>>): readonly Word[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[`--${name}`, value]]));

export function withoutTimeout(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((word) => /^--timeout(=|$)/.test(word));
  return at < 0 ? argv : argv.toSpliced(at, argv[at] === '--timeout' ? 2 : 1);
}

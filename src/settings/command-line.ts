/** Builds suggested command lines: quoted, without secrets in URLs, and without flags that only the user should add. */
import type { LongFlag } from '../declarations/types.ts';
import { redactUrl } from '../request/redact.ts';
import { shellLine } from '../shell.ts';
import { proxyShown } from '../transport/proxy.ts';
import type { Globals } from './global-flags.ts';

/**
 * Returns a suggested command to paste into a shell. Secrets in URLs are masked. The `deliberateFlags` are left out, so
 * that pasting it cannot confirm a deletion, overwrite a file or weaken a connection. Use this for every suggestion
 * with words of the user.
 */
export function commandLine(argv: readonly string[]): string {
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  const others = argv.slice(own.length);
  // After `--` is the command of another program. If it has such a flag, replace the whole command, because removing
  // the flag would change its meaning.
  const rest = others.some((word) => withoutDeliberate(word)[0] !== word) ? ['--', 'COMMAND'] : others;
  return shellLine(['dtp', ...own.flatMap(withoutDeliberate).map(shownWord), ...rest.map(shownWord)]);
}

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
export function sameService(globals: Globals, takesWorkspace = true): readonly string[] {
  const { baseUrl, profile, workspace, proxy, caCert } = globals;
  const texts = { 'base-url': baseUrl, profile, ...(takesWorkspace && { workspace }), proxy, 'ca-cert': caCert };
  return Object.entries(texts).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
}

export function withoutTimeout(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((word) => /^--timeout(=|$)/.test(word));
  return at < 0 ? argv : argv.toSpliced(at, argv[at] === '--timeout' ? 2 : 1);
}

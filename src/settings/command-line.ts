/** Suggested command lines: quoted for a shell, without secrets, and without what a person must decide. */
import type { LongFlag } from '../declarations/types.ts';
import { redactUrl } from '../request/redact.ts';
import { shellLine } from '../shell.ts';
import { proxyShown } from '../transport/proxy.ts';
import type { Globals } from './global-flags.ts';

/**
 * A suggested command, ready to be pasted into a shell. Secrets are left out, and so is what a person must decide: nobody
 * agrees to a deletion, overwrites a file or weakens a connection by pasting. Every suggestion is made here.
 */
export function commandLine(argv: readonly string[]): string {
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  const others = argv.slice(own.length);
  // Leaving a flag out of another program's command would make it another command.
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

/** Of single letters that are joined, such as `-vy`, the others stay. */
function withoutDeliberate(word: string): readonly string[] {
  if (deliberateFlags.includes(word.split('=')[0] ?? '')) return [];
  if (!/^-[rvi]*y[rviy]*$/.test(word)) return [word];
  const rest = word.replaceAll('y', '');
  return rest === '-' ? [] : [rest];
}

/** A proxy's address may be one without a scheme, and have a password all the same. */
function shownWord(word: string, index: number, argv: readonly string[]): string {
  const [, flag = '', value = word] = /^(--[\w-]+=)(.*)$/s.exec(word) ?? [];
  const isProxy = flag === '--proxy=' || argv[index - 1] === '--proxy';
  return flag + (isProxy ? proxyShown(value) : redactUrl(value));
}

/** The flags by which a later command reaches the same service, and the workspace if it takes one. */
export function sameService(globals: Globals, takesWorkspace = true): readonly string[] {
  const { baseUrl, profile, workspace, proxy, caCert } = globals;
  const texts = {
    'base-url': baseUrl,
    profile,
    ...(takesWorkspace && { workspace }),
    proxy,
    'ca-cert': caCert,
  };
  return Object.entries(texts).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
}

/** The same command without the time that was too short. */
export function withoutTimeout(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((word) => /^--timeout(=|$)/.test(word));
  return at < 0 ? argv : argv.toSpliced(at, argv[at] === '--timeout' ? 2 : 1);
}

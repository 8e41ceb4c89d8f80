/** Reads a command line that may be invalid: the command that it selects, and the role of each word. */
import { globalNames } from '../settings/global-flags.ts';
import type { ArgumentEntry, CommandEntry, FlagEntry } from './entry.ts';
import { rootCommand } from './tree.ts';

/** The role of a word. A `stray` one is an unknown flag. A word `after-stray` is shown as VALUE: it may be secret. */
export type Role =
  | { readonly is: 'command' | 'operand' | 'stray' | 'after-stray' | 'rest' }
  | { readonly is: 'flag' | 'value'; readonly flag: FlagEntry };

export interface Line {
  /** The words as typed, except for the flags that `withOwnNames` replaces. */
  readonly argv: readonly string[];
  readonly roles: readonly Role[];
  readonly command: CommandEntry;
  /** The command, after those above it. */
  readonly path: readonly CommandEntry[];
}

export type LineFault =
  | { readonly is: 'stray flag' | 'stray word' | 'missing argument' }
  | { readonly is: 'missing value' | 'invalid value'; readonly flag: FlagEntry }
  | { readonly is: 'invalid argument'; readonly argument: ArgumentEntry };

/** Finds the command and the role of each word like the parser, but does not stop at mistakes. */
export function readLine(argv: readonly string[]): Line {
  const roles: Role[] = [];
  const path = [rootCommand];
  let command = rootCommand;
  let isLost = false;
  for (let word = argv[0]; word !== undefined; word = argv[roles.length]) {
    if (word === '--') {
      roles.push(...argv.slice(roles.length).map(() => ({ is: 'rest' }) as const));
    } else if (word.length > 1 && word.startsWith('-')) {
      roles.push(...flagRoles(word, argv[roles.length + 1], command));
    } else {
      const next = isLost ? undefined : command.commandNamed(word);
      roles.push({ is: next ? 'command' : 'operand' });
      if (next) path.push(next);
      else isLost = true;
      command = next ?? command;
    }
  }
  return { argv: withOwnNames({ argv, roles, command, path }), roles, command, path };
}

/**
 * Returns the words with only one meaning for each flag. After the command, the name of a field is its flag, even if a
 * global flag has this name too. The flag gets its other name, because the parser and suggestions would take it for
 * the global one. In front of the command, a flag is always global.
 */
function withOwnNames({ argv, roles, command }: Line): readonly string[] {
  const last = roles.findLastIndex(({ is }) => is === 'command');
  const taken = command.flags.filter(({ present = '' }) => globalNames.has(present.slice(2)));
  if (taken.length === 0) return argv;
  return argv.map((word, at) => {
    const isFlag = at > last && (roles[at]?.is === 'flag' || roles[at]?.is === 'stray');
    const own = isFlag ? taken.find(({ present }) => present === flagNameIn(word)) : undefined;
    return own ? word.replace(/^[^=]+/, own.name) : word;
  });
}

/** Returns the role of a flag, and the role of the next word if it is the value of the flag. */
function flagRoles(word: string, next: string | undefined, command: CommandEntry): readonly Role[] {
  const flags = flagsAt(command);
  const named = (name: string) => flags.find((one) => one.name === name || one.short === name);
  const whole = named(word);
  if (whole) {
    const own = { is: 'flag', flag: whole } as const;
    return needsValue(whole) && next !== undefined ? [own, { ...own, is: 'value' }] : [own];
  }
  // `--flag=value`, `-ovalue`, `-rv`
  const inline = word.startsWith('--') ? named(flagNameIn(word)) : named(word.slice(0, 2));
  if (inline && needsValue(inline)) return [{ is: 'flag', flag: inline }];
  // For `-rv`, the letters after `-r` are read as further flags.
  if (inline && !word.includes('=')) {
    const [rest, ...value] = flagRoles(`-${word.slice(2)}`, next, command);
    return rest?.is === 'flag' ? [rest, ...value] : [{ is: 'stray' }];
  }
  if (word === '--help' || word === '-h') return [{ is: 'rest' }];
  const isValue = next !== undefined && (next === '-' || !next.startsWith('-')) && !word.includes('=');
  return isValue && !command.commandNamed(next) ? [{ is: 'stray' }, { is: 'after-stray' }] : [{ is: 'stray' }];
}

/** Returns a flag without the value that is joined to it: `--limit` of `--limit=3`, `-o` of `-ojson`. */
export function flagNameIn(word: string): string {
  const [name = word] = word.split('=');
  return word.startsWith('--') ? name : word.slice(0, 2);
}

/** Returns the flags that a command accepts: its own and the global ones. Only `dtp` itself has a version. */
export const flagsAt = (command: CommandEntry): readonly FlagEntry[] =>
  command === rootCommand ? rootCommand.flags : [...command.flags, ...flagsOfAll];

const flagsOfAll = rootCommand.flags.filter(({ name }) => name !== '--version');

/** Whether the word after the flag is its value. */
export const needsValue = ({ value, preset }: FlagEntry): boolean => value !== undefined && preset === undefined;

/** Reads a command line that may be invalid, and formats the corrected command line without secrets. */
import type { Command, Option } from 'commander';
import type { Meant } from '../../errors.ts';
import { isSecretName } from '../../request/redact.ts';
import { commandLine } from '../../settings/command-line.ts';

/**
 * The role of a word in a command line. A `stray` word is an unknown flag. An `after-stray` word follows an unknown
 * flag. It is shown as VALUE, because it may be a secret.
 */
export type Role =
  | { readonly is: 'command' | 'operand' | 'stray' | 'after-stray' | 'rest' }
  | { readonly is: 'flag' | 'value'; readonly option: Option };

export interface Line {
  readonly argv: readonly string[];
  readonly roles: readonly Role[];
  /** The command that the line selects. */
  readonly command: Command;
}

/** Finds the command and the role of each word like commander, but does not stop at mistakes. */
export function readLine(program: Command, argv: readonly string[]): Line {
  const roles: Role[] = [];
  let command = program;
  let isLost = false;
  for (let word = argv[0]; word !== undefined; word = argv[roles.length]) {
    if (word === '--') {
      roles.push(...argv.slice(roles.length).map(() => ({ is: 'rest' }) as const));
    } else if (word.length > 1 && word.startsWith('-')) {
      roles.push(
        ...flagRoles(word, argv[roles.length + 1], [...command.options, ...program.options], command),
      );
    } else {
      const next = isLost ? undefined : commandNamed(command, word);
      roles.push({ is: next ? 'command' : 'operand' });
      if (next) command = next;
      else isLost = true;
    }
  }
  return { argv, roles, command };
}

export const commandNamed = (command: Command, word: string): Command | undefined =>
  command.commands.find((one) => one.name() === word || one.aliases().includes(word));

/** Returns the role of a flag, and the role of the next word if it is the value of the flag. */
function flagRoles(
  word: string,
  next: string | undefined,
  options: readonly Option[],
  command: Command,
): readonly Role[] {
  const named = (name: string) => options.find(({ long, short }) => long === name || short === name);
  const whole = named(word);
  if (whole)
    return whole.required && next !== undefined
      ? [
          { is: 'flag', option: whole },
          { is: 'value', option: whole },
        ]
      : [{ is: 'flag', option: whole }];
  // `--flag=value`, `-ovalue`, `-rv`
  const inline = word.startsWith('--') ? named(nameOf(word)) : named(word.slice(0, 2));
  if (inline?.required) return [{ is: 'flag', option: inline }];
  // For `-rv`, the letters after `-r` are read as further flags.
  if (inline && !word.includes('=')) {
    const [rest, ...value] = flagRoles(`-${word.slice(2)}`, next, options, command);
    return rest?.is === 'flag' ? [rest, ...value] : [{ is: 'stray' }];
  }
  if (word === '--help' || word === '-h') return [{ is: 'rest' }];
  const isValue = next !== undefined && !next.startsWith('-') && !word.includes('=');
  return isValue && !commandNamed(command, next)
    ? [{ is: 'stray' }, { is: 'after-stray' }]
    : [{ is: 'stray' }];
}

/**
 * Returns the command line with the corrected value. The flag is added if the line does not have it, because a flag
 * overrides all other sources of the value.
 */
export function lineWith(program: Command, argv: readonly string[], meant: Meant): string {
  const line = readLine(program, argv);
  const { value, flag, argument } = meant;
  const places = line.roles.flatMap((role, at) => {
    const isIt = flag === undefined ? role.is === 'operand' : 'option' in role && role.option.long === flag;
    return isIt ? [at] : [];
  });
  if (flag === undefined) {
    const [at = -1, ...following] = places.slice(argument);
    const changes = new Map([[at, [value]]]);
    for (const one of meant.hides ? following : []) changes.set(one, ['VALUE']);
    return correctedLine(line, changes);
  }
  const without = new Map(places.map((at) => [at, []]));
  return correctedLine(line, without, [flag, value]);
}

/** Returns the full name of a command, such as `dtp ws list`. */
export const titleOf = (command: Command): string =>
  command.parent ? `${titleOf(command.parent)} ${command.name()}` : command.name();

/** Returns the words of the command line that shows the help of a command, without `dtp`. */
export const helpWords = (command: Command): readonly string[] => [
  ...titleOf(command).split(' ').slice(1),
  '--help',
];

/** Returns a flag without the value that is joined to it: `--limit` of `--limit=3`, `-o` of `-ojson`. */
export function nameOf(word: string): string {
  const [name = word] = word.split('=');
  return word.startsWith('--') ? name : word.slice(0, 2);
}

/** Returns the placeholder of a flag's value in upper case: `NUMBER` for `--limit <number>`. */
export const placeholderOf = (flags: string): string =>
  (/[<[]([^>\].]+)/.exec(flags)?.[1] ?? 'value').toUpperCase();

/** Returns the command line with some words replaced and `more` at the end. Placeholders replace secrets. */
export function correctedLine(
  { argv, roles }: Line,
  changes: ReadonlyMap<number, readonly string[]>,
  more: readonly string[] = [],
): string {
  const words = argv.flatMap((word, at) => changes.get(at) ?? [shown(word, roles[at])]);
  // Add `more` in front of `--`, because the words after `--` are the command line of another program.
  const end = words.indexOf('--');
  return commandLine(end < 0 ? [...words, ...more] : words.toSpliced(end, 0, ...more));
}

function shown(word: string, role: Role | undefined): string {
  if (role === undefined || role.is === 'after-stray') return 'VALUE';
  if (role.is !== 'flag' && role.is !== 'value') return namesSecret(word) ? 'VALUE' : word;
  const isSecret = isSecretName(role.option.name());
  const placeholder = placeholderOf(role.option.flags);
  if (role.is === 'value') return isSecret || namesSecret(word) ? placeholder : word;
  const at = word.indexOf('=');
  return at > 0 && (isSecret || namesSecret(word.slice(at + 1)))
    ? `${word.slice(0, at)}=${placeholder}`
    : word;
}

/** Whether a word seems to contain a secret: `token=…`, `{"key": …}`, `authorization: …`. */
const namesSecret = (word: string): boolean =>
  [...word.matchAll(/([\w-]+)["']?\s*[:=]/g)].some(([, name = '']) => isSecretName(name));

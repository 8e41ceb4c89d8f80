/** Flags that a command does not have, or not with a value → the line with those that were meant. */
import type { Command, Option } from 'commander';
import { DtpError } from '../../errors.ts';
import { nearest } from '../../render/nearest.ts';
import { commandLine, deliberateFlags } from '../../settings/command-line.ts';
import { correctedLine, helpWords, type Line, nameOf, placeholderOf, readLine } from './command-line.ts';

/** `--success=false`, as other tools have it: a flag without a value, and its opposite is another flag. */
export function valuedSwitch(program: Command, line: Line): DtpError {
  const options = optionsOf(program, line.command);
  const word = line.argv.find((one, at) => line.roles[at]?.is === 'stray' && isSwitch(one, options)) ?? '';
  const [other] = oppositeOf(optionNamed(word, options), options);
  return new DtpError(
    'usage',
    `${nameOf(word)} takes no value${other === undefined ? '' : `; its opposite is ${other}`}`,
    { next: [mendFlags(program, line).shown] },
  );
}

const optionNamed = (word: string, options: readonly Option[]): Option | undefined =>
  options.find(({ long, short }) => long === nameOf(word) || short === nameOf(word));

const isSwitch = (word: string, options: readonly Option[]): boolean =>
  optionNamed(word, options)?.required === false;

const oppositeOf = (option: Option | undefined, options: readonly Option[]): readonly string[] => {
  const { long = '' } = option ?? {};
  const other = long.startsWith('--no-') ? `--${long.slice(5)}` : `--no-${long.slice(2)}`;
  return options.some((one) => one.long === other) ? [other] : [];
};

const saysTrue = (word: string): boolean => /^(true|yes|on|1)$/i.test(word);
const saysFalse = (word: string): boolean => /^(false|no|off|0)$/i.test(word);

/** The value that is joined to a flag: of `--success=false`, of `-y=false` and of `-yfalse`. */
function inlineOf(word: string): string | undefined {
  if (word.includes('=')) return word.slice(word.indexOf('=') + 1);
  const rest = word.startsWith('--') ? '' : word.slice(2);
  return saysTrue(rest) || saysFalse(rest) ? rest : undefined;
}

/** `-vx`: letters of switches, of which one is none. */
export const isCluster = (word: string): boolean => /^-[^-]./.test(word) && inlineOf(word) === undefined;

/**
 * The switch, or its opposite if it has one, as a value says. Undefined for a value that says neither: left out, the switch
 * would not be what was meant, nor would it be as it is. A switch without an opposite stays: most ask for more care.
 */
function switchMeant(
  name: string,
  value: string | undefined,
  opposite: readonly string[],
): readonly string[] | undefined {
  if (value === undefined || saysTrue(value)) return [name];
  if (saysFalse(value)) return opposite;
  return opposite.length > 0 || name === '--allow-failure' ? undefined : [name];
}

/** Where `--success false` has its value: after a switch, which takes none. -1 if nowhere. */
function valueOfSwitch({ argv, roles }: Line): number {
  return argv.findIndex((word, at) => {
    const [before, flag = ''] = [roles[at - 1], argv[at - 1]];
    const follows = before?.is === 'flag' && !before.option.required && /^--?[a-zA-Z][a-z-]*$/.test(flag);
    return follows && roles[at]?.is === 'operand' && (saysTrue(word) || saysFalse(word));
  });
}

/** The line with each such value joined to its switch, as `--success=false`. */
export function withJoined(program: Command, argv: readonly string[]): readonly string[] {
  const at = valueOfSwitch(readLine(program, argv));
  if (at < 0) return argv;
  return withJoined(program, argv.toSpliced(at - 1, 2, `${argv[at - 1]}=${argv[at]}`));
}

/**
 * `set-visibility --public false` with a name that is empty, such as of a variable that is not set: the value would be
 * the name. Undefined unless a word that says true or false is the only argument, and follows a switch.
 */
export function swallowedValue(program: Command, argv: readonly string[]): DtpError | undefined {
  const line = readLine(program, argv);
  const at = valueOfSwitch(line);
  const before = line.roles[at - 1];
  if (before?.is !== 'flag' || line.roles.filter(({ is }) => is === 'operand').length !== 1) return undefined;
  const options = optionsOf(program, line.command);
  const isWord = /^(true|false)$/i.test(line.argv[at] ?? '');
  if (!isWord && oppositeOf(before.option, options).length === 0) return undefined;
  const lacking = line.command.registeredArguments.map((one) => one.name().toUpperCase());
  return valuedSwitch(program, readLine(program, [...withJoined(program, argv), ...lacking]));
}

/** The command line with its unknown flags corrected. `hasFirst` says whether the first of them could be. */
export function mendFlags(
  program: Command,
  line: Line,
): { readonly shown: string; readonly hasFirst: boolean } {
  const { argv, roles, command } = line;
  const options = optionsOf(program, command);
  const last = roles.findLastIndex(({ is }) => is === 'command');
  const better: string[] = [];
  const moved: string[] = [];
  let hasFirst: boolean | undefined;
  let isClear = true;
  for (const [at, word] of argv.entries()) {
    const role = roles[at]?.is;
    if (role === 'behind') continue;
    if (role !== 'stray' || isCluster(word)) {
      better.push(word);
      continue;
    }
    const behind = roles[at + 1]?.is === 'behind' ? argv[at + 1] : undefined;
    const known = optionNamed(word, options);
    const option = known ?? meantFlag(word, options);
    const isGuess = option !== undefined && !isChosen(option);
    if (!known) hasFirst ??= isGuess;
    if (option?.required === false) {
      const isValue = behind !== undefined && (saysTrue(behind) || saysFalse(behind));
      const value = inlineOf(word) ?? (isValue ? behind : undefined);
      const opposite = oppositeOf(option, options);
      const said = switchMeant(known ? nameOf(word) : (option.long ?? ''), value, opposite);
      const free = behind === undefined || value === behind ? undefined : behind;
      const argument = free === undefined ? [] : known ? [free] : lackingArgument(line);
      // A word that has no other place was the value of the switch.
      if (!said || (free !== undefined && argument.length === 0 && opposite.length > 0)) isClear = false;
      const all = [...(known || isGuess ? (said ?? []) : []), ...argument];
      if (known && at < last) moved.push(...all);
      else better.push(...all);
    } else if (known) moved.push(word, ...(behind === undefined ? [] : [behind]));
    else if (option && !isGuess) better.push(...(behind === undefined ? [] : lackingArgument(line)));
    else if (option) better.push(option.long ?? '', placeholderOf(option.flags));
    else better.push(nameOf(word), ...(behind === undefined ? [] : [placeholderOf('')]));
  }
  const shown = isClear
    ? correctedLine(readLine(program, [...better, ...moved]), new Map())
    : commandLine(helpWords(command));
  return { shown, hasFirst: hasFirst === true };
}

/** What stands behind a flag without a value was an argument, where one is lacking. */
function lackingArgument({ roles, command }: Line): readonly string[] {
  const given = roles.filter(({ is }) => is === 'operand').length;
  const next = command.registeredArguments[given];
  return next ? [next.name().toUpperCase()] : [];
}

/** Flags that are never guessed: whoever wants one must type it. */
const isChosen = ({ long = '' }: Option): boolean =>
  long === '--allow-failure' || deliberateFlags.includes(long);

function meantFlag(word: string, options: readonly Option[]): Option | undefined {
  const bare = (word.split('=')[0] ?? '').replace(/^-+/, '');
  const name = nearest(
    bare,
    options.map(({ long = '' }) => long.slice(2)),
  );
  return options.find(({ long }) => long === `--${name}`);
}

export const optionsOf = (program: Command, command: Command): readonly Option[] =>
  command === program ? program.options : [...command.options, ...program.options];

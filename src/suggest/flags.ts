/** Corrects unknown flags, and switches with a value, in a command line. */
import { DtpError } from '../errors.ts';
import { nearest } from '../render/nearest.ts';
import { commandLine, deliberateFlags } from '../settings/command-line.ts';
import { type CommandEntry, type FlagEntry, helpWords, placeholderOf } from '../tree/entry.ts';
import { flagNameIn, flagsAt, type Line, needsValue, readLine } from '../tree/line.ts';
import { correctedLine } from './command-line.ts';
import { jmesPathOf, otherFileFlags, otherFlags } from './other-tools.ts';
import { isBodyFile } from './surplus.ts';

/** Returns the error for a switch with a value, such as `--success=false`, and names its opposite. */
export function switchValueError(line: Line): DtpError {
  const flags = flagsAt(line.command);
  const word = line.argv.find((one, at) => line.roles[at]?.is === 'stray' && isSwitchFlag(flagNamed(one, flags))) ?? '';
  const [other] = oppositeOf(flagNamed(word, flags), flags);
  const text = `${flagNameIn(word)} does not take a value${other === undefined ? '' : ` (its opposite is ${other})`}`;
  return new DtpError('usage', text, { next: [fixFlags(line).shown] });
}

const flagNamed = (word: string, flags: readonly FlagEntry[]): FlagEntry | undefined =>
  flags.find(({ name, short }) => name === flagNameIn(word) || short === flagNameIn(word));

const isSwitchFlag = (flag: FlagEntry | undefined): boolean => flag !== undefined && !needsValue(flag);

const oppositeOf = (flag: FlagEntry | undefined, flags: readonly FlagEntry[]): readonly string[] => {
  const { name = '' } = flag ?? {};
  const other = name.startsWith('--no-') ? `--${name.slice(5)}` : `--no-${name.slice(2)}`;
  return flags.some((one) => one.name === other) ? [other] : [];
};

const isTrue = (word: string): boolean => /^(true|yes|on|1)$/i.test(word);
const isFalse = (word: string): boolean => /^(false|no|off|0)$/i.test(word);

/** Returns the value that is joined to a flag, as in `--success=false`, `-y=false` and `-yfalse`. */
function joinedValue(word: string): string | undefined {
  if (word.includes('=')) return word.slice(word.indexOf('=') + 1);
  const rest = word.startsWith('--') ? '' : word.slice(2);
  return isTrue(rest) || isFalse(rest) ? rest : undefined;
}

/** Whether a word joins several one-letter flags, such as `-vx`. */
export const isCluster = (word: string): boolean => /^-[^-]./.test(word) && joinedValue(word) === undefined;

/**
 * Returns the words that replace a switch and its value, such as `--success=false`. Undefined if no replacement is safe
 * to suggest.
 *
 * - True becomes the switch.
 * - False becomes the opposite of the switch. If the switch has no opposite, it is removed.
 * - Any other value becomes the switch, because most switches make a command safer. There are two exceptions without a
 *   safe replacement: --allow-failure does not make a command safer, and for a switch with an opposite, the user may
 *   have meant either of the two.
 */
function switchFor(name: string, value: string | undefined, opposite: readonly string[]) {
  if (value === undefined || isTrue(value)) return [name];
  if (isFalse(value)) return opposite;
  return opposite.length > 0 || name === '--allow-failure' ? undefined : [name];
}

/** Returns the index of a value after a switch, as in `--success false`, or -1. */
function switchValueIndex({ argv, roles }: Line): number {
  return argv.findIndex((word, at) => {
    const [before, flag = ''] = [roles[at - 1], argv[at - 1]];
    const follows = before?.is === 'flag' && !needsValue(before.flag) && /^--?[a-zA-Z][a-z-]*$/.test(flag);
    return follows && roles[at]?.is === 'operand' && (isTrue(word) || isFalse(word));
  });
}

/** Joins values to their switches: `--success false` becomes `--success=false`. */
export function withJoined(argv: readonly string[]): readonly string[] {
  const at = switchValueIndex(readLine(argv));
  if (at < 0) return argv;
  return withJoined(argv.toSpliced(at - 1, 2, `${argv[at - 1]}=${argv[at]}`));
}

/** Returns the error if `--public false` would make `false` the only argument, because a script left out the name. */
export function swallowedValueError(argv: readonly string[]): DtpError | undefined {
  const line = readLine(argv);
  const at = switchValueIndex(line);
  const before = line.roles[at - 1];
  if (before?.is !== 'flag' || line.roles.filter(({ is }) => is === 'operand').length !== 1) return undefined;
  const flags = flagsAt(line.command);
  const isWord = /^(true|false)$/i.test(line.argv[at] ?? '');
  if (!isWord && oppositeOf(before.flag, flags).length === 0) return undefined;
  const placeholders = line.command.arguments.map((one) => one.name.toUpperCase());
  return switchValueError(readLine([...withJoined(argv), ...placeholders]));
}

/** Corrects unknown and misplaced flags. `hasFirst` says whether there is a guess for the first unknown one. */
export function fixFlags(line: Line): { readonly shown: string; readonly hasFirst: boolean } {
  const { argv, roles, command } = line;
  const flags = flagsAt(command);
  const last = roles.findLastIndex(({ is }) => is === 'command');
  const better: string[] = [];
  const moved: string[] = [];
  let hasFirst: boolean | undefined;
  let isClear = true;
  // The fields after --json, which takes none here, if an expression selects them.
  const hasFields =
    command.arguments.length === 0 && argv.some((word) => isOtherQuery(word) || flagNameIn(word) === '--jq');
  for (const [at, word] of argv.entries()) {
    const role = roles[at]?.is;
    if (role === 'after-stray' || (hasFields && role === 'operand' && argv[at - 1] === '--json')) continue;
    if (role !== 'stray' || isCluster(word)) {
      better.push(word);
      continue;
    }
    const next = roles[at + 1]?.is === 'after-stray' ? argv[at + 1] : undefined;
    const known = flagNamed(word, flags);
    const flag = known ?? similarFlag(line, word, next);
    const isGuess = flag !== undefined && !isDeliberate(flag);
    if (!known) hasFirst ??= isGuess;
    if (!known && takesFile(word) && command.arguments.some(({ type }) => type === 'file')) {
      hasFirst ??= true;
      better.push(...nextArgument(line));
    } else if (isSwitchFlag(flag)) {
      const isValue = next !== undefined && (isTrue(next) || isFalse(next));
      const value = joinedValue(word) ?? (isValue ? next : undefined);
      const opposite = oppositeOf(flag, flags);
      const fixed = switchFor(known ? flagNameIn(word) : (flag?.name ?? ''), value, opposite);
      const free = next === undefined || value === next ? undefined : next;
      const argument = free === undefined ? [] : known ? [free] : nextArgument(line);
      // If no argument is missing, the next word is an unknown value of the switch, so no correction is clear.
      if (!fixed || (free !== undefined && argument.length === 0 && opposite.length > 0)) isClear = false;
      const all = [...(known || isGuess ? (fixed ?? []) : []), ...argument];
      if (known && at < last) moved.push(...all);
      else better.push(...all);
    } else if (known) moved.push(word, ...(next === undefined ? [] : [next]));
    else if (flag && !isGuess) better.push(...(next === undefined ? [] : nextArgument(line)));
    else if (flag && isOtherQuery(word)) better.push(flag.name, expressionFor(flag, next ?? joinedValue(word) ?? ''));
    else if (flag) better.push(nameIn(command, flag), valueFor(flag, next ?? joinedValue(word), takesFile(word)));
    else better.push(flagNameIn(word), ...(next === undefined ? [] : [placeholderOf({})]));
  }
  const shown = isClear ? correctedLine(readLine([...better, ...moved]), new Map()) : commandLine(helpWords(command));
  return { shown, hasFirst: hasFirst === true };
}

/** Returns the name of a flag. For a global one it is the letter if a field of the command has the same name. */
const nameIn = ({ flags }: CommandEntry, { name, short = name, group }: FlagEntry): string =>
  group === 'global' && flags.some((one) => one.name === name) ? short : name;

/** Returns the value to suggest for a flag: the typed one if it is a known value or a number, which is not secret. */
function valueFor(flag: FlagEntry, typed = '', isFile = false): string {
  if (flag.name === '--body' && isBodyFile(typed)) return `@${typed.replace(/^@/, '')}`;
  if (isFile) return typed === '-' ? typed : '@FILE';
  const isKnown = [...(flag.choices ?? []), ...(flag.known ?? [])].includes(typed);
  return isKnown || (flag.value === 'number' && /^\d{1,9}$/.test(typed)) ? typed : placeholderOf(flag);
}

/** Returns the expression to suggest for --jq or --query, if the typed one is simple. Others may contain a secret. */
function expressionFor(flag: FlagEntry, typed: string): string {
  const path = jmesPathOf(typed);
  return path === undefined ? placeholderOf(flag) : flag.name === '--jq' ? typed : path;
}

/** Returns the placeholder of the next missing argument, because the word after a switch may have been meant as it. */
function nextArgument({ roles, command }: Line): readonly string[] {
  const given = roles.filter(({ is }) => is === 'operand').length;
  const next = command.arguments[given];
  return next ? [next.name.toUpperCase()] : [];
}

/** Whether a flag is never suggested, because the user must choose it deliberately. */
const isDeliberate = ({ name, group }: FlagEntry): boolean =>
  group === 'global' && (['--allow-failure', '--all-fields'].includes(name) || deliberateFlags.includes(name));

const takesFile = (word: string): boolean => otherFileFlags.includes(flagNameIn(word));

/** Whether a flag of another tool takes an expression: `-q` for jq, or `--jsonpath`. */
const isOtherQuery = (word: string): boolean => /^(--jsonpath|-q)$/.test(flagNameIn(word));

function similarFlag({ command }: Line, word: string, next: string | undefined): FlagEntry | undefined {
  const flags = flagsAt(command);
  const named = (name: string | undefined) => flags.find((one) => one.name === name);
  const typed = flagNameIn(word);
  const value = next ?? joinedValue(word);
  if (/^--(exit-status|wait|watch)$/.test(typed))
    return named('--wait') ?? (command.operation?.isRun ? named('--watch') : undefined);
  // What other tools name like this is a global flag, even if a field has its name. The global flags come last.
  const other = takesFile(typed) ? named('--body') : flags.findLast(({ name }) => name === otherFlags[typed]);
  if (other) return other;
  if (/^-[a-z]$/i.test(typed)) return flagOfLetter(typed, value, flags);
  const names = flags.map((one) => one.name.slice(2));
  const name = nearest(typed.replace(/^-+/, ''), names);
  const flag = named(`--${name}`);
  // A switch is not the beginning of a flag with a value.
  return flag && needsValue(flag) && value === undefined && flag.name.startsWith(typed) ? undefined : flag;
}

/** Returns the flag for a letter in the other case, as `-l` for `-L`, or one with this first letter and known value. */
function flagOfLetter(letter: string, value: string | undefined, flags: readonly FlagEntry[]): FlagEntry | undefined {
  // Elsewhere, `-R` is a repository, never a switch in the other case.
  const isFit = (flag: FlagEntry) =>
    needsValue(flag) ? flag.value !== 'number' || /^\d*$/.test(value ?? '') : value === undefined && letter !== '-R';
  const other = flags.find((one) => one.short?.toLowerCase() === letter.toLowerCase() && isFit(one));
  return other ?? flags.find(({ name, known = [] }) => name.startsWith(`-${letter}`) && known.includes(value ?? ''));
}

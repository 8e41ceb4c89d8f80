/** Flags that a command does not have, or not with a value → the line with those that were meant. */
import type { Command, Option } from 'commander';
import { DtpError } from '../errors.ts';
import { deliberateFlags } from './advice.ts';
import { correctedLine, type Line, nameOf, placeholderOf, readLine } from './line.ts';
import { nearest } from './similar.ts';

/** `--success=false`, as other tools have it: a flag without a value, and its opposite is another flag. */
export function valuedSwitch(program: Command, line: Line, at: number): DtpError {
  const options = optionsOf(program, line.command);
  const word = line.argv[at] ?? '';
  const [other] = oppositeOf(nameOf(word), options);
  const isSaid = /=(true|false|yes|no|on|off|1|0)$/i.test(word);
  const better = line.argv.toSpliced(at, 1, ...(isSaid ? switchMeant(nameOf(word), word, options) : []));
  return new DtpError(
    'usage',
    `${nameOf(word)} takes no value${other === undefined ? '' : `; its opposite is ${other}`}`,
    { next: [mendFlags(program, readLine(program, better)).shown] },
  );
}

const oppositeOf = (name: string, options: readonly Option[]): readonly string[] => {
  const other = name.startsWith('--no-') ? `--${name.slice(5)}` : `--no-${name.slice(2)}`;
  return options.some(({ long }) => long === other) ? [other] : [];
};

/** The flag, or for a value such as `false` after the word's equals sign its opposite, if it has one. */
const switchMeant = (name: string, word: string, options: readonly Option[]): readonly string[] =>
  /=(false|no|off|0)$/i.test(word) ? oppositeOf(name, options) : [name];

/** Where `--success false` has its value: after a switch, which takes none. -1 if nowhere. */
export const valueOfSwitch = ({ argv, roles }: Line): number =>
  argv.findIndex((word, at) => {
    const before = roles[at - 1];
    const isSwitch =
      before?.is === 'flag' && !before.option.required && /^--[a-z-]+$/.test(argv[at - 1] ?? '');
    return isSwitch && roles[at]?.is === 'operand' && /^(true|false|yes|no|on|off|1|0)$/i.test(word);
  });

/** The command line with its unknown flags corrected. `hasFirst` says whether the first of them could be. */
export function mendFlags(
  program: Command,
  line: Line,
): { readonly shown: string; readonly hasFirst: boolean } {
  const { argv, roles, command } = line;
  const options = optionsOf(program, command);
  const better: string[] = [];
  const moved: string[] = [];
  let hasFirst: boolean | undefined;
  for (const [at, word] of argv.entries()) {
    const role = roles[at]?.is;
    const behind = roles[at + 1]?.is === 'behind' ? argv[at + 1] : undefined;
    if (role === 'behind') continue;
    if (role !== 'stray') {
      better.push(word);
      continue;
    }
    if (options.some(({ long }) => long === nameOf(word))) {
      moved.push(word, ...(behind === undefined ? [] : [behind]));
      continue;
    }
    const option = meantFlag(word, options);
    const isGuess = option !== undefined && !isChosen(option);
    hasFirst ??= isGuess;
    const { long = nameOf(word), flags = '', required = behind !== undefined } = option ?? {};
    const argument = behind === undefined ? [] : lackingArgument(line);
    if (option && !isGuess) better.push(...argument);
    else if (required) better.push(long, placeholderOf(flags));
    else better.push(...switchMeant(long, word, options), ...argument);
  }
  return {
    shown: correctedLine(readLine(program, [...better, ...moved]), new Map()),
    hasFirst: hasFirst === true,
  };
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

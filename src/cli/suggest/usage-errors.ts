/** Explains an invalid command line in one sentence, and suggests a corrected command line. */

import type { Command, CommanderError, Option } from 'commander';
import { orList } from '../../declarations/checks.ts';
import { DtpError, type Facts } from '../../errors.ts';
import { nearest } from '../../render/nearest.ts';
import { isSecretName } from '../../request/redact.ts';
import { commandLine } from '../../settings/command-line.ts';
import { visibleBelow } from '../../tree/nouns.ts';
import {
  correctedLine,
  helpWords,
  type Line,
  nameOf,
  placeholderOf,
  readLine,
  titleOf,
} from './command-line.ts';
import { guessCommands } from './commands.ts';
import { fixFlags, isCluster, optionsOf, switchValueError, withJoined } from './flags.ts';
import { adviseSurplus, withoutSurplus } from './surplus.ts';

/** Converts an error of commander to a `usage` error with a clearer message and a suggestion. */
export function usageErrorOf(program: Command, argv: readonly string[], error: CommanderError): DtpError {
  const line = readLine(program, argv);
  switch (error.code) {
    case 'commander.unknownOption':
      return strayFlag(program, line, error);
    case 'commander.unknownCommand':
    case 'commander.excessArguments':
      return strayWord(program, line);
    case 'commander.missingArgument':
      return missingArgument(line);
    case 'commander.missingMandatoryOptionValue':
      return missingFlag(line, optionIn(program, line, error));
    case 'commander.optionMissingArgument':
      return missingValue(line, optionIn(program, line, error));
    case 'commander.invalidArgument':
      return invalidValue(program, line, error);
    default:
      return new DtpError('usage', plainOf(error), helpOf(line.command));
  }
}

/** Returns the error for a request for help with an unknown command. Undefined if the command exists. */
export function strayWordOf(program: Command, argv: readonly string[]): DtpError | undefined {
  const line = readLine(program, argv);
  const isStray = line.command.commands.length > 0 && line.roles.some(({ is }) => is === 'operand');
  return isStray ? strayWord(program, line) : undefined;
}

/**
 * Returns the error for unknown arguments of a command such as `dtp help`. `before` are the words of the command itself,
 * such as `help`. `others` are valid arguments that are not commands, such as help topics.
 */
export function unknownWords(
  program: Command,
  names: readonly string[],
  before: readonly string[],
  others: readonly string[] = [],
): DtpError {
  const other = names.length === 1 ? nearest(names[0] ?? '', others) : undefined;
  const { roles, command: found } = readLine(program, names);
  const right = roles.findIndex(({ is }) => is !== 'command');
  const guesses =
    other === undefined ? guessCommands(program, names, right).map(({ words }) => words) : [[other]];
  const what = others.length === 0 ? 'command' : 'command or topic';
  const facts: Facts =
    guesses.length === 0
      ? availableBelow(
          found,
          commandLine([...before, ...names.slice(0, right)]),
          names.length === 1 ? others : [],
        )
      : { next: guesses.map((words) => commandLine([...before, ...words])) };
  return new DtpError('usage', `unknown ${what} "${names.join(' ')}"`, facts);
}

/** Returns the error for an unknown flag, or for a flag in front of its command. */
function strayFlag(program: Command, line: Line, error: CommanderError): DtpError {
  const { argv, roles, command } = line;
  const word = argv[roles.findIndex(({ is }) => is === 'stray')];
  if (word === undefined) return unreadFlag(line, error);
  const options = optionsOf(program, command);
  const named = (name: string) => options.find(({ long, short }) => long === name || short === name);
  const letter = isCluster(word) ? [...word.slice(1)].find((one) => !named(`-${one}`)) : undefined;
  const name = letter === undefined ? nameOf(word) : `-${letter}`;
  const known = letter === undefined ? named(name) : undefined;
  if (known && !known.required && name !== word) return switchValueError(program, line);
  const fixed = fixFlags(program, line);
  const next = { next: [fixed.shown] };
  if (known) return new DtpError('usage', `${name} must come after the command`, next);
  const text = `${titleOf(command)} has no flag ${name}`;
  if (fixed.hasFirst) return new DtpError('usage', text, next);
  if (name === '--watch')
    return new DtpError('usage', text, {
      hint: '--watch works only with commands that read changing data, for example:',
      next: ['dtp events search --watch 5s'],
    });
  const hint = 'Set DTP_API_KEY, or store a credential with:';
  return isSecretName(name)
    ? new DtpError('usage', text, { hint, next: ['dtp auth login --with-token < FILE'] })
    : new DtpError('usage', text, helpOf(command));
}

/** Returns the error for a flag with `--` as its value, which commander takes for the end of the flags. */
function unreadFlag(line: Line, error: CommanderError): DtpError {
  const { argv, roles, command } = line;
  const at = argv.findIndex((word, index) => word === '--' && roles[index]?.is === 'value');
  const role = roles[at];
  if (role?.is !== 'value') return new DtpError('usage', plainOf(error), helpOf(command));
  const { long = '', flags } = role.option;
  return new DtpError('usage', `${long} needs a value, not --`, {
    next: [correctedLine(line, new Map([[at, [placeholderOf(flags)]]]))],
  });
}

/** Returns the error for an unknown command, or for too many arguments. */
function strayWord(program: Command, line: Line): DtpError {
  const { command, argv } = line;
  const places = argv.flatMap((_, at) => (isWord(line, at) ? [at] : []));
  const typed = argv.filter((_, at) => isWord(line, at));
  const right = places.filter((at) => line.roles[at]?.is === 'command').length;
  const wrong = typed[right] ?? '';
  const guesses = guessHelp(wrong, typed, right) ?? guessCommands(program, typed, right);
  const next = guesses.map(({ words, used }) => {
    const better = argv.flatMap((word, at) => {
      const place = places.indexOf(at);
      if (place === 0) return words;
      return place > 0 && place < used ? [] : [word];
    });
    return fixFlags(program, readLine(program, withoutSurplus(program, withJoined(program, better)))).shown;
  });
  if (command.commands.length > 0) {
    const facts: Facts = next.length > 0 ? { next } : availableBelow(command, `${titleOf(command)} --help`);
    return new DtpError('usage', `unknown command "${titleOf(command)} ${wrong}"`, facts);
  }
  const joined = withJoined(program, argv);
  if (joined !== argv && withoutSurplus(program, joined).length === joined.length)
    return switchValueError(program, readLine(program, joined));
  const most = command.registeredArguments.length;
  return new DtpError('usage', `too many arguments for ${titleOf(command)} (it takes ${most || 'none'})`, {
    ...(next.length > 0 ? { next } : adviseSurplus(program, line)),
  });
}

function availableBelow(command: Command, help: string, others: readonly string[] = []): Facts {
  const names = visibleBelow(command)
    .map((one) => one.name())
    .sort();
  return {
    hint:
      names.length === 0
        ? 'It has no subcommands.'
        : `Available: ${names.join(', ')}.${others.length === 0 ? '' : ` Topics: ${others.join(', ')}.`}`,
    next: [help],
  };
}

const isWord = ({ roles }: Line, at: number): boolean =>
  roles[at]?.is === 'command' || roles[at]?.is === 'operand';

/** Suggests the help for `dtp ws help`, and --version for `dtp version`. Other tools have such commands. */
function guessHelp(wrong: string, typed: readonly string[], right: number) {
  const others = typed.filter((_, index) => index !== right);
  if (wrong === 'help') return [{ words: ['help', ...others], used: typed.length }];
  return wrong === 'version' && right === 0 ? [{ words: ['--version'], used: typed.length }] : undefined;
}

function missingArgument(line: Line): DtpError {
  const { command, roles } = line;
  const given = roles.filter(({ is }) => is === 'operand').length;
  const missing = command.registeredArguments.filter(({ required }) => required).slice(given);
  const more = missing.map((one) => one.name().toUpperCase());
  return new DtpError('usage', `missing argument: ${more[0]}`, {
    next: [correctedLine(line, new Map(), more)],
  });
}

const missingFlag = (line: Line, { long = '', flags }: Option) =>
  new DtpError('usage', `missing flag: ${long}`, {
    next: [correctedLine(line, new Map(), [long, placeholderOf(flags)])],
  });

const missingValue = (line: Line, { long = '', flags }: Option) =>
  new DtpError('usage', `${long} needs a value`, {
    next: [correctedLine(line, new Map(), [placeholderOf(flags)])],
  });

/** Returns the error for a value that is not one of the choices, or for a flag in place of a value. */
function invalidValue(program: Command, line: Line, error: CommanderError): DtpError {
  const { argv, roles, command } = line;
  const argument = command.registeredArguments.find(
    (one) => one.argChoices && error.message.includes(`for argument '${one.name()}'`),
  );
  if (argument) {
    const at = argv.findIndex(
      (word, index) => roles[index]?.is === 'operand' && !argument.argChoices?.includes(word),
    );
    return invalidChoice(line, at, {
      label: argument.name().toUpperCase(),
      choices: argument.argChoices ?? [],
      given: line.argv[at] ?? '',
      written: (word) => word,
    });
  }
  const option = optionIn(program, line, error);
  const { long = '', argChoices = [] } = option;
  const at = roles.findIndex((role, index) => {
    if (!('option' in role) || role.option !== option) return false;
    const word = argv[index] ?? '';
    return role.is === 'value' ? !argChoices.includes(word) : word.includes('=') || /^-[^-]./.test(word);
  });
  const word = argv[at] ?? '';
  if (roles[at]?.is === 'value' && optionsOf(program, command).some((one) => one.long === word))
    return new DtpError('usage', `${long} needs a value, but ${word} is a flag`, {
      next: [correctedLine(line, new Map([[at, [placeholderOf(option.flags), word]]]))],
    });
  if (argChoices.length === 0) return new DtpError('usage', plainOf(error), helpOf(command));
  const before = roles[at]?.is === 'value' ? '' : (/^(--[^=]+=|-.)/.exec(word)?.[0] ?? '');
  return invalidChoice(line, at, {
    label: long,
    choices: argChoices,
    given: word.slice(before.length),
    written: (value) => `${before}${value}`,
  });
}

interface Choice {
  readonly label: string;
  readonly choices: readonly string[];
  readonly given: string;
  /**
   * Returns the word to write in the command line for a choice. The word includes the flag if both are joined, as in
   * `--output=json`.
   */
  readonly written: (choice: string) => string;
}

function invalidChoice(line: Line, at: number, { label, choices, given, written }: Choice): DtpError {
  const all = orList(choices);
  const similar = nearest(given, choices);
  const next =
    similar === undefined ? {} : { next: [correctedLine(line, new Map([[at, [written(similar)]]]))] };
  return new DtpError('usage', `${label} must be ${all}, not "${given}"`, next);
}

/** Returns the option that commander's message names. */
function optionIn(program: Command, { command }: Line, { message }: CommanderError): Option {
  const [, flags] = /option '([^']+)'/.exec(message) ?? [];
  const found = optionsOf(program, command).find((one) => one.flags === flags);
  if (!found) throw new Error(message);
  return found;
}

const helpOf = (command: Command): Facts => ({ next: [commandLine(helpWords(command))] });

/** Returns commander's message without the user's value, which may be a secret. */
const plainOf = ({ message }: CommanderError): string =>
  message
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')
    .replace(/ ?'(?:[^']*)'(?= is invalid)/, '');

/** A command line that cannot be read → one sentence, and the line that was meant. */
import type { Command, CommanderError, Option } from 'commander';
import { DtpError, type Facts } from '../../errors.ts';
import { operations } from '../../operations/index.ts';
import type { Operation } from '../../operations/operation.ts';
import { nearest } from '../../render/nearest.ts';
import { isSecretName } from '../../request/redact.ts';
import { commandLine } from '../../settings/command-line.ts';
import { unshortened, visibleBelow } from '../../tree/nouns.ts';
import {
  correctedLine,
  helpWords,
  type Line,
  nameOf,
  placeholderOf,
  readLine,
  titleOf,
} from './command-line.ts';
import { meantBy } from './commands.ts';
import { isCluster, mendFlags, optionsOf, valuedSwitch, withJoined } from './flags.ts';

/** commander's error, in our words. */
export function mistakeOf(program: Command, argv: readonly string[], error: CommanderError): DtpError {
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
      return wrongValue(program, line, error);
    default:
      return new DtpError('usage', plainOf(error), helpOf(line.command));
  }
}

/** Help was asked for of a command that is none; undefined where it is one. */
export function strayWordOf(program: Command, argv: readonly string[]): DtpError | undefined {
  const line = readLine(program, argv);
  const isStray = line.command.commands.length > 0 && line.roles.some(({ is }) => is === 'operand');
  return isStray ? strayWord(program, line) : undefined;
}

/** For a command that is named by arguments, such as those of `dtp help`; `others` are words that would do as well. */
export function unknownWords(
  program: Command,
  names: readonly string[],
  before: readonly string[],
  others: readonly string[] = [],
): DtpError {
  const other = names.length === 1 ? nearest(names[0] ?? '', others) : undefined;
  const { roles, command: found } = readLine(program, names);
  const right = roles.findIndex(({ is }) => is !== 'command');
  const meant = other === undefined ? meantBy(program, names, right).map(({ words }) => words) : [[other]];
  const what = others.length === 0 ? 'command' : 'command or topic';
  const facts: Facts =
    meant.length === 0
      ? thereAre(found, commandLine([...before, ...names.slice(0, right)]))
      : { next: meant.map((words) => commandLine([...before, ...words])) };
  return new DtpError('usage', `there is no ${what} "${names.join(' ')}"`, facts);
}

/** A flag that the command does not have, or that stands before the command that has it. */
function strayFlag(program: Command, line: Line, error: CommanderError): DtpError {
  const { argv, roles, command } = line;
  const word = argv[roles.findIndex(({ is }) => is === 'stray')];
  if (word === undefined) return unreadFlag(line, error);
  const options = optionsOf(program, command);
  const named = (name: string) => options.find(({ long, short }) => long === name || short === name);
  const letter = isCluster(word) ? [...word.slice(1)].find((one) => !named(`-${one}`)) : undefined;
  const name = letter === undefined ? nameOf(word) : `-${letter}`;
  const known = letter === undefined ? named(name) : undefined;
  if (known && !known.required && name !== word) return valuedSwitch(program, line);
  const mended = mendFlags(program, line);
  const next = { next: [mended.shown] };
  if (known) return new DtpError('usage', `${name} stands before its command`, next);
  const text = `${titleOf(command)} has no flag ${name}`;
  if (mended.hasFirst) return new DtpError('usage', text, next);
  const hint = 'Set DTP_API_KEY, or store a credential with:';
  return isSecretName(name)
    ? new DtpError('usage', text, { hint, next: ['dtp auth login --with-token < FILE'] })
    : new DtpError('usage', text, helpOf(command));
}

/** A flag that commander alone does not know: it has read `--` as the end of the flags where it is a value. */
function unreadFlag(line: Line, error: CommanderError): DtpError {
  const { argv, roles, command } = line;
  const at = argv.findIndex((word, index) => word === '--' && roles[index]?.is === 'value');
  const role = roles[at];
  if (role?.is !== 'value') return new DtpError('usage', plainOf(error), helpOf(command));
  const { long = '', flags } = role.option;
  return new DtpError('usage', `${long} needs a value; -- is not one`, {
    next: [correctedLine(line, new Map([[at, [placeholderOf(flags)]]]))],
  });
}

/** A word that is no command, or an argument too many. */
function strayWord(program: Command, line: Line): DtpError {
  const { command, argv } = line;
  const places = argv.flatMap((_, at) => (isWord(line, at) ? [at] : []));
  const typed = argv.filter((_, at) => isWord(line, at));
  const right = places.filter((at) => line.roles[at]?.is === 'command').length;
  const wrong = typed[right] ?? '';
  const meant = lookingFor(wrong, typed, right) ?? meantBy(program, typed, right);
  const next = meant.map(({ words, used }) => {
    const better = argv.flatMap((word, at) => {
      const place = places.indexOf(at);
      if (place === 0) return words;
      return place > 0 && place < used ? [] : [word];
    });
    return mendFlags(program, readLine(program, fitted(program, withJoined(program, better)))).shown;
  });
  if (command.commands.length > 0) {
    const facts: Facts = next.length > 0 ? { next } : thereAre(command, `${titleOf(command)} --help`);
    return new DtpError('usage', `there is no command "${titleOf(command)} ${wrong}"`, facts);
  }
  const joined = withJoined(program, argv);
  if (joined !== argv && fitted(program, joined).length === joined.length)
    return valuedSwitch(program, readLine(program, joined));
  const takes = command.registeredArguments.length || 'none';
  const isNamed = line.roles.some((role) => role.is === 'flag' && role.option.long === '--workspace');
  const isOf = !isNamed && isOfWorkspace(command);
  // Dropping the surplus would suggest another command than the user meant, unless it was the workspace.
  const better = isOf && takes === 'none' ? withWorkspace(program, argv) : `${titleOf(command)} --help`;
  return new DtpError('usage', `too many arguments for ${titleOf(command)}: it takes ${takes}`, {
    ...(isOf && { hint: 'Its workspace is named with -w ID.' }),
    next: next.length > 0 ? next : [better],
  });
}

/** The line whose surplus argument was the workspace. It is not repeated: what nobody asked for may be a credential. */
const withWorkspace = (program: Command, argv: readonly string[]): string =>
  correctedLine(readLine(program, fitted(program, argv)), new Map(), ['-w', 'ID']);

/** Whether somebody may have given the workspace in the place of an argument. */
function isOfWorkspace(command: Command): boolean {
  const words = unshortened(titleOf(command).split(' ').slice(1)).join(' ');
  const all: readonly Operation[] = Object.values(operations);
  return all.some((one) => one.command.join(' ') === words && 'workspace_id' in one.input);
}

/** Without the arguments that are too many. They are not repeated: what nobody asked for may be a credential. */
function fitted(program: Command, argv: readonly string[]): readonly string[] {
  const { roles, command } = readLine(program, argv);
  const takes = command.registeredArguments;
  const most = takes.at(-1)?.variadic || command.commands.length > 0 ? argv.length : takes.length;
  const end = argv.findIndex((word, at) => word === '--' && roles[at]?.is === 'rest');
  const isArgument = (at: number) => roles[at]?.is === 'operand' || (end >= 0 && at > end);
  const surplus = argv.flatMap((_, at) => (isArgument(at) ? [at] : [])).slice(most);
  const better = argv.filter((_, at) => !surplus.includes(at));
  return surplus.length > 0 && end === better.length - 1 ? better.slice(0, end) : better;
}

function thereAre(command: Command, help: string): Facts {
  const names = visibleBelow(command)
    .map((one) => one.name())
    .sort();
  return { hint: `There are: ${names.join(', ') || 'none below it'}.`, next: [help] };
}

const isWord = ({ roles }: Line, at: number): boolean =>
  roles[at]?.is === 'command' || roles[at]?.is === 'operand';

/** `dtp ws help` and `dtp version`, as other tools have them. */
function lookingFor(wrong: string, typed: readonly string[], right: number) {
  const others = typed.filter((_, index) => index !== right);
  if (wrong === 'help') return [{ words: ['help', ...others], used: typed.length }];
  return wrong === 'version' && right === 0 ? [{ words: ['--version'], used: typed.length }] : undefined;
}

function missingArgument(line: Line): DtpError {
  const { command, roles } = line;
  const given = roles.filter(({ is }) => is === 'operand').length;
  const lacking = command.registeredArguments.filter(({ required }) => required).slice(given);
  const more = lacking.map((one) => one.name().toUpperCase());
  return new DtpError('usage', `<${lacking[0]?.name()}> is missing`, {
    next: [correctedLine(line, new Map(), more)],
  });
}

const missingFlag = (line: Line, { long = '', flags }: Option) =>
  new DtpError('usage', `${long} is missing`, {
    next: [correctedLine(line, new Map(), [long, placeholderOf(flags)])],
  });

const missingValue = (line: Line, { long = '', flags }: Option) =>
  new DtpError('usage', `${long} needs a value`, {
    next: [correctedLine(line, new Map(), [placeholderOf(flags)])],
  });

/** A value that is none of those that there are, or a flag in the place of a value. */
function wrongValue(program: Command, line: Line, error: CommanderError): DtpError {
  const { argv, roles, command } = line;
  const argument = command.registeredArguments.find(
    (one) => one.argChoices && error.message.includes(`for argument '${one.name()}'`),
  );
  if (argument) {
    const at = argv.findIndex(
      (word, index) => roles[index]?.is === 'operand' && !argument.argChoices?.includes(word),
    );
    return wrongChoice(line, at, {
      label: `<${argument.name()}>`,
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
    return new DtpError('usage', `${long} needs a value; ${word} is a flag`, {
      next: [correctedLine(line, new Map([[at, [placeholderOf(option.flags), word]]]))],
    });
  if (argChoices.length === 0) return new DtpError('usage', plainOf(error), helpOf(command));
  const before = roles[at]?.is === 'value' ? '' : (/^(--[^=]+=|-.)/.exec(word)?.[0] ?? '');
  return wrongChoice(line, at, {
    label: long,
    choices: argChoices,
    given: word.slice(before.length),
    written: (value) => `${before}${value}`,
  });
}

interface Wrong {
  readonly label: string;
  readonly choices: readonly string[];
  readonly given: string;
  /** A choice as the word that it would be. */
  readonly written: (choice: string) => string;
}

function wrongChoice(line: Line, at: number, { label, choices, given, written }: Wrong): DtpError {
  const all = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
  const meant = nearest(given, choices);
  const next = meant === undefined ? {} : { next: [correctedLine(line, new Map([[at, [written(meant)]]]))] };
  return new DtpError('usage', `${label} must be ${all}; "${given}" is not`, next);
}

/** The option that commander names by its flags. */
function optionIn(program: Command, { command }: Line, { message }: CommanderError): Option {
  const [, flags] = /option '([^']+)'/.exec(message) ?? [];
  const found = optionsOf(program, command).find((one) => one.flags === flags);
  if (!found) throw new Error(message);
  return found;
}

const helpOf = (command: Command): Facts => ({ next: [commandLine(helpWords(command))] });

/** commander's own words, without what was given: it may be a secret. */
const plainOf = ({ message }: CommanderError): string =>
  message
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')
    .replace(/ ?'(?:[^']*)'(?= is invalid)/, '');

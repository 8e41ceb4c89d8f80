/** Explains an invalid command line in one sentence, and suggests a corrected command line. */
import { orList } from '../declarations/checks.ts';
import { DtpError, type Facts } from '../errors.ts';
import { nearest } from '../render/nearest.ts';
import { isSecretName } from '../request/redact.ts';
import { asArguments, commandLine } from '../settings/command-line.ts';
import { inputLine } from '../shell.ts';
import {
  type ArgumentEntry,
  type CommandEntry,
  type FlagEntry,
  helpWords,
  namesBelow,
  placeholderOf,
} from '../tree/entry.ts';
import { flagNameIn, flagsAt, type Line, type LineFault, needsValue, readLine } from '../tree/line.ts';
import { correctedLine } from './command-line.ts';
import { guessCommands } from './commands.ts';
import { fixFlags, isCluster, switchValueError, withJoined } from './flags.ts';
import { otherFormats } from './other-tools.ts';
import { adviseSurplus, withName, withoutSurplus } from './surplus.ts';

export function usageErrorOf(argv: readonly string[], fault: LineFault): DtpError {
  const line = readLine(argv);
  if (fault.is === 'missing value') return missingValue(line, fault.flag);
  if (fault.is === 'invalid value') return invalidValue(line, fault.flag);
  if (fault.is === 'invalid argument') return invalidArgument(line, fault.argument);
  return { 'stray flag': strayFlag, 'stray word': strayWord, 'missing argument': missingArgument }[fault.is](line);
}

/** Returns the error for a request for help with an unknown command. Undefined if the command exists. */
export function unknownHelpCommandError(argv: readonly string[]): DtpError | undefined {
  const line = readLine(argv);
  const isStray = line.command.commands.length > 0 && line.roles.some(({ is }) => is === 'operand');
  return isStray ? strayWord(line) : undefined;
}

/** Returns the error for unknown arguments of a command, whose words are `before`. `others` are topics. */
export function unknownWords(names: readonly string[], before: readonly string[], others: readonly string[] = []) {
  const other = names.length === 1 ? nearest(names[0] ?? '', others) : undefined;
  const { roles, command: found } = readLine(names);
  const right = roles.findIndex(({ is }) => is !== 'command');
  const guesses = other === undefined ? guessCommands(names, right).map(({ words }) => words) : [[other]];
  const what = others.length === 0 ? 'command' : 'command or topic';
  const facts: Facts =
    guesses.length === 0
      ? availableBelow(found, commandLine([...before, ...names.slice(0, right)]), names.length === 1 ? others : [])
      : { next: guesses.map((words) => commandLine([...before, ...words])) };
  return new DtpError('usage', `unknown ${what} "${names.join(' ')}"`, facts);
}

function strayFlag(line: Line): DtpError {
  const { argv, roles, command } = line;
  const word = argv[roles.findIndex(({ is }) => is === 'stray')];
  if (word === undefined) return unreadFlag(line);
  const flags = flagsAt(command);
  const named = (name: string) => flags.find((one) => one.name === name || one.short === name);
  const letter = isCluster(word) ? [...word.slice(1)].find((one) => !named(`-${one}`)) : undefined;
  const name = letter === undefined ? flagNameIn(word) : `-${letter}`;
  const known = letter === undefined ? named(name) : undefined;
  if (known && !needsValue(known) && name !== word) return switchValueError(line);
  const fixed = fixFlags(line);
  const next = { next: [fixed.shown] };
  if (known) return new DtpError('usage', `${name} must come after the command`, next);
  const text = `${command.title} has no flag ${name}`;
  const language = name === '--jsonpath' ? { hint: 'Use --query (JMESPath) or --jq, not JSONPath.' } : {};
  if (fixed.hasFirst) return new DtpError('usage', text, { ...language, ...next });
  if (name === '--watch')
    return new DtpError('usage', text, {
      hint: '--watch works only with commands that read changing data, for example:',
      next: ['dtp events search --watch 5s'],
    });
  const login: Facts = {
    hint: 'Set DTP_API_KEY, or store a credential with:',
    ciHint: 'Set DTP_API_KEY.',
    next: [inputLine('dtp auth login --with-token', 'FILE')],
  };
  return new DtpError('usage', text, isSecretName(name) ? login : helpOf(command));
}

/** Returns the error for a flag with `--` as its value, which the parser takes for the end of the flags. */
function unreadFlag(line: Line): DtpError {
  const { argv, roles, command } = line;
  const at = argv.findIndex((word, index) => word === '--' && roles[index]?.is === 'value');
  const role = roles[at];
  if (role?.is !== 'value') return new DtpError('usage', 'unknown flag', helpOf(command));
  const { flag } = role;
  return new DtpError('usage', `${flag.name} needs a value, not --`, {
    next: [correctedLine(line, new Map([[at, [placeholderOf(flag)]]]))],
  });
}

function strayWord(line: Line): DtpError {
  const { command, argv } = line;
  const places = argv.flatMap((_, at) => (isWord(line, at) ? [at] : []));
  const typed = argv.filter((_, at) => isWord(line, at));
  const right = places.filter((at) => line.roles[at]?.is === 'command').length;
  const wrong = typed[right] ?? '';
  const guesses = guessHelp(wrong, typed, right) ?? guessCommands(typed, right);
  const next = guesses.map(({ words, used }) => {
    // What follows a noun would be its next unknown command.
    if (readLine(words).command.commands.length > 0) return commandLine([...words, '--help']);
    const better = argv.flatMap((word, at) => {
      const place = places.indexOf(at);
      if (place === 0) return words;
      return place > 0 && place < used ? [] : [word];
    });
    return fixFlags(readLine(withName(withJoined(better)))).shown;
  });
  if (command.commands.length > 0) {
    const facts: Facts = next.length > 0 ? { next } : availableBelow(command, `${command.title} --help`);
    return new DtpError('usage', `unknown command "${command.title} ${wrong}"`, facts);
  }
  const joined = withJoined(argv);
  if (joined !== argv && withoutSurplus(joined).length === joined.length) return switchValueError(readLine(joined));
  const most = command.arguments.length;
  return new DtpError('usage', `too many arguments for ${command.title} (it takes ${most || 'none'})`, {
    ...(next.length > 0 ? { next } : adviseSurplus(line)),
  });
}

function availableBelow(command: CommandEntry, help: string, others: readonly string[] = []): Facts {
  const names = namesBelow(command);
  return {
    hint:
      names.length === 0
        ? 'It has no subcommands.'
        : `Available: ${names.join(', ')}.${others.length === 0 ? '' : ` Topics: ${others.join(', ')}.`}`,
    next: [help],
  };
}

const isWord = ({ roles }: Line, at: number): boolean => roles[at]?.is === 'command' || roles[at]?.is === 'operand';

/** Suggests the help for `dtp ws help`. Other tools have such commands. */
function guessHelp(wrong: string, typed: readonly string[], right: number) {
  const others = typed.filter((_, index) => index !== right);
  return wrong === 'help' ? [{ words: ['help', ...others], used: typed.length }] : undefined;
}

function missingArgument(line: Line): DtpError {
  const { command, roles } = line;
  const given = roles.filter(({ is }) => is === 'operand').length;
  const missing = command.arguments.filter(({ required, isAsked }) => required && !isAsked).slice(given);
  const more = asArguments(missing.map((one) => one.name.toUpperCase()));
  return new DtpError('usage', `missing argument: ${more[0]}`, { next: [correctedLine(line, new Map(), more)] });
}

const missingValue = (line: Line, flag: FlagEntry) =>
  new DtpError('usage', `${flag.name} needs a value${flag.choices ? `: ${orList(flag.choices)}` : ''}`, {
    next: [correctedLine(line, new Map(), [placeholderOf(flag)])],
  });

function invalidArgument(line: Line, { name, choices = [] }: ArgumentEntry): DtpError {
  const at = line.argv.findIndex((word, index) => line.roles[index]?.is === 'operand' && !choices.includes(word));
  return invalidChoice(line, at, { name: name.toUpperCase(), choices });
}

/** Returns the error for a value that is not one of the choices, or for a flag in place of a value. */
function invalidValue(line: Line, flag: FlagEntry): DtpError {
  const { argv, roles, command } = line;
  const { name, choices = [] } = flag;
  const at = roles.findIndex((role, index) => {
    if (!('flag' in role) || role.flag !== flag) return false;
    const word = argv[index] ?? '';
    return role.is === 'value' ? !choices.includes(word) : word.includes('=') || /^-[^-]./.test(word);
  });
  const word = argv[at] ?? '';
  if (roles[at]?.is === 'value' && flagsAt(command).some((one) => one.name === word))
    return new DtpError('usage', `${name} needs a value, but ${word} is a flag`, {
      next: [correctedLine(line, new Map([[at, [placeholderOf(flag), word]]]))],
    });
  if (choices.length === 0) return new DtpError('usage', `${name} has an invalid value`, helpOf(command));
  if (name === '--output' && /(^|=|-o)wide$/.test(word)) {
    const places = roles.flatMap((role, index) => ('flag' in role && role.flag === flag ? [[index, []] as const] : []));
    const next = [correctedLine(line, new Map(places), ['--wide'])];
    return new DtpError('usage', 'every column in full is --wide, not a format', { next });
  }
  const before = roles[at]?.is === 'value' ? '' : (/^(--[^=]+=|-.)/.exec(word)?.[0] ?? '');
  return invalidChoice(line, at, { name, choices }, before);
}

/** Returns the error for the word at an index. `before` is a flag that is joined to the word, as in `--output=json`. */
function invalidChoice(line: Line, at: number, entry: Pick<ArgumentEntry, 'name' | 'choices'>, before = ''): DtpError {
  const { name, choices = [] } = entry;
  const given = line.argv[at]?.slice(before.length) ?? '';
  const all = orList(choices);
  const other = choices.find((one) => one === otherFormats[given]);
  const similar = other ?? nearest(given, choices);
  const next = similar === undefined ? {} : { next: [correctedLine(line, new Map([[at, [before + similar]]]))] };
  return new DtpError('usage', `${name} must be ${all}, not "${given}"`, next);
}

const helpOf = (command: CommandEntry): Facts => ({ next: [commandLine(helpWords(command))] });

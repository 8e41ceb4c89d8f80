/** Converts the command tree to records, from which help pages, schema and man pages are made. */
import { EventEmitter } from 'node:events';
import type { Argument, Command } from 'commander';
import { type ErrorCode, exitCodes, signals } from '../errors.ts';
import type { LocalCommand } from '../local/command.ts';
import { findLocal } from '../local/index.ts';
import { effectOf } from '../operations/effect.ts';
import { type Example, examples } from '../operations/examples.ts';
import type { Operation } from '../operations/operation.ts';
import { visibleBelow, wordsOf } from '../tree/nouns.ts';
import { kebab } from '../tree/operation-flags.ts';
import { type ExitCodeRow, exitCodeRows } from './exit-codes.ts';
import { type FlagRecord, flagOf } from './flags.ts';
import {
  bodyOf,
  endsOf,
  type FlagFacts,
  knownValues,
  operationFlags,
  operationOf,
  sending,
  settingFlags,
} from './operation.ts';

export interface ArgumentRecord {
  readonly name: string;
  readonly help: string;
  readonly required: boolean;
  readonly repeatable: boolean;
  /** The only allowed values. */
  readonly enum?: readonly string[];
  /** The known values. Others are allowed. */
  readonly known_values?: readonly string[];
}

/** A command that can be run. */
export interface CommandRecord {
  /** Its words, without `dtp`. */
  readonly command: string;
  /** Aliases of its last word. */
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly notes: readonly string[];
  readonly effect: NonNullable<Operation['effect']>;
  /** The operation id. Absent for a local command. */
  readonly operation?: string;
  readonly method?: string;
  readonly path?: string;
  /** The command that replaces it. */
  readonly deprecated?: string;
  /** What the embedded service simplifies. */
  readonly simplified?: string;
  readonly result?: Operation['result'];
  /** Seconds after which the command fails with a timeout. */
  readonly timeout_seconds?: number;
  readonly retry?: RetryRecord;
  /** Why it does more than send a request. */
  readonly flow?: NonNullable<Operation['flow']>;
  readonly body?: { readonly required: boolean; readonly many: boolean; readonly record?: string };
  readonly arguments: readonly ArgumentRecord[];
  readonly flags: readonly FlagRecord[];
  /** The global flags that it requires, as flags or variables. */
  readonly settings: readonly string[];
  readonly exit_codes: readonly Pick<ExitCodeRow, 'code' | 'name'>[];
  readonly examples: readonly Example[];
}

/** What is retried automatically. */
export interface RetryRecord {
  readonly initial_ms: number;
  readonly max_ms: number;
  readonly elapsed_ms: number;
  readonly exponent: number;
  readonly statuses: readonly number[];
}

/** A noun, which only runs with one of its commands. */
export interface GroupRecord {
  readonly command: string;
  readonly aliases: readonly string[];
  readonly summary: string;
}

/** The commands that can be run, keyed by their words. */
export const leavesOf = (command: Command): readonly Command[] =>
  allBelow(command)
    .filter((one) => one.commands.length === 0)
    .sort((one, other) => (wordsOf(one).join(' ') < wordsOf(other).join(' ') ? -1 : 1));

/** The command and all visible commands below it. Parents come first. */
export const allBelow = (command: Command): readonly Command[] => [
  command,
  ...visibleBelow(command).flatMap(allBelow),
];

/** The nouns: commands that have subcommands, except the tool itself. */
export const groupsOf = (program: Command): readonly Command[] =>
  allBelow(program).filter((one) => one !== program && one.commands.length > 0);

export const describeGroup = (command: Command): GroupRecord => ({
  command: wordsOf(command).join(' '),
  aliases: command.aliases(),
  summary: paragraphsOf(command)[0] ?? '',
});

/** Describes a command that can be run. */
export function describe(command: Command): CommandRecord {
  const words = wordsOf(command).join(' ');
  const operation = operationOf(words);
  const local = findLocal(words);
  const [summary = '', ...notes] = paragraphsOf(command);
  return {
    command: words,
    aliases: command.aliases(),
    summary: operation?.summary ?? summary,
    notes,
    effect: operation ? effectOf(operation) : (local?.effect ?? 'write'),
    ...(operation && factsOf(operation)),
    arguments: command.registeredArguments.map((one) => argumentOf(one, operation, local?.asks === true)),
    flags: flagsIn(command, operation),
    settings: operation ? settingFlags(operation) : [],
    exit_codes: codesOf(operation ? endsOf(operation) : localEnds(local)),
    examples: (operation ? examples[operation.id] : local?.examples) ?? [],
  };
}

/** The summary and the notes: the rest of the description, and what was added to the end of the help. */
function paragraphsOf(command: Command): readonly string[] {
  const added: string[] = [];
  // commander collects added text with events, which its types do not show.
  if (command instanceof EventEmitter)
    command.emit('afterHelp', { error: false, command, write: (text: string) => added.push(text) });
  return `${command.description()}\n\n${added.join('\n')}`
    .split(/\n{2,}/)
    .map((one) => one.replaceAll('\n', ' ').trim())
    .filter((one) => one !== '');
}

function flagsIn(command: Command, operation: Operation | undefined): readonly FlagRecord[] {
  const known = operation ? operationFlags(operation) : new Map<string, FlagFacts>();
  const group = operation ? 'flow' : 'options';
  const has = (name: string) => command.options.some((one) => one.long === name);
  return command.options
    .filter((one) => !one.hidden)
    .map((one) => {
      const facts = known.get(one.long ?? '');
      const negatable = has(`--no-${one.name()}`);
      return flagOf(one, { negatable, ...(facts ?? { group: one.mandatory ? 'required' : group }) });
    });
}

/** `isAsked`: whether dtp prompts for it, as it does for arguments of operations. */
function argumentOf(argument: Argument, operation: Operation | undefined, isAsked: boolean): ArgumentRecord {
  const known = operation && knownValues(operation, argument.name());
  return {
    name: argument.name(),
    help: argument.description,
    required: operation ? isNeeded(operation, argument) : isAsked || argument.required,
    repeatable: argument.variadic,
    ...(argument.argChoices && { enum: argument.argChoices }),
    ...(known && { known_values: known }),
  };
}

/** The ids in a path are needed, although commander does not require them. An operand may be optional. */
const isNeeded = ({ operand = '', input }: Operation, argument: Argument): boolean =>
  argument.name() !== kebab(operand) || input[operand]?.required === true;

function factsOf(operation: Operation) {
  const { id, method, path, deprecated, simplified, result, timeout = 60, retry, flow } = operation;
  const body = bodyOf(operation);
  return {
    operation: id,
    method,
    path,
    ...(deprecated !== undefined && { deprecated }),
    ...(simplified !== undefined && { simplified }),
    result,
    timeout_seconds: timeout,
    ...(retry && {
      retry: {
        initial_ms: retry.initialMs,
        max_ms: retry.maxMs,
        elapsed_ms: retry.elapsedMs,
        exponent: retry.exponent,
        statuses: retry.statuses,
      },
    }),
    ...(body && { body }),
    ...(flow && { flow }),
  };
}

const localEnds = ({ sends, ends = [] }: Partial<LocalCommand> = {}): readonly ErrorCode[] => [
  'config',
  ...(sends ? sending : []),
  ...ends,
];

function codesOf(ends: readonly ErrorCode[]): CommandRecord['exit_codes'] {
  const all = new Set([0, ...Object.values(signals), ...(['error', 'usage', ...ends] as const).map(codeOf)]);
  return exitCodeRows.filter(({ code }) => all.has(code)).map(({ code, name }) => ({ code, name }));
}

const codeOf = (name: ErrorCode): number => exitCodes[name];

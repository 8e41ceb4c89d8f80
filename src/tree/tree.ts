/** Builds the tree of commands from the operations and the local commands. Each part is built when first read. */
import type { LocalCommand } from '../local/command.ts';
import { localCommands } from '../local/index.ts';
import { operationsBelow } from '../operations/areas.ts';
import { typeOf, valuesOf } from '../operations/field-types.ts';
import type { Field, Operation } from '../operations/operation.ts';
import { type ArgumentEntry, type CommandEntry, type FlagEntry, visibleBelow } from './entry.ts';
import { flagEntries, globalFlags, operationFlags } from './flag-entries.ts';
import { summaryFile, watchFlag } from './flow-flags.ts';
import { aliasesOfVerb, commandShortcuts, describeNoun, firstNouns, shortcuts, unshortened } from './nouns.ts';
import { argumentsOf, isRequired, operandOf } from './operation-flags.ts';
import { wordOf } from './vocabulary.ts';

/** The parts of a record that are built when they are first read. */
interface Parts {
  readonly commands?: () => Iterable<CommandEntry>;
  readonly arguments?: () => readonly ArgumentEntry[];
  readonly flags?: () => readonly FlagEntry[];
}

type Head = Omit<CommandEntry, keyof Parts | 'commandNamed' | 'name' | 'words' | 'title'>;

function entryOf(typed: readonly string[], head: Head, parts: Parts): CommandEntry {
  const made: CommandEntry[] = [];
  const rest = (function* () {
    for (const one of parts.commands?.() ?? []) {
      made.push(one);
      yield one;
    }
  })();
  return {
    ...head,
    name: typed.at(-1) ?? 'dtp',
    words: unshortened(typed),
    title: ['dtp', ...typed].join(' '),
    get commands() {
      return built(this, 'commands', [...made, ...rest]);
    },
    commandNamed: (word) => {
      const isNamed = ({ name, aliases }: CommandEntry) => name === word || aliases.includes(word);
      const known = made.find(isNamed);
      if (known) return known;
      for (let next = rest.next(); !next.done; next = rest.next()) if (isNamed(next.value)) return next.value;
      return undefined;
    },
    get arguments() {
      return built(this, 'arguments', parts.arguments?.() ?? []);
    },
    get flags() {
      return built(this, 'flags', parts.flags?.() ?? []);
    },
  };
}

/** Replaces the getter of a part with the part itself. */
function built<Part>(entry: CommandEntry, name: keyof Parts, part: Part): Part {
  Object.defineProperty(entry, name, { value: part, enumerable: true });
  return part;
}

export const rootCommand: CommandEntry = entryOf(
  [],
  { summary: 'Manage workspaces, events, API artifacts and SDK code samples', aliases: [], isHidden: false },
  { commands: firstCommands, flags: () => globalFlags },
);

function* firstCommands(): Iterable<CommandEntry> {
  for (const noun of firstNouns) yield nounEntry([noun]);
  for (const local of localCommands) if (!local.words.includes(' ')) yield localEntry(local, [local.words]);
  for (const local of localCommands)
    for (const [name, words] of Object.entries(commandShortcuts))
      if (words.join(' ') === local.words) yield localEntry(local, [name]);
  yield versionEntry;
  yield answerEntry;
}

/** `dtp version`, which is the same as --version. */
export const versionEntry: CommandEntry = entryOf(
  ['version'],
  { summary: 'Print the version', aliases: [], isHidden: true },
  {},
);

/** The hidden command that completion scripts call. */
export const answerEntry: CommandEntry = entryOf(
  ['__complete'],
  { summary: '', aliases: [], isHidden: true },
  { arguments: () => [{ name: 'words', help: '', type: 'string', required: false, isAsked: false, repeatable: true }] },
);

/** Returns a noun, or the shortcut of one. `typed` are its words as the user types them. */
function nounEntry(typed: readonly string[]): CommandEntry {
  const isHidden = Object.hasOwn(shortcuts, typed[0] ?? '');
  return entryOf(typed, { ...describeNoun(typed), isHidden }, { commands: () => commandsBelow(typed) });
}

function* commandsBelow(typed: readonly string[]): Iterable<CommandEntry> {
  const noun = unshortened(typed);
  const below = new Set<string>();
  const entries = (words: readonly string[], make: (typed: readonly string[]) => CommandEntry) => {
    const name = words[noun.length];
    if (name === undefined || below.has(name) || noun.some((word, at) => word !== words[at])) return [];
    below.add(name);
    const own = [...typed, name];
    return [words.length === noun.length + 1 ? make(own) : nounEntry(own)];
  };
  for (const operation of Object.values(operationsBelow(noun[0])))
    yield* entries(operation.command, (own) => operationEntry(operation, own));
  for (const local of localCommands) yield* entries(local.words.split(' '), (own) => localEntry(local, own));
}

const operationEntry = (operation: Operation, typed: readonly string[]): CommandEntry =>
  entryOf(
    typed,
    { operation, summary: operation.summary, aliases: aliasesOfVerb(typed.at(-1) ?? ''), isHidden: false },
    {
      arguments: () => [
        ...[...argumentsOf(operation), ...operandOf(operation)].map((named) => fieldArgument(operation, ...named)),
        ...(operation.flow === 'summary' ? [summaryArgument] : []),
      ],
      flags: () => operationFlags(operation),
    },
  );

const summaryArgument: ArgumentEntry = {
  ...summaryFile,
  type: 'file',
  required: false,
  isAsked: true,
  repeatable: false,
};

function fieldArgument(operation: Operation, name: string, field: Field): ArgumentEntry {
  const known = valuesOf(typeOf(field));
  return {
    name: wordOf(name),
    help: field.help,
    type: field.kind,
    required: isRequired(operation, name),
    isAsked: true,
    repeatable: false,
    field: name,
    ...(known && { known }),
  };
}

function localEntry(local: LocalCommand, typed: readonly string[]): CommandEntry {
  const { summary, args = [], flags = {}, watches, asks = false } = local;
  return entryOf(
    typed,
    { local, summary, aliases: [], isHidden: Object.hasOwn(commandShortcuts, typed[0] ?? '') },
    {
      arguments: () =>
        args.map(({ name, help, choices, required = false, optional = false, many = false }) => ({
          name,
          help,
          type: 'string',
          required: required || (asks && !optional),
          isAsked: asks,
          repeatable: many,
          ...(choices && { choices }),
        })),
      flags: () => flagEntries(watches ? { ...flags, ...watchFlag } : flags, 'options'),
    },
  );
}

/** Returns the visible commands below a command, and the command itself. Parents come before their subcommands. */
export const allBelow = (one: CommandEntry): readonly CommandEntry[] => [one, ...visibleBelow(one).flatMap(allBelow)];

/** Returns the commands that can be run, sorted by their words. */
export const runnableBelow = (entry: CommandEntry): readonly CommandEntry[] =>
  allBelow(entry)
    .filter((one) => one.commands.length === 0)
    .sort((one, other) => (one.words.join(' ') < other.words.join(' ') ? -1 : 1));

/** Defines the record of a command, which the parser, help, schema, completions and suggestions read. */
import type { FlagSpec } from '../declarations/flag.ts';
import type { LocalCommand } from '../local/command.ts';
import type { Kind, Operation } from '../operations/operation.ts';

export interface CommandEntry {
  /** The last word of the command. `dtp` for the tool itself. */
  readonly name: string;
  /** All words, without `dtp`. A shortcut has the words of the command that it stands for. */
  readonly words: readonly string[];
  /** The command as the user types it, such as `dtp tokens list`. */
  readonly title: string;
  /** The aliases of the last word, including earlier names. */
  readonly aliases: readonly string[];
  readonly summary: string;
  /** Whether help and completions leave it out, because it is a shortcut or is only called by scripts. */
  readonly isHidden: boolean;
  /** The commands below a noun. Empty for a command that can be run. */
  readonly commands: readonly CommandEntry[];
  /** Returns the command below with this name or alias. Those after it are not built. */
  readonly commandNamed: (word: string) => CommandEntry | undefined;
  readonly arguments: readonly ArgumentEntry[];
  /** The flags of the command itself. Those of `dtp` are the global flags. */
  readonly flags: readonly FlagEntry[];
  /** What the command runs. Nouns have neither. */
  readonly operation?: Operation;
  readonly local?: LocalCommand;
}

interface ValueEntry extends Pick<FlagSpec, 'help' | 'choices'> {
  /** Whether the user must pass it. */
  readonly required: boolean;
  /** Whether dtp prompts for it, or says what is missing. The parser then accepts a command line without it. */
  readonly isAsked: boolean;
  readonly repeatable: boolean;
  /** The known values. Others are allowed. */
  readonly known?: readonly string[];
  /** The field of the operation that it sets. */
  readonly field?: string;
}

export interface ArgumentEntry extends ValueEntry {
  /** The name in lower case, such as `namespace-name`. */
  readonly name: string;
  readonly type: Kind;
}

export interface FlagEntry extends ValueEntry, Pick<FlagSpec, 'preset' | 'variadic'> {
  /** The long name with dashes. */
  readonly name: `--${string}`;
  readonly short?: `-${string}`;
  /** The placeholder of the value. Absent for a switch. */
  readonly value?: string;
  readonly type: Kind | 'duration';
  /** The help without the allowed or known values, for readers that list the values themselves. */
  readonly brief: string;
  readonly group: 'required' | 'filters' | 'inputs' | 'body' | 'members' | 'flow' | 'options' | 'global';
  /** Whether the flag also has a `--no-` form. */
  readonly negatable: boolean;
  readonly isHidden: boolean;
  /** Whether nothing shows the flag, because there is another way to pass its value. */
  readonly isEarlier?: true;
  /** The name of the flag that it is another name of. */
  readonly present?: string;
  readonly default?: string | boolean;
}

/** Returns the commands directly below another one that help and completions show. */
export const visibleBelow = (entry: CommandEntry): readonly CommandEntry[] =>
  entry.commands.filter((one) => !one.isHidden);

/** Returns the sorted names of these commands. */
export const namesBelow = (entry: CommandEntry): readonly string[] =>
  visibleBelow(entry)
    .map(({ name }) => name)
    .sort();

/** Returns the words of the command line that shows the help of a command, without `dtp`. */
export const helpWords = ({ title }: CommandEntry): readonly string[] => [...title.split(' ').slice(1), '--help'];

/** Returns the placeholder of a flag's value in a suggested command line, such as `NUMBER`. */
export const placeholderOf = ({ value = 'value' }: Pick<FlagEntry, 'value'>): string => value.toUpperCase();

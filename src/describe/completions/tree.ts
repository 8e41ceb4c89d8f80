/** Converts the command tree to pages for completions: the subcommands, flags, arguments and values of each command. */
import { type FlagForm, longName } from '../../declarations/flag.ts';
import { type ResourceKind, resourceFor, resources, valuesToPick } from '../../operations/resources.ts';
import { choicesOf, type ProfileSetting, profileSettings } from '../../settings/keys.ts';
import type { ArgumentEntry, CommandEntry, FlagEntry } from '../../tree/entry.ts';
import { shownAliases, unshortened } from '../../tree/nouns.ts';
import { topics } from '../help/topics.ts';

/**
 * The possible values of a flag or an argument:
 *
 * - `document`: a file path after `@`
 * - `member`: a file path after `NAME=@`
 * - `command`: a command of dtp
 * - `program`: a shell command
 * - `reference`: a namespace with a tag or a digest
 * - `none`: values that are not known
 * - a ResourceKind: values that `dtp __complete` prints
 */
export interface Slot {
  readonly kind:
    | 'none'
    | 'words'
    | 'file'
    | 'folder'
    | 'document'
    | 'member'
    | 'command'
    | 'program'
    | 'reference'
    | ResourceKind;
  /** The values, if the kind is `words`. Otherwise empty. */
  readonly words: readonly string[];
}

export interface FlagRow {
  /** The names with dashes. The long name is last. */
  readonly names: readonly string[];
  readonly help: string;
  /** The placeholder of the value, such as `file`. Undefined for a switch. */
  readonly value: string | undefined;
  readonly slot: Slot;
  readonly many: boolean;
}

export interface CompletionPage {
  /** The words of the command without `dtp`. '' for the tool itself. */
  readonly path: string;
  readonly commands: readonly { readonly names: readonly [string, ...string[]]; readonly help: string }[];
  /** Global flags are only on the first page. */
  readonly flags: readonly FlagRow[];
  readonly args: readonly { readonly name: string; readonly slot: Slot; readonly many: boolean }[];
}

/** Returns the pages of a command and all commands below it. Parents come before their subcommands. */
export function completionPagesOf(entry: CommandEntry): readonly CompletionPage[] {
  const path = entry.title.split(' ').slice(1).join(' ');
  // Sort the commands, because a bundler may change their order. The shortcuts `tokens` and `login` are among them.
  const commands = entry.commands
    .filter(({ isHidden, name }) => !isHidden || (path === '' && unshortened([name])[0] !== name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const page: CompletionPage = {
    path,
    commands: commands.map((one) => ({ names: [one.name, ...shownAliases(one)], help: helpOf(one) })),
    flags: flagRows(entry),
    args: entry.arguments.map((one) => ({ name: one.name, slot: argumentSlot(entry, one), many: one.repeatable })),
  };
  if (/^config (get|set|unset)$/.test(path)) return settingPages(page);
  // Topics complete like commands.
  if (path === 'help')
    return [{ ...page, commands: Object.entries(topics).map(([name, help]) => ({ names: [name] as const, help })) }];
  return [page, ...commands.flatMap(completionPagesOf)];
}

const helpOf = ({ summary, operation }: CommandEntry): string =>
  operation?.deprecated === undefined ? summary : `${summary} (deprecated)`;

/** Returns the pages of a command that takes a setting. Each key is a subcommand, because it decides the values. */
function settingPages(page: CompletionPage): readonly CompletionPage[] {
  const takesValue = page.args.length > 1;
  return [
    { ...page, commands: profileSettings.map(({ key, help }) => ({ names: [key], help })), args: [] },
    ...profileSettings.map((setting) => ({
      path: `${page.path} ${setting.key}`,
      commands: [],
      flags: page.flags,
      args: takesValue ? [{ name: 'value', slot: settingSlot(setting), many: false }] : [],
    })),
  ];
}

/** Returns the possible values of a setting, which are those of its flag. */
function settingSlot({ key, row }: ProfileSetting): Slot {
  const flag: FlagForm | undefined = row.flag;
  const words = choicesOf(key);
  if (words.length > 0) return { kind: 'words', words };
  return (flag && (byFlag[longName(flag)] ?? byValue[flag.value ?? ''])) ?? none;
}

const none: Slot = { kind: 'none', words: [] };
const slot = (kind: Exclude<Slot['kind'], 'words'>): Slot => ({ kind, words: [] });

function flagRows(entry: CommandEntry): readonly FlagRow[] {
  // The parser adds the flag for help. It is a global flag, so only the first page has it.
  const help: FlagRow = { names: ['-h', '--help'], help: 'print help', value: undefined, slot: none, many: false };
  const rows = entry.flags
    .filter(({ isEarlier }) => !isEarlier)
    .map(
      (flag): FlagRow => ({
        names: flag.short === undefined ? [flag.name] : [flag.short, flag.name],
        help: flag.brief,
        // The scripts complete a flag whose value is optional like a switch.
        value: flag.preset === undefined ? flag.value : undefined,
        slot: flagSlot(flag),
        // A variadic flag takes all its values at once.
        many: flag.repeatable && !flag.variadic,
      }),
    );
  return entry.words.length === 0 ? [...rows, help] : rows;
}

function flagSlot({ name, value = '', choices, known }: FlagEntry): Slot {
  const words = choices ?? known;
  if (words) return { kind: 'words', words };
  return byFlag[name] ?? byValue[value] ?? none;
}

const byFlag: Readonly<Record<string, Slot>> = {
  ...Object.fromEntries(resources.flatMap(({ kind, flags = [] }) => flags.map((flag) => [flag, slot(kind)] as const))),
  '--codehost-oidc-token': slot('document'),
  // The value is always a string, never the content of a file.
  '--raw-field': none,
  '--method': { kind: 'words', words: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
};

const byValue: Readonly<Record<string, Slot>> = {
  file: slot('file'),
  folder: slot('folder'),
  json: slot('document'),
  'name=value': slot('member'),
};

function argumentSlot({ operation, words: path }: CommandEntry, argument: ArgumentEntry): Slot {
  const { name, type, choices, known, field } = argument;
  if (type === 'file') return slot('file');
  const words = choices ?? known;
  if (words) return { kind: 'words', words };
  const resource = operation && field !== undefined ? resourceFor(operation, field) : undefined;
  if (resource && valuesToPick(resource)) return slot(resource.kind);
  return byArgument[[...path, name].join(' ')] ?? byFlag[`--${name}`] ?? byValue[name] ?? none;
}

/** The values of arguments of local commands, if they are not those of a flag or a placeholder of this name. */
const byArgument: Readonly<Record<string, Slot>> = {
  'artifacts pull ref': slot('reference'),
  'artifacts push revision': slot('namespaces'),
  'help command': slot('command'),
  'dev command': slot('program'),
};

/** Converts the command tree to pages for completions: the subcommands, flags, arguments and values of each command. */

import { type Argument, type Command, Option } from 'commander';
import { findLocal } from '../../local/index.ts';
import { typeOf, valuesOf } from '../../operations/field-types.ts';
import type { Operation } from '../../operations/operation.ts';
import { type ResourceKind, resourceFor, resources, valuesToPick } from '../../operations/resources.ts';
import { longName } from '../../settings/flag-names.ts';
import { choicesOf, type ProfileSetting, profileSettings } from '../../settings/keys.ts';
import { type FlagSpecs, isRepeatable } from '../../tree/flag-spec.ts';
import { fieldFlags } from '../../tree/flow-flags.ts';
import { isEarlierName, shownAliases, visibleBelow } from '../../tree/nouns.ts';
import { argumentsOf, type Flag, flagsOf, kebab, operandOf } from '../../tree/operation-flags.ts';
import { topics } from '../help/topics.ts';
import { operationOf } from '../operation.ts';

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

export interface Page {
  /** The words of the command without `dtp`. '' for the tool itself. */
  readonly path: string;
  readonly help: string;
  readonly commands: readonly { readonly names: readonly [string, ...string[]]; readonly help: string }[];
  /** Global flags are only on the first page. */
  readonly flags: readonly FlagRow[];
  readonly args: readonly { readonly name: string; readonly slot: Slot; readonly many: boolean }[];
}

/** Returns the pages of all commands. Parents come before their subcommands. */
export function pagesOf(program: Command): readonly Page[] {
  return below(program, '');
}

function below(command: Command, path: string): readonly Page[] {
  // Sorted, because a bundler may change the order in which commands are added.
  const commands = visibleBelow(command).toSorted((one, other) => (one.name() < other.name() ? -1 : 1));
  const operation = operationOf(path);
  const page: Page = {
    path,
    help: command.description(),
    commands: commands.map((one) => ({ names: [one.name(), ...shownAliases(one)], help: one.description() })),
    flags: flagRows(command, operation ? fieldFlags : (findLocal(path)?.flags ?? {}), operation),
    args: command.registeredArguments.map((one) => ({
      name: one.name(),
      slot: argumentSlot(path, one, operation),
      many: one.variadic,
    })),
  };
  if (/^config (get|set|unset)$/.test(path)) return settingPages(page);
  // Topics complete like commands.
  if (path === 'help')
    return [
      { ...page, commands: Object.entries(topics).map(([name, help]) => ({ names: [name] as const, help })) },
    ];
  return [page, ...commands.flatMap((one) => below(one, `${path} ${one.name()}`.trim()))];
}

/**
 * Returns the pages of a command that takes a setting. Each key is a subcommand, because the values depend on the key.
 */
function settingPages(page: Page): readonly Page[] {
  const takesValue = page.args.length > 1;
  return [
    { ...page, commands: profileSettings.map(({ key, help }) => ({ names: [key], help })), args: [] },
    ...profileSettings.map((setting) => ({
      path: `${page.path} ${setting.key}`,
      help: setting.help,
      commands: [],
      flags: page.flags,
      args: takesValue ? [{ name: 'value', slot: settingSlot(setting), many: false }] : [],
    })),
  ];
}

/** Returns the possible values of a setting, which are those of its flag. */
function settingSlot({ key, row }: ProfileSetting): Slot {
  const flag: string = row.flag ?? '';
  const words = choicesOf(key);
  if (words.length > 0) return { kind: 'words', words };
  return byFlag[longName(flag)] ?? byValue[/<(.*)>/.exec(flag)?.[1] ?? ''] ?? none;
}

const none: Slot = { kind: 'none', words: [] };
const slot = (kind: Exclude<Slot['kind'], 'words'>): Slot => ({ kind, words: [] });

function flagRows(command: Command, specs: FlagSpecs, operation?: Operation): readonly FlagRow[] {
  const known = new Map<string, Flag>(
    operation ? flagsOf(operation).map((flag) => [`--${flag.name}`, flag]) : [],
  );
  // commander does not list the help flag among the options. The `--no-…` flag of a field has no description, so it
  // gets that of the positive flag.
  const help = command.parent ? [] : [new Option('-h, --help', 'print help')];
  const shown = command.options.filter((option) => !isEarlierName(option.attributeName()));
  return [...shown, ...help].map((option) => {
    const { long = '' } = option;
    const flag = known.get(long);
    const values = flag && valuesOf(flag);
    const positive = command.options.find((one) => one.long === long.replace(/^--no-/, '--'));
    const value = option.required || option.optional ? /<(.*)>|\[(.*)\]/.exec(option.flags)?.[1] : undefined;
    return {
      names: option.short ? [option.short, long] : [long],
      help: withoutValues(option.description || (positive?.description ?? ''), values),
      value,
      slot: flagSlot(option, value, values),
      many: flag?.many ?? isRepeatable(option, specs),
    };
  });
}

/** Removes the list of values from the help of a flag, because the completions offer these values anyway. */
const withoutValues = (help: string, known: readonly string[] = []): string =>
  known.length === 0 ? help : help.replace(known.join(', '), '').replace(/\s*\(?(known: )?\)?$/, '');

function flagSlot(option: Option, value: string | undefined, known: readonly string[] | undefined): Slot {
  const words = option.argChoices ?? known;
  if (words) return { kind: 'words', words };
  return byFlag[option.long ?? ''] ?? byValue[value ?? ''] ?? none;
}

const languages = ['curl', 'typescript', 'python', 'go', 'java', 'csharp', 'ruby', 'swift'];

/** The values of flags with these names, in all commands. */
const byFlag: Readonly<Record<string, Slot>> = {
  ...Object.fromEntries(
    resources.flatMap(({ kind, flags = [] }) => flags.map((flag) => [flag, slot(kind)] as const)),
  ),
  '--codehost-oidc-token': slot('document'),
  // The value is always a string, never the content of a file.
  '--raw-field': none,
  // The platform may know more languages. These are the ones of the embedded service.
  '--language': { kind: 'words', words: languages },
  '--languages': { kind: 'words', words: languages },
  '--method': { kind: 'words', words: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
};

/** The values of flags with this placeholder. */
const byValue: Readonly<Record<string, Slot>> = {
  file: slot('file'),
  folder: slot('folder'),
  json: slot('document'),
  'name=value': slot('member'),
};

function argumentSlot(path: string, argument: Argument, operation: Operation | undefined): Slot {
  const name = argument.name();
  const all = operation ? [...argumentsOf(operation), ...operandOf(operation)] : [];
  const [fieldName, field] = all.find(([one]) => kebab(one) === name) ?? [];
  if (field?.kind === 'file') return slot('file');
  const words = argument.argChoices ?? (field && valuesOf(typeOf(field)));
  if (words) return { kind: 'words', words };
  const resource = operation && fieldName !== undefined ? resourceFor(operation, fieldName) : undefined;
  if (resource && valuesToPick(resource)) return slot(resource.kind);
  return byArgument[`${path} ${name}`] ?? byFlag[`--${name}`] ?? byValue[name] ?? none;
}

/** The values of arguments of local commands, if they are not those of a flag or a placeholder of this name. */
const byArgument: Readonly<Record<string, Slot>> = {
  'artifacts pull ref': slot('reference'),
  'artifacts push path': slot('file'),
  'help command': slot('command'),
  'dev command': slot('program'),
};

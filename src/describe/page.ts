/** Converts the record of a command to a page: the content of its help and man page, without format. */
import type { Example } from '../operations/examples.ts';
import { usualFields } from '../operations/records.ts';
import { kebab } from '../tree/operation-flags.ts';
import type { ArgumentRecord, CommandRecord, GroupRecord } from './describe.ts';
import type { FlagRecord } from './flags.ts';

export interface Row {
  readonly term: string;
  readonly text: string;
}

export interface Section {
  readonly title: string;
  readonly rows?: readonly Row[];
  /** A list of words, instead of rows. */
  readonly text?: string;
  /** A list of words below the rows. */
  readonly more?: string;
  readonly examples?: readonly Example[];
}

export interface Page {
  /** Its title: `dtp ws list`, or the name of a topic. */
  readonly name: string;
  /** Absent for a topic. */
  readonly usage?: string;
  /** A sentence without a full stop. */
  readonly summary: string;
  readonly paragraphs: readonly string[];
  readonly sections: readonly Section[];
  /** Lines at the end. */
  readonly facts: readonly string[];
}

/**
 * Returns the page of a command that can be run. `globals` are the global flags. With `isWhole`, it has all fields of records
 * with many fields.
 */
export function pageOf(record: CommandRecord, globals: readonly FlagRecord[], isWhole: boolean): Page {
  const { command, aliases, summary, notes, deprecated, flags, settings, examples } = record;
  const of = (group: FlagRecord['group']) => flags.filter((flag) => flag.group === group).map(flagRow);
  const needed = globals.filter(({ name }) => settings.includes(name));
  const fields = flags.filter(({ group }) => group === 'members');
  const shown = isWhole ? fields : usualOf(record, fields);
  const hidden = fields.length - shown.length;
  const sections: readonly Section[] = [
    { title: 'Examples', examples },
    { title: 'Arguments', rows: record.arguments.map(argumentRow) },
    { title: 'Required', rows: of('required') },
    { title: 'Filters', rows: of('filters') },
    { title: 'Inputs', rows: of('inputs') },
    { title: bodyTitle(record), rows: of('body') },
    ...fieldSections(shown),
    { title: record.flow ? flowTitles[record.flow] : 'Flags', rows: of('flow') },
    { title: 'Flags', rows: of('options') },
    { title: 'Settings', rows: needed.map(flagRow) },
  ];
  return {
    name: `dtp ${command}`,
    usage: usageOf(record),
    summary,
    paragraphs: [
      ...aliasesOf(command, aliases),
      ...(deprecated === undefined ? [] : [`Deprecated: use dtp ${deprecated} instead.`]),
      ...notes,
    ],
    sections: sections.filter(isFilled),
    facts: [
      ...(record.operation === undefined ? [] : [`${record.operation}: ${record.method} ${record.path}`]),
      ...(record.simplified === undefined ? [] : [`With the embedded service: ${record.simplified}`]),
      ...(hidden > 0 ? [`${hidden} more fields: dtp ${command} --help --all`] : []),
      globalsText(record),
    ],
  };
}

/** Returns the page of a noun: all commands below it, without the words of the noun. */
export function groupPage({ command, aliases, summary }: GroupRecord, below: readonly CommandRecord[]): Page {
  const rows = below.map((one) => ({
    term: one.command.slice(command.length + 1),
    text: withAliases(
      one.command.split(' ').at(-1) ?? '',
      one.deprecated === undefined ? one.summary : `${one.summary} (deprecated)`,
      one.aliases,
    ),
  }));
  return {
    name: `dtp ${command}`,
    usage: `dtp ${command} COMMAND`,
    summary,
    paragraphs: aliasesOf(command, aliases),
    sections: [{ title: 'Commands', rows }],
    facts: [`Run "dtp ${command} COMMAND --help" for details`],
  };
}

export const isFilled = ({ rows, examples, text }: Section): boolean =>
  (rows ?? []).length > 0 || (examples ?? []).length > 0 || text !== undefined;

const aliasesOf = (command: string, aliases: readonly string[]): readonly string[] => {
  const before = command.split(' ').slice(0, -1);
  const all = aliases.map((alias) => ['dtp', ...before, alias].join(' '));
  return all.length === 0 ? [] : [`Alias: ${all.join(', ')}`];
};

/** An alias that is only the singular is not mentioned. */
export function withAliases(name: string, text: string, aliases: readonly string[]): string {
  const told = aliases.filter((alias) => ![name, ...aliases].includes(`${alias}s`));
  return told.length === 0 ? text : `${text} (alias: ${told.join(', ')})`;
}

/** `dtp ws team grant <email> [flags]`. Required values are in angle brackets. */
function usageOf({ command, arguments: all, flags }: CommandRecord): string {
  const words = all.map(({ name, required, repeatable }) => {
    const word = repeatable ? `${name}...` : name;
    return required ? `<${word}>` : `[${word}]`;
  });
  return ['dtp', command, ...words, ...(flags.length === 0 ? [] : ['[flags]'])].join(' ');
}

/** `-w, --workspace <id>` or `--[no-]success`, and its help. */
export function flagRow(flag: FlagRecord): Row {
  const { name, short, negatable, default: initial, env } = flag;
  const long = negatable ? name.replace('--', '--[no-]') : name;
  const text = flag.help;
  const more = [
    ...(initial === undefined || text.includes('(default') ? [] : [`default: ${initial}`]),
    // Lower-case variables only exist for compatibility.
    ...env.filter((one) => one === one.toUpperCase()),
  ];
  return {
    term: `${short === undefined ? '' : `${short}, `}${long}${slotOf(flag)}`,
    text: withMore(text, [...valuesOf(flag), ...more]),
  };
}

const argumentRow = (argument: ArgumentRecord): Row => ({
  term: `<${argument.name}>`,
  text: withMore(argument.help, valuesOf(argument)),
});

/** Adds facts in brackets, or to the brackets at the end. */
export function withMore(text: string, more: readonly string[]): string {
  if (more.length === 0) return text;
  const all = more.join('; ');
  return text.endsWith(')') ? `${text.slice(0, -1)}; ${all})` : `${text} (${all})`.trim();
}

const slotOf = ({ value, value_optional: isOptional }: FlagRecord): string => {
  if (value === undefined) return '';
  return isOptional ? ` [${value}]` : ` <${value}>`;
};

/** The values, unless the description already names them. */
function valuesOf({
  help,
  enum: only,
  known_values: known,
}: Pick<FlagRecord, 'help' | 'enum' | 'known_values'>): readonly string[] {
  const all = (only ?? known ?? []).join(', ');
  if (all === '' || help.includes(all)) return [];
  return [only ? all : `known: ${all}`];
}

const bodyTitle = ({ body }: CommandRecord): string => (body?.required ? 'Body (required)' : 'Body');

const flowTitles: Readonly<Record<NonNullable<CommandRecord['flow']>, string>> = {
  wait: 'Waiting',
  run: 'Waiting',
  pages: 'Pages',
  spool: 'Delivery',
  summary: 'The document',
  upload: 'The report',
  link: 'The report',
};

/** Longer lists of fields are split into sections. */
const FEW = 24;

/** The fields that people use most, or all fields if the record has no such list. */
function usualOf({ body }: CommandRecord, flags: readonly FlagRecord[]): readonly FlagRecord[] {
  const usual = usualFields[body?.record ?? '']?.map((name) => `--${kebab(name)}`);
  if (!usual) return flags;
  return usual.flatMap((name) => flags.filter((flag) => flag.name === name));
}

/** The global flags that matter most to a command. */
function globalsText({ effect, result }: CommandRecord): string {
  const names = [
    '-o FORMAT',
    ...(result === 'record' || result === 'list' ? ['--fields', '--query'] : []),
    ...(effect === 'read' ? [] : ['--dry-run']),
    ...(effect === 'destroy' || effect === 'bill' ? ['--yes'] : []),
  ];
  return `Global flags: ${names.join(', ')} and others; see dtp help flags`;
}

/** The fields of a record as flags. A long list is split by the first word of the names. */
function fieldSections(flags: readonly FlagRecord[]): readonly Section[] {
  const title = 'Fields';
  if (flags.length <= FEW) return [{ title, rows: flags.map(flagRow) }];
  const first = ({ name }: FlagRecord) => name.split('-')[2] ?? '';
  const words = [...new Set(flags.map(first))];
  const together = words.filter((word) => flags.filter((flag) => first(flag) === word).length > 2);
  const others = flags.filter((flag) => !together.includes(first(flag)));
  return [
    { title, rows: others.map(flagRow) },
    ...together.map((word) => ({
      title: `${title} (${word})`,
      rows: flags.filter((flag) => first(flag) === word).map(flagRow),
    })),
  ];
}

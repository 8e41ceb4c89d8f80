/** Converts the record of a command to a page, which is the unformatted content of its help and its man page. */
import { type Example, harmOf } from '../operations/operation.ts';
import { usualFields } from '../operations/records.ts';
import { wordOf } from '../tree/vocabulary.ts';
import type { ArgumentRecord, CommandRecord, FlagRecord, GroupRecord, RetryRecord } from './describe.ts';

export interface HelpRow {
  readonly term: string;
  readonly text: string;
}

export interface Section {
  readonly title: string;
  readonly rows?: readonly HelpRow[];
  /** Comma-separated words, instead of rows. */
  readonly text?: string;
  /** Comma-separated words below the rows. */
  readonly more?: string;
  readonly examples?: readonly Example[];
}

export interface HelpPage {
  /** The title of the page: `dtp ws list`, or the name of a topic. */
  readonly name: string;
  /** Absent for a topic. */
  readonly usage?: string;
  /** A sentence without a full stop. */
  readonly summary: string;
  readonly paragraphs: readonly string[];
  readonly sections: readonly Section[];
  /** The lines at the end of the page. */
  readonly facts: readonly string[];
}

/** Returns the page of a command. With `isWhole`, it has all fields of the body, not only the usual ones. */
export function pageOf(record: CommandRecord, globals: readonly FlagRecord[], isWhole: boolean): HelpPage {
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
    { title: record.body?.required ? 'Body (required)' : 'Body', rows: of('body') },
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
      ...(deprecated === undefined
        ? []
        : [deprecated === true ? 'Deprecated.' : `Deprecated: use dtp ${deprecated} instead.`]),
      ...notes,
    ],
    sections: sections.filter(isFilled),
    facts: [
      ...(record.operation === undefined ? [] : [`${record.operation}: ${record.method} ${record.path}`]),
      ...needsOf(record),
      ...(record.simplified === undefined ? [] : [`With the embedded service: ${record.simplified}`]),
      ...(record.retry === undefined ? [] : [retryText(record.retry)]),
      ...(hidden > 0 ? [`${hidden} more fields: dtp ${command} --help --all`] : []),
      globalsText(record),
    ],
  };
}

/** Says which workspace an operation acts on, and whether it needs no credential. */
const needsOf = ({ operation, workspace, auth }: CommandRecord): readonly string[] => [
  ...(workspace === 'selected' ? [`Needs a workspace${auth === 'none' ? ', but no credential' : ''}`] : []),
  ...(workspace === 'credential' ? ["Acts on the credential's workspace, and exits with 2 if -w selects another"] : []),
  ...(operation && !workspace ? ['About no workspace, so -w has no effect'] : []),
];

/** Returns the page of a noun. It lists all commands below the noun, without the words of the noun. */
export function groupPage({ command, aliases, summary }: GroupRecord, below: readonly CommandRecord[]): HelpPage {
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

/** `Retried for up to 60 s after a connection error, 408, 500, 502 or 503, and after a 429 with Retry-After` */
function retryText({ elapsed_ms, statuses, statuses_with_retry_after }: RetryRecord): string {
  const codes = `${statuses.slice(0, -1).join(', ')} or ${statuses.at(-1)}`;
  return `Retried for up to ${elapsed_ms / 1000} s after a connection error, ${codes}, and after a ${statuses_with_retry_after} with Retry-After`;
}

export const isFilled = ({ rows, examples, text }: Section): boolean =>
  (rows ?? []).length > 0 || (examples ?? []).length > 0 || text !== undefined;

const aliasesOf = (command: string, aliases: readonly string[]): readonly string[] => {
  const before = command.split(' ').slice(0, -1);
  const all = aliases.map((alias) => ['dtp', ...before, alias].join(' '));
  return all.length === 0 ? [] : [`Alias: ${all.join(', ')}`];
};

/** Appends the aliases in brackets. Leaves out an alias that is only the singular of the name or of another alias. */
export function withAliases(name: string, text: string, aliases: readonly string[]): string {
  const told = aliases.filter((alias) => ![name, ...aliases].includes(`${alias}s`));
  return told.length === 0 ? text : `${text} (alias: ${told.join(', ')})`;
}

/** Returns the usage, such as `dtp ws team grant <email> [flags]`. Required arguments are in angle brackets. */
function usageOf({ command, arguments: all, flags }: CommandRecord): string {
  const words = all.map(({ name, required, repeatable }) => {
    const word = repeatable ? `${name}...` : name;
    return required ? `<${word}>` : `[${word}]`;
  });
  return ['dtp', command, ...words, ...(flags.length === 0 ? [] : ['[flags]'])].join(' ');
}

/** Returns a term such as `-w, --workspace <id>` or `--[no-]success`, and the help of the flag. */
export function flagRow(flag: FlagRecord): HelpRow {
  const { name, short, negatable, default: initial, env } = flag;
  const long = negatable ? name.replace('--', '--[no-]') : name;
  const text = flag.help;
  const more = [
    ...(initial === undefined || text.includes('(default') ? [] : [`default: ${initial}`]),
    // Lower-case variables are left out, because they only exist for compatibility.
    ...env.filter((one) => one === one.toUpperCase()),
  ];
  return {
    term: `${short === undefined ? '' : `${short}, `}${long}${slotOf(flag)}`,
    text: appendInBrackets(text, [...valuesOf(flag), ...more]),
  };
}

const argumentRow = (argument: ArgumentRecord): HelpRow => ({
  term: `<${argument.name}>`,
  text: appendInBrackets(argument.help, valuesOf(argument)),
});

/** Appends facts in brackets. If the string already ends with brackets, the facts are added inside those. */
export function appendInBrackets(text: string, more: readonly string[]): string {
  if (more.length === 0) return text;
  const all = more.join('; ');
  return text.endsWith(')') ? `${text.slice(0, -1)}; ${all})` : `${text} (${all})`.trim();
}

const slotOf = ({ value, value_optional: isOptional }: FlagRecord): string => {
  if (value === undefined) return '';
  return isOptional ? ` [${value}]` : ` <${value}>`;
};

/** Returns the allowed or known values, unless the help already lists them. */
function valuesOf({
  help,
  enum: only,
  known_values: known,
}: Pick<FlagRecord, 'help' | 'enum' | 'known_values'>): readonly string[] {
  const all = (only ?? known ?? []).join(', ');
  if (all === '' || help.includes(all)) return [];
  return [only ? all : `known: ${all}`];
}

const flowTitles: Readonly<Record<NonNullable<CommandRecord['flow']>, string>> = {
  wait: 'Waiting',
  run: 'Waiting',
  pages: 'Pages',
  spool: 'Delivery',
  summary: 'The document',
  upload: 'The report',
  link: 'The report',
};

/** The maximum number of fields in a single section. A longer list is split into several sections. */
const FEW = 24;

/** Returns the fields that people use most. Returns all fields if there is no list of usual fields for the record. */
export function usualOf({ body }: CommandRecord, flags: readonly FlagRecord[]): readonly FlagRecord[] {
  const usual = usualFields[body?.record ?? '']?.map((name) => `--${wordOf(name)}`);
  if (!usual) return flags;
  return usual.flatMap((name) => flags.filter((flag) => flag.name === name));
}

/** Returns a line with the global flags that matter most for a command. */
function globalsText({ operation = '', effect, result }: CommandRecord): string {
  const names = [
    '-o FORMAT',
    ...(result === 'record' || result === 'list' ? ['--fields', '--query'] : []),
    ...(effect === 'read' ? [] : ['--dry-run']),
    ...(harmOf({ id: operation, effect }) === undefined ? [] : ['--yes']),
  ];
  return `Global flags: ${names.join(', ')} and others; see dtp help flags`;
}

/** Returns the sections for the fields of a record. A long list is split by the first word of the flag names. */
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

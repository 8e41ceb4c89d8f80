/** Prompts for missing values: the workspace, the ids in the path, and the required fields of the body. */
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import type { ParsedArguments } from '../../input/read.ts';
import { baseUrlOf } from '../../invocation/connect.ts';
import { call } from '../../invocation/connection.ts';
import { withSettings } from '../../invocation/fill.ts';
import { openInvocation, type PromptChoice, type Prompts } from '../../invocation/invocation.ts';
import { withConnection } from '../../invocation/over.ts';
import { isRecord, type JsonObject } from '../../json-object.ts';
import type { Operation } from '../../operations/operation.ts';
import {
  type Choices,
  type Resource,
  type ResourceKind,
  resourceFor,
  valuesToPick,
} from '../../operations/resources.ts';
import { withSpinner } from '../../output/progress.ts';
import { ageText, instantOf } from '../../render/amounts.ts';
import { rowsOf } from '../../render/fields.ts';
import { argvOf, asArguments, commandLine, sameService } from '../../settings/command-line.ts';
import type { Globals } from '../../settings/global-flags.ts';
import { argumentsOf, type Flag } from '../../tree/operation-flags.ts';
import { wordOf } from '../../tree/vocabulary.ts';
import { askFields, needsFields, titled } from './ask-fields.ts';

export interface Asked {
  readonly given: ParsedArguments;
  readonly globals: Globals;
}

interface Prompting {
  readonly context: Context;
  readonly prompts: Prompts;
}

/** Adds the chosen values to the command line. */
export async function pickMissing(prompting: Prompting, operation: Operation, asked: Asked): Promise<Asked> {
  let { given, globals } = asked;
  const missing = argumentsOf(operation).slice(given.args.length);
  if (missing.length === 0 && !needsFields(operation, given) && !('workspace_id' in operation.input)) return asked;
  const { settings, log } = await openInvocation(prompting.context, { globals });
  // A missing base URL is reported before the first question.
  const isLocal = baseUrlOf(settings).value === 'local:';
  const before = given.argv;
  if ('workspace_id' in operation.input && !settings.values.workspace && !settings.isOwnWorkspace && !isLocal) {
    const { value: workspace } = await pick(prompting, operation, 'workspace_id', { given, globals });
    globals = { ...globals, workspace };
    given = { ...given, argv: argvOf(given.argv, [['-w', workspace]]) };
  }
  const picked = await pickNamed(prompting, operation, { given, globals });
  const values = picked.map(({ value }) => value);
  const names = Object.fromEntries(picked.map(({ field, value, label }) => [field, { id: value, name: label }]));
  given = { ...given, args: [...given.args, ...values], argv: argvOf(given.argv, asArguments(values)), names };
  const pickValue = (flag: Flag, now: ParsedArguments, more: readonly PromptChoice[]) =>
    pickListed(prompting, operation, flag, { given: now, globals, more });
  given = await askFields({ ...prompting, pickValue }, operation, given);
  if (given.argv.length > before.length) log.note(`Running: ${commandLine(given.argv)}`);
  return { given, globals };
}

/** Prompts for the missing arguments in turn. */
export async function pickNamed(prompting: Prompting, operation: Operation, { given, globals }: Asked) {
  const picked: (Awaited<ReturnType<typeof pick>> & { readonly field: string })[] = [];
  for (const [field] of argumentsOf(operation).slice(given.args.length)) {
    const args = [...given.args, ...picked.map(({ value }) => value)];
    picked.push({ field, ...(await pick(prompting, operation, field, { given: { ...given, args }, globals })) });
  }
  return picked;
}

/** Lets the user pick from the values that the service lists for a flag. Undefined if it has no list, or no values. */
async function pickListed(
  prompting: Prompting,
  operation: Operation,
  { member, field }: Flag,
  asked: Asked & { readonly more: readonly PromptChoice[] },
): Promise<string | undefined> {
  const resource = resourceFor(operation, member ?? field);
  const list = resource && valuesToPick(resource);
  if (!list) return undefined;
  const choices = await choicesFor(prompting, operation, { resource, list }, asked);
  return choices.length === 0 ? undefined : prompting.prompts.pick(questionFor(resource), [...choices, ...asked.more]);
}

const questionFor = ({ prompt, noun }: Resource): string => `Which ${prompt ?? noun}?`;

/** Says what the hint of a choice is: `updated 5 min ago` for the time of a namespace, `tagged v1` for a tag. */
function worded(kind: ResourceKind, { value, label, hint }: PromptChoice, now: number): string {
  const updated = kind === 'namespaces' ? instantOf(hint) : undefined;
  if (updated !== undefined) return `updated ${ageText(updated, now)}`;
  if (kind !== 'revisions' || hint === '') return hint;
  return value.startsWith('sha') && label !== value ? `tagged ${hint}` : `revision ${hint}`;
}

/** Returns the value, and the name that the user chose it by. */
async function pick(prompting: Prompting, operation: Operation, name: string, asked: Asked) {
  const resource = resourceFor(operation, name);
  const list = resource && valuesToPick(resource);
  if (!list) {
    const typed = await prompting.prompts.text(`${titled(wordOf(name))}:`);
    if (typed === '') throw new DtpError('cancelled', 'cancelled');
    return { value: typed, label: typed };
  }
  const choices = await choicesFor(prompting, operation, { resource, list }, asked);
  const noun = list.operation.command.slice(0, -1);
  if (choices.length === 0)
    throw new DtpError('usage', `no ${resource.prompt ?? resource.noun}s found`, {
      // People who want to list events expect a list without a target.
      ...(resource.kind === 'targets'
        ? { hint: 'A target appears after the first event about it. To list all events:', next: [search(asked)] }
        : { next: [commandLine([...noun, '--help'])] }),
    });
  const value = await prompting.prompts.pick(questionFor(resource), choices);
  return { value, label: choices.find((one) => one.value === value)?.label ?? value };
}

const search = ({ globals }: Asked): string => commandLine(['events', 'search', ...sameService(globals)]);

/** Lists the choices, with the arguments that are known so far. Their hints say what they mean. */
async function choicesFor(
  { context }: Prompting,
  wanting: Operation,
  { resource, list: { operation, values } }: { readonly resource: Resource; readonly list: Choices },
  { given, globals }: Asked,
): Promise<readonly PromptChoice[]> {
  const now = context.date().getTime();
  const invocation = await openInvocation(context, { globals });
  const known = argumentsOf(wanting).map(([name], index) => [name, given.args[index]] as const);
  const input = Object.fromEntries(known.filter(([, value]) => value !== undefined));
  return withConnection(invocation, { operation, input }, async ({ connection, begin }) => {
    const { signal } = begin(operation);
    const full = await withSettings(operation, input, { settings: invocation.settings, connection, signal });
    const answer = await withSpinner(context, operation.summary, () => call(connection, operation, full, signal));
    const view = { color: false, ...(operation.rows !== undefined && { rows: operation.rows }) };
    const rows = answer.kind === 'json' ? (rowsOf(answer.value, view) ?? []).filter(isRecord) : [];
    const choices = values.flatMap((names) => rows.flatMap((row) => choiceOf(row, names)));
    // Two tags may stand for the same digest.
    const different = choices.filter(({ value }, at) => choices.findIndex((one) => one.value === value) === at);
    return different.map((one) => ({ ...one, hint: worded(resource.kind, one, now) }));
  });
}

/** The choice that a row offers. Empty if the row has no value. */
export function choiceOf(row: JsonObject, names: Choices['values'][number]): readonly PromptChoice[] {
  const [value = '', help = '', label = ''] = names.map((name) => textOf(row[name]));
  if (value === '') return [];
  return [{ value, label: shortened(label || value), hint: shortened(label === value ? help : label && value) }];
}

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join(', ') : typeof value === 'string' ? value : '';

/** Shortens a digest to its first characters, which identify it, so that it fits on the line. */
const shortened = (text: string): string => text.replace(/^(sha\d+:[0-9a-f]{12})[0-9a-f]+$/, '$1…');

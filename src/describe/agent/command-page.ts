/** Writes the page that teaches an agent one command, the commands of a noun, or the whole tool. */
import { memberTypes, typeOf } from '../../operations/field-types.ts';
import { effectOf, harmOf, type Operation } from '../../operations/operation.ts';
import { resourceFor } from '../../operations/resources.ts';
import type { CommandEntry } from '../../tree/entry.ts';
import { rootCommand, runnableBelow } from '../../tree/tree.ts';
import { type CommandRecord, describe } from '../describe.ts';
import { appendInBrackets, flagRow, usualOf } from '../page.ts';
import { shortestLine, toolPage } from './tool-page.ts';

/** Flags for people at a terminal, and those that the page of the whole tool explains. */
const left = ['--watch', '--open', '--chart', '--body', '--field', '--raw-field', '--skeleton'];

export function agentPage(entry: CommandEntry): string {
  if (entry === rootCommand) return toolPage();
  if (entry.commands.length > 0)
    return [
      `${entry.summary}.`,
      ...runnableBelow(entry).map((one) => `${lineOf(one)}  # ${one.summary}`),
      `Details of a command: dtp help --agent COMMAND\n`,
    ].join('\n');
  const record = describe(entry);
  return [
    [`${record.summary}.`, ...record.notes].join(' '),
    `Usage: ${lineOf(entry)}${record.flags.length > 0 ? ' [flags]' : ''}`,
    effectLine(record),
    ...argumentLines(entry),
    ...flagLines(record),
    ...(entry.operation ? [`Result: ${resultText(entry.operation)}`] : []),
    'Examples:',
    ...record.examples.map(({ command }) => command),
    ...nextLines(entry),
    '',
  ].join('\n');
}

const lineOf = (entry: CommandEntry): string => ['dtp', ...entry.words.slice(0, -1), shortestLine(entry)].join(' ');

function effectLine({ operation = '', effect, workspace, deprecated, simplified }: CommandRecord): string {
  const harm = harmOf({ id: operation, effect });
  return [
    `Effect: ${effect}`,
    ...(harm === undefined ? [] : [`needs --yes${harm === effect ? '' : ` (${harm})`}`]),
    ...(workspace ? [`acts on the workspace of ${workspace === 'selected' ? '-w' : 'the credential'}`] : []),
    ...(deprecated ? [`deprecated${deprecated === true ? '' : `: use dtp ${deprecated}`}`] : []),
    ...(simplified === undefined ? [] : [`with the embedded service: ${simplified}`]),
  ].join('; ');
}

/** Each argument with its values, and the command that lists what exists. */
const argumentLines = ({ operation, arguments: all }: CommandEntry): readonly string[] =>
  all.map(({ name, help, known = [], field = '' }) => {
    const resource = operation && resourceFor(operation, field);
    const lists = (resource?.shownBy ?? []).map(({ command }) => `list: dtp ${command.join(' ')}`);
    return `  ${name.toUpperCase()}  ${appendInBrackets(help, [...known, ...lists.slice(0, 1)])}`;
  });

function flagLines(record: CommandRecord): readonly string[] {
  const members = record.flags.filter(({ group }) => group === 'members');
  const usual = usualOf(record, members);
  const shown = record.flags.filter(
    (one) => !left.includes(one.name) && (!members.includes(one) || usual.includes(one)),
  );
  const others = members.length - usual.length;
  const more = others > 0 ? `; ${others} more fields: --skeleton` : '';
  return [
    ...shown.map(flagRow).map(({ term, text }) => `  ${term}  ${text}`),
    ...(record.body ? [`  --body @FILE  the whole body; one field: -F NAME=VALUE${more}`] : []),
  ];
}

/** What `-o json` prints. A record with fields that the service sets is also the response. */
function resultText({ id, result, rows, columns = [], input, names, flow }: Operation): string {
  // The key is looked up, and neither is in the description of the API.
  if (id === 'createWorkspaceToken') return '{id, name, key, …}';
  if (id === 'grantUserAccessToWorkspace') return '{relationship, invite_link}';
  if (flow === 'spool') return '{accepted, delivered, pending, rejected, …}';
  if (result === 'none') return '{ok, operation, status}';
  if (result === 'bytes' || result === 'text') return result;
  const known = result === 'record' && input.body ? memberTypes(typeOf(input.body)) : [];
  const own = known.some(([, , , setBy]) => setBy === 'service') ? known.map(([name]) => name) : [];
  const fields = [...(columns.length > 0 ? columns : own), '…'];
  if (fields.length === 1) return typeof names === 'string' ? `an object with ${names}` : 'an object';
  const object = `{${fields.join(', ')}}`;
  if (rows !== undefined) return `{${rows}: [${object}]}`;
  return result === 'list' ? `[${object}]` : object;
}

/** The command of the same noun that shows what a command changed, or one of the things that it lists. */
function nextLines({ name, words, operation }: CommandEntry): readonly string[] {
  if (!operation) return [];
  const isChange = effectOf(operation) !== 'read' && operation.flow !== 'wait';
  const verbs = isChange ? ['list', 'get'] : /^(list|search|create)$/.test(name) ? ['get'] : [];
  const noun = words.slice(0, -1).reduce((at, word) => at.commandNamed(word) ?? at, rootCommand);
  const next = noun.commands.find((one) => one.name !== name && verbs.includes(one.name));
  return next ? [`Next: ${lineOf(next)}`] : [];
}

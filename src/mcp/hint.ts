/** Words the hint of an error for the client of a tool, which has inputs instead of flags. */
import type { Facts } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { globalFlagDeclarations } from '../settings/global-flags.ts';
import { settingFields } from '../settings/keys.ts';
import { flagsOf } from '../tree/operation-flags.ts';
import { ownInputs } from './schema.ts';
import { toolFor } from './tools.ts';

/** Returns what an error advises, with the inputs of the operation's tool in place of the flags of its command. */
export function adviceOf({ hint = '', next = [], meant }: Facts, operation?: Operation): Pick<Facts, 'hint' | 'next'> {
  // The help of a command describes its flags. The client already has the schema of the tool.
  const commands = next.filter((line) => !line.endsWith(' --help'));
  // Values of the user or the service, and command lines for the user, stay as they are.
  const verbatim: string[] = [];
  const text = hint
    .replace(/"(?:[^"\\]|\\.)*"|(?<=: )dtp .*/g, (part) => `\0${verbatim.push(part) - 1}\0`)
    .split(/(?<=[.:] )(?=[A-Z])|(?=, or )/)
    .map((clause) => withInputs(clause, operation))
    // A colon at the end announces what follows the hint: commands, or the value that was probably meant.
    .map((one) => (!one.endsWith(':') || commands.length > 0 ? one : meant ? `${one} ${meant.value}` : ''))
    .join('')
    .replace(/^, or ([a-z])/, (_, first: string) => first.toUpperCase())
    .replace(/\0(\d+)\0/g, (_, at) => verbatim[at] ?? '')
    .trimEnd();
  return { ...(text && { hint: text }), ...(commands.length > 0 && { next: commands.map(toolFor) }) };
}

/** Flags, and variables next to them: `-w or DTP_WORKSPACE_ID`. */
const flagList = /(?<![\w-])(?:--[a-z-]+|-[A-Za-z]\b|[A-Z_]+)(?:(?:, | and | or )(?:--[a-z-]+|-[A-Za-z]\b|[A-Z_]+))*/g;

/** Replaces flags with inputs. Of a clause that needs a flag without an input, only the end of its sentence is left. */
function withInputs(clause: string, operation: Operation | undefined): string {
  let isPossible = true;
  const worded = clause.replace(flagList, (list) => {
    if (!/\B-/.test(list)) return list;
    const names = new Set(list.split(/, | and | or /).flatMap((name) => inputsFor(name, operation)));
    isPossible &&= names.size > 0;
    return [...names].join(', ').replace(/, ([^,]*)$/, list.includes(' or ') ? ' or $1' : ' and $1');
  });
  return isPossible ? worded : clause.startsWith(', or ') ? clause.slice(clause.search(/[.:]? ?$/)) : '';
}

/** Returns the inputs that a flag stands for, or else the variable that the user can set instead. May be empty. */
function inputsFor(name: string, operation: Operation | undefined): readonly string[] {
  if (!name.startsWith('-')) return [name];
  const flag = name.replace(/^-+/, '');
  const global = [...globalFlagDeclarations.values()].find((one) => one.flag.name === flag || one.flag.short === flag);
  const key = global?.flag.name.replaceAll('-', '_') ?? '';
  // Tools ignore the output format.
  const variables = key === 'output' ? [] : (global?.row.env?.filter((one) => one.startsWith('DTP_')) ?? []);
  if (!operation) return variables;
  const flags = flagsOf(operation).filter((one) => one.label === name || one.name === flag);
  const filled = Object.keys(operation.input).filter((field) => settingFields[field] === key);
  const own = ownInputs(operation).filter((one) => one === flag);
  const inputs = [...flags.map(({ field, member }) => member ?? field), ...filled, ...own];
  return inputs.length > 0 ? inputs : variables;
}

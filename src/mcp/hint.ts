/** Words the hint of an error for the client of a tool, which has inputs instead of flags. */
import type { DtpError, Facts } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { globalFlagDeclarations } from '../settings/global-flags.ts';
import { settingFields } from '../settings/keys.ts';
import { flagsOf } from '../tree/operation-flags.ts';
import { ownInputs } from './schema.ts';

/** Returns what an error advises, with the inputs of the operation's tool in place of the flags of its command. */
export function adviceOf({ facts }: DtpError, operation?: Operation): Pick<Facts, 'hint' | 'next'> {
  const { hint = '', meant } = facts;
  // The help of a command describes its flags. The client already has the schema of the tool.
  const next = facts.next?.filter((line) => !line.endsWith(' --help')) ?? [];
  const verbatim: string[] = [];
  const sentences = hint
    .replace(verbatimParts, (part) => `\0${verbatim.push(part) - 1}\0`)
    .split(/(?<=[.:]) (?=[A-Z])/)
    .map((one) => withInputs(one, operation))
    // A colon announces what follows the hint: commands, or the value that was probably meant.
    .map((one) => (one.endsWith(':') && next.length === 0 ? (meant ? `${one} ${meant.value}` : '') : one));
  const text = sentences.filter((one) => one !== '').join(' ');
  const whole = text.replace(/\0(\d+)\0/g, (_, at) => verbatim[at] ?? '');
  return { ...(whole !== '' && { hint: whole }), ...(next.length > 0 && { next }) };
}

/** Values of the user or the service, and command lines for the user. They stay as they are. */
const verbatimParts = /"(?:[^"\\]|\\.)*"|(?<=: )dtp .*/g;

/** Flags, and variables next to them: `-w or DTP_WORKSPACE_ID`. */
const flagList =
  /(?<![\w-])(?:--[a-z-]+|-[A-Za-z]\b|[A-Z_]{3,})(?:(?:, | and | or )(?:--[a-z-]+|-[A-Za-z]\b|[A-Z_]{3,}))*/g;

/** Replaces flags in a sentence with inputs. Leaves out the alternatives that need a flag without an input. */
function withInputs(sentence: string, operation: Operation | undefined): string {
  const clauses = sentence.split(', or ').flatMap((clause) => {
    let isPossible = true;
    const worded = clause.replace(flagList, (list) => {
      if (!/\B-/.test(list)) return list;
      const names = new Set(list.split(/, | and | or /).flatMap((name) => inputsFor(name, operation)));
      isPossible &&= names.size > 0;
      return [...names].join(', ').replace(/, ([^,]*)$/, list.includes(' or ') ? ' or $1' : ' and $1');
    });
    return isPossible ? [worded] : [];
  });
  const text = clauses
    .join(', or ')
    .replace(/^[a-z]/, (first) => (/^[A-Z]/.test(sentence) ? first.toUpperCase() : first));
  // The last clause may have been left out, together with the end of the sentence.
  return text === '' || /[.:]$/.test(text) ? text : `${text}${/[.:]?$/.exec(sentence)?.[0]}`;
}

/** Returns the inputs that a flag stands for, or else the variable that the user can set instead. May be empty. */
function inputsFor(name: string, operation: Operation | undefined): readonly string[] {
  if (!name.startsWith('-')) return [name];
  const flag = name.replace(/^-+/, '');
  const global = [...globalFlagDeclarations.values()].find((one) => one.flag.name === flag || one.flag.short === flag);
  const key = global?.flag.name.replaceAll('-', '_');
  const flags = operation ? flagsOf(operation).filter((one) => one.label === name || one.name === flag) : [];
  const inputs = [
    ...flags.map(({ field, member }) => member ?? field),
    ...Object.keys(operation?.input ?? {}).filter((field) => key !== undefined && settingFields[field] === key),
    ...(operation ? ownInputs(operation).filter((one) => one === flag) : []),
  ];
  // Tools ignore the output format.
  const variable = key === 'output' ? undefined : global?.row.env?.find((one) => one.startsWith('DTP_'));
  return inputs.length > 0 || variable === undefined ? inputs : [variable];
}

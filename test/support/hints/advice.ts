/** Reads advice that names flags or variables: what to add, leave out, set or unset. */
import { commandsIn } from './extract.ts';

/** One change to the command line or to the environment. */
export interface Step {
  readonly isAdded: boolean;
  /** A flag such as `--force` or `-O`, or a variable such as `DTP_TOKEN`. */
  readonly name: string;
  readonly value?: string;
}

/** Changes that belong together: "Set DTP_BASE_URL and DTP_API_KEY". */
export type Choice = readonly Step[];

const names = String.raw`(?<![\w-])(?:--[a-z][a-z-]*|-[a-zA-Z])(?![\w-])|\b(?:DTP_[A-Z_]+|(?:NO|HTTPS?)_PROXY)\b`;
const removing = 'unset|omit|leave out|leave it out|without';
const adding =
  'pass|use|add|set(?! by)|choose|select|save|write|overwrite|allow|specify|skip|print|ask for|more with|shown with|raise|' +
  'trust|bypass|send|replace|put|restart|run|avoid|include|missing flag';
const verb = new RegExp(String.raw`(?<![-\w])(?:${adding}|${removing})\b`, 'i');
const token = new RegExp(
  String.raw`(?<name>${names})|(?<![-\w])(?<removing>${removing})\b|(?<![-\w])(?<adding>${adding})\b`,
  'gi',
);

/** Words that follow a flag in a sentence and are not its value. */
const following = /^(or|and|to|that|in|for|on|if|it|only|of|with|pattern|accepts|reads|which|permanently|instead)$/;

export const mentionsFlag = (text: string): boolean => new RegExp(names).test(text);

/** The line without its commands, which are run as commands. */
export const withoutCommands = (line: string): string =>
  commandsIn(line)
    .reduce((rest, command) => rest.replace(command, ''), line)
    .replace(/(?<!^error: )(?<=: |\brun "?|^)dtp .*$/i, '');

/** The choices in a line: "Use -o csv, or leave out --all and --limit" has two. */
export function choicesIn(line: string): readonly Choice[] {
  const [, one, other] = /\beither (\S+) or (\S+), not both/.exec(line) ?? [];
  if (one !== undefined && other !== undefined)
    return [one, other].map((name) => [{ isAdded: false, name: name.replaceAll('"', '') }]);
  let choices: readonly Choice[] = [];
  // An error says what is wrong, and its end what to do.
  const advice = withoutCommands(line).replace(/^error: (?!missing flag|specify )[^;]*/, '');
  for (const sentence of advice.split(/(?<=[.;])\s+/)) {
    const start = verb.exec(sentence)?.index;
    const found = start === undefined ? [] : choicesOf(sentence.slice(start));
    // "Save it with -o raw. Leave out --all." is one choice.
    choices =
      sentence.startsWith('Leave out') && choices.length > 0
        ? choices.map((choice) => [...choice, ...found.flat()])
        : [...choices, ...found];
  }
  return choices;
}

function choicesOf(sentence: string): readonly Choice[] {
  let isAdded = true;
  let last: string | undefined;
  return sentence.split(/,? or /).flatMap((part) => {
    const steps: Step[] = [];
    for (const { groups = {}, index, 0: word } of part.matchAll(token)) {
      if (groups.adding) isAdded = true;
      else if (groups.removing) isAdded = false;
      // "Pass another --port, or leave it out"
      if (/^leave it out$/i.test(word) && last !== undefined) steps.push({ isAdded: false, name: last });
      if (!groups.name) continue;
      last = word;
      const value = valueAfter(part.slice(index + word.length));
      steps.push({ isAdded, name: word, ...(value !== undefined && { value }) });
    }
    const isOne = !isAdded || !part.includes(',') || / and /.test(part);
    return steps.length === 0 ? [] : isOne ? [steps] : steps.map((step) => [step]);
  });
}

function valueAfter(text: string): string | undefined {
  const [, quoted, raw = ''] = /^[ =](?:'([^']*)'|([^\s,;)]+))/.exec(text) ?? [];
  const word = raw.replace(/[.:]+$/, '');
  return quoted ?? (word === '' || word.startsWith('-') || following.test(word) ? undefined : word);
}

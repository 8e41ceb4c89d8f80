/** The hints in the source: strings that say what to do next, and calls that build a command to run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { choicesIn, mentionsFlag, withoutCommands } from './advice.ts';

export interface Hint {
  readonly file: string;
  readonly line: number;
  /** In a template, each value is `…`. For a call, its source. */
  readonly text: string;
  readonly is: 'text' | 'call';
}

const root = resolve(import.meta.dirname, '../../../src');

/** Help, examples and records describe commands. They are tested elsewhere, and are not printed after something else. */
const apart = /^(operations\/|local\/|declarations\/|describe\/|service\/|tree\/)/;

/** The names of properties, variables and parameters whose strings say what to do next. */
const telling = /^(hint|ciHint|next|mend|fix|advice)$/i;

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** A command in a sentence: `dtp` and the name of a command. */
const command = /\bdtp [a-z]/;

/** Advice with a value in place of the name of a flag or variable: "Set … to another folder." */
const advice = /(?:^|[.,] …?|or )(?:(?:set|unset|pass) …|(?:set|pass|write)\b[^.]* with …)/i;

/** Whether a string of the source says what to do next. */
const says = (text: string): boolean => command.test(text) || choicesIn(text).length > 0 || advice.test(text);

/** Whether a hint names a flag or a variable outside a command. Several lines are a file, or commands to paste. */
export const mentionsFlagOrVariable = (text: string): boolean =>
  !text.trim().includes('\n') && (mentionsFlag(withoutCommands(text.replaceAll('…', 'x'))) || advice.test(text));

export function hintsIn(file: string, source: string): readonly Hint[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const hints: Hint[] = [];
  const lineOf = (at: unknown) => source.slice(0, Number(at)).split('\n').length;
  const add = (node: Node, text: string, is: Hint['is']) => hints.push({ file, line: lineOf(node.start), text, is });

  const walk = (node: unknown, isTelling: boolean): void => {
    if (Array.isArray(node)) {
      for (const one of node) walk(one, isTelling);
      return;
    }
    if (!isNode(node)) return;
    const { type } = node;
    if (type === 'ImportDeclaration' || type === 'TSTypeAnnotation' || type === 'TSLiteralType') return;
    const text =
      type === 'Literal' && typeof node.value === 'string'
        ? node.value
        : type === 'TemplateLiteral' && Array.isArray(node.quasis)
          ? node.quasis.map((one) => one.value.cooked).join('…')
          : undefined;
    // What runs at this moment is not what to do next.
    if (text?.startsWith('Running: ')) return;
    const isSentence = text !== undefined && /[a-z]\S* \S/i.test(text);
    if (text !== undefined && isSentence && (isTelling || says(text))) add(node, text, 'text');
    if (type === 'CallExpression' && isNode(node.callee)) {
      const name = String(node.callee.name ?? '');
      if (/^(commandLine|correctedLine|lineWith)$/.test(name))
        add(node, source.slice(Number(node.start), Number(node.end)).replace(/\s+/g, ' '), 'call');
      // The last argument of these functions is how to fix the problem.
      const isFix = /^(fail|failed|failedAt|warn)$/.test(name) && file.startsWith('commands/doctor');
      const all = Array.isArray(node.arguments) ? node.arguments : [];
      for (const [at, one] of all.entries()) walk(one, isFix && at > 1);
      walk(node.callee, false);
      return;
    }
    if (type === 'Property' && isNode(node.key)) {
      walk(node.value, isTelling || telling.test(String(node.key.name ?? '')));
      return;
    }
    if (type === 'VariableDeclarator' && isNode(node.id)) {
      walk(node.init, telling.test(String(node.id.name ?? '')));
      return;
    }
    for (const [key, value] of Object.entries(node)) if (key !== 'type') walk(value, isTelling);
  };
  walk(program, false);
  return hints;
}

/** Every hint of the source. */
export const allHints = (): readonly Hint[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !apart.test(name))
    .sort()
    .flatMap((name) => hintsIn(name, readFileSync(join(root, name), 'utf8')));

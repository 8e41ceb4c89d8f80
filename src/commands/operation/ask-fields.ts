/** Prompts for the required fields that are missing. Each answer is checked before the next prompt. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { parseDocument } from '../../input/files.ts';
import { integerIn } from '../../input/kinds.ts';
import type { ParsedArguments } from '../../input/read.ts';
import { timeOf } from '../../input/times.ts';
import type { PromptChoice, Prompts } from '../../invocation/invocation.ts';
import type { Operation } from '../../operations/operation.ts';
import { argvOf, type Word } from '../../settings/command-line.ts';
import { summaryFile } from '../../tree/flow-flags.ts';
import { type Flag, flagsOf, isRequired, isWholeRecord, neededFlags } from '../../tree/operation-flags.ts';
import { ownerFlag, repositoryFlag, repositoryIn } from '../../tree/vocabulary.ts';

interface Asking {
  readonly context: Context;
  readonly prompts: Prompts;
  /** Returns a value from a live list of the service and from `more`, or undefined if there is no such list. */
  readonly pickValue: (
    flag: Flag,
    given: ParsedArguments,
    more: readonly PromptChoice[],
  ) => Promise<string | undefined>;
}

/** Adds the answers to the flags and to the command line. */
export async function askFields(asking: Asking, operation: Operation, before: ParsedArguments) {
  let given = before;
  for (const flag of flagsToAsk(operation, before)) {
    if (given.flags[flag.name] !== undefined) continue;
    const answer = await answerFor(asking, flag, given, isOptional(operation, flag, given));
    if (answer.length > 0) given = withAnswer(given, flag, answer);
  }
  if (operation.flow !== 'summary' || hasBody(given) || given.flow.schema !== undefined) return given;
  if (neededFlags(operation, 'body').some(({ name }) => given.flags[name] !== undefined)) return given;
  const file = await askChecked(asking, `${summaryFile.help}:`, checksOf(asking.context).file);
  return { ...given, flow: { ...given.flow, schema: file }, argv: argvOf(given.argv, [[file]]) };
}

/** Whether a required field is missing, or may be asked for. */
export const needsFields = (operation: Operation, given: ParsedArguments): boolean =>
  operation.flow === 'summary' || flagsToAsk(operation, given).some(({ name }) => given.flags[name] === undefined);

/** Whether a body is passed as a whole, or in parts that no flag names. */
const hasBody = ({ flags, flow }: ParsedArguments): boolean =>
  [flags.body, flow.field, flow.rawField].some((one) => one !== undefined);

/** The flags of the required fields. Of a record, those of its required fields. */
function flagsToAsk(operation: Operation, given: ParsedArguments): readonly Flag[] {
  const flags = flagsOf(operation);
  const names = Object.entries(operation.input).filter(([name, field]) => {
    const isOfBody = ['body', 'member', 'part'].includes(field.in);
    if (field.in === 'path' || (isOfBody && hasBody(given))) return false;
    return isRequired(operation, name) || field.wanted === true || name === operation.operand;
  });
  // A summary is made from a document, which is asked for instead.
  const fields = names.filter(([name]) => operation.flow !== 'summary' || name !== 'body');
  const asked = fields.flatMap(([name]) => {
    const needed = neededFlags(operation, name);
    return needed.length > 0 ? needed : flags.filter((one) => one.field === name && one.member === undefined);
  });
  // The owner is a part of the repository.
  const isAsked = (flag: Flag) => flag.label === `--${flag.name}` || flag.name !== ownerFlag;
  // Whoever gives a part of a whole record may leave out the rest: the API does not require it of every service. A
  // repository only says where.
  const isPart = ({ member, name }: Flag) =>
    member !== undefined && ![ownerFlag, repositoryFlag].some((one) => one === name);
  const hasPart = flags.some((flag) => isPart(flag) && given.flags[flag.name] !== undefined);
  const isLeftOut = ({ field, member, setBy }: Flag) =>
    setBy !== undefined || (member !== undefined && hasPart && isWholeRecord(operation, field));
  return asked.filter((flag) => isAsked(flag) && !isLeftOut(flag));
}

/** Whether an answer may be empty, because the API does not require the field of every service. */
function isOptional(operation: Operation, { field, member }: Flag, { flags }: ParsedArguments): boolean {
  if (member !== undefined)
    return (
      isWholeRecord(operation, field) &&
      flagsOf(operation).some((one) => one.member !== undefined && flags[one.name] !== undefined)
    );
  return !isRequired(operation, field) && operation.input[field]?.wanted !== true;
}

/** The words of the answer. Empty if the field is left out. */
async function answerFor(asking: Asking, flag: Flag, given: ParsedArguments, canBeEmpty: boolean) {
  const question = questionOf(flag, canBeEmpty);
  const pick = async (values: readonly string[]) =>
    asking.prompts.pick(question, [...values.map(choice), ...(canBeEmpty ? [leftOut] : [])]);
  if (flag.kind === 'boolean') return [await pick(['yes', 'no'])].filter(Boolean);
  if (flag.is === 'enum') {
    const picked = await pick([...flag.values, ...(flag.isClosed ? [] : [other])]);
    if (picked !== other) return [picked].filter(Boolean);
  } else {
    const picked = await asking.pickValue(flag, given, canBeEmpty ? [leftOut] : []);
    if (picked !== undefined) return [picked].filter(Boolean);
  }
  const check = flag.name === repositoryFlag ? checkRepository : checksOf(asking.context, flag)[flag.kind];
  const answer = await askChecked(asking, question, check, canBeEmpty);
  if (!flag.many || flag.kind === 'json') return answer === '' ? [] : [answer];
  return answer.split(/[\s,]+/).filter(Boolean);
}

const other = 'another value';

const leftOut: PromptChoice = { value: '', label: 'none', hint: 'leave it out' };

const choice = (value: string) => ({ value, label: value, hint: '' });

/** `lock-id` → `Lock ID`. */
export const titled = (word: string): string =>
  word
    .replaceAll('-', ' ')
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/ id$/, ' ID');

/** `Language (language of the code samples, such as typescript):` */
function questionOf({ name, help, many, kind, value }: Flag, canBeEmpty: boolean): string {
  const form = name === repositoryFlag && value !== undefined ? ['OWNER/NAME'] : [];
  const more = [help, ...form, ...(many && kind !== 'json' ? ['separated by spaces'] : [])];
  return `${titled(name)} (${[...more, ...(canBeEmpty ? ['may be empty'] : [])].join('; ')}):`;
}

/** Throws `usage`, with what is wrong with an answer. */
type Check = (answer: string) => void | Promise<void>;

function checkRepository(answer: string): void {
  if (!repositoryIn(answer)) throw new DtpError('usage', 'type the owner and the name: OWNER/NAME');
}

function checksOf(context: Context, flag?: Flag): Readonly<Record<Flag['kind'], Check>> {
  const file = async (path: string) => {
    const found = await stat(resolve(context.cwd, path)).catch(() => undefined);
    if (!found?.isFile()) throw new DtpError('usage', `file not found: ${path}`);
  };
  return {
    string: () => undefined,
    boolean: () => undefined,
    file,
    integer: (answer) => {
      if (typeof integerIn(answer) === 'string') throw new DtpError('usage', 'type a whole number');
    },
    datetime: (answer) => void timeOf('it', answer, context.date(), flag?.direction),
    json: async (answer) => {
      if (answer.startsWith('@')) return file(answer.slice(1));
      await parseDocument(answer, 'it');
    },
  };
}

/** Asks until the answer is valid. An empty answer cancels the command, unless the field may be left out. */
async function askChecked({ prompts }: Asking, question: string, check: Check, canBeEmpty = false): Promise<string> {
  for (let shown = question; ; ) {
    const answer = await prompts.text(shown);
    if (answer === '' && canBeEmpty) return '';
    if (answer === '') throw new DtpError('cancelled', 'cancelled');
    try {
      await check(answer);
      return answer;
    } catch (error) {
      if (!(error instanceof DtpError)) throw error;
      const why = error.message.replace(/^./, (first) => first.toUpperCase());
      shown = `${why}. ${question}`;
    }
  }
}

/** The answer as on the command line: the words of an argument, or of a flag. */
function withAnswer(given: ParsedArguments, flag: Flag, answer: readonly string[]): ParsedArguments {
  const [first = ''] = answer;
  if (flag.kind === 'boolean') {
    const argv = argvOf(given.argv, [first === 'yes' ? flag.label : `--no-${flag.name}`]);
    return { ...given, flags: { ...given.flags, [flag.name]: first === 'yes' }, argv };
  }
  const words = answer.map((one): Word => (flag.label.startsWith('--') ? [flag.label, one] : [one]));
  const argv = argvOf(given.argv, words);
  const found = flag.name === repositoryFlag ? repositoryIn(first) : undefined;
  if (found)
    return { ...given, flags: { ...given.flags, [ownerFlag]: found.owner, [repositoryFlag]: found.name }, argv };
  return { ...given, flags: { ...given.flags, [flag.name]: flag.many ? answer : first }, argv };
}

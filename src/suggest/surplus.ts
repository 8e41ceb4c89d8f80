/** Suggests what to do about more arguments than a command takes. */
import type { Facts } from '../errors.ts';
import { commandLine } from '../settings/command-line.ts';
import { helpWords } from '../tree/entry.ts';
import { type Line, readLine } from '../tree/line.ts';
import { takesBody } from '../tree/operation-flags.ts';
import { correctedLine } from './command-line.ts';

/**
 * Suggests the flag that a surplus argument may have been meant for: --body for a file, or -w for a workspace.
 * Otherwise, suggests the help. Never suggests the line without the surplus arguments, because it could do something
 * else.
 */
export function adviseSurplus(line: Line): Facts {
  const { command } = line;
  const { operation } = command;
  const better = readLine(withoutSurplus(line.argv));
  const withFlag = (...flag: readonly string[]) => [correctedLine(better, new Map(), flag)];
  const has = (name: string) =>
    line.roles.some((role) => 'flag' in role && (role.flag.name === name || role.flag.short === name));
  const surplus = findSurplus(line.argv).places.map((at) => line.argv[at] ?? '');
  // Other tools take a list of fields there. Any other word may be a credential.
  const isFields = (word: string) => surplus.includes(word) && /^[a-z_]+(,[a-z_]+)+$/.test(word);
  const at = line.argv.findIndex((word, index) => line.argv[index - 1] === '--json' && isFields(word));
  if (at > 0)
    // An expression chooses the fields itself.
    return {
      hint: '--json takes no value. Choose fields with --fields.',
      next: has('--jq') || has('--query') ? withFlag() : withFlag('--fields', line.argv[at] ?? ''),
    };
  // The only file of an operation with an operand is its argument.
  const takesFile = operation && takesBody(operation) && operation.operand === undefined;
  const [file, ...others] = surplus.filter(isBodyFile);
  if (file !== undefined && others.length === 0 && takesFile && !has('--body'))
    return { hint: 'Pass a file with --body.', next: withFlag('--body', `@${file.replace(/^@/, '')}`) };
  const help = commandLine(helpWords(command));
  // Other tools take the name of a new thing as an argument.
  const isOne = surplus.length === 1 && file === undefined;
  const [word = ''] = surplus;
  if (isOne && takesName(line)) return { hint: 'Give the name with --name.', next: withFlag('--name', 'NAME') };
  const filter = command.flags.find((one) => one.group === 'filters' && one.known?.includes(word));
  if (isOne && filter && !has(filter.name))
    return { hint: `Select the ${filter.name.slice(2)} with ${filter.name}.`, next: withFlag(filter.name, word) };
  // `events post` needs an event too, so -w alone would not help.
  const isOf = operation && 'workspace_id' in operation.input && operation.flow !== 'spool' && !has('--workspace');
  if (!isOf) return { next: [help] };
  const takesNone = command.arguments.length === 0;
  const id = command.words[0] === 'ws' && isOne && isPlain(word) ? word : 'ID';
  return { hint: 'Select the workspace with -w ID.', next: takesNone ? withFlag('-w', id) : [help] };
}

/** Whether a word is a name in small letters, and so not a credential. */
const isPlain = (word: string): boolean => word.length <= 30 && /^[a-z]{2,}(-[a-z]+)*$/.test(word);

const takesName = ({ command, roles }: Line): boolean =>
  command.name === 'create' &&
  command.flags.some(({ name }) => name === '--name') &&
  !roles.some((role) => 'flag' in role && role.flag.name === '--name');

/** Removes surplus arguments. The only one of `create` becomes the name, if it cannot be a credential. */
export function withName(argv: readonly string[]): readonly string[] {
  const better = withoutSurplus(argv);
  const [word = '', ...others] = findSurplus(argv).places.map((at) => argv[at] ?? '');
  return others.length === 0 && isPlain(word) && takesName(readLine(argv)) ? [...better, '--name', word] : better;
}

/** Whether an argument is a file name. Other arguments are not shown, because they may be credentials. */
export const isBodyFile = (word: string): boolean => /^@?[\w./-]+\.(json|jsonl|ndjson|ya?ml)$/i.test(word);

/** Removes surplus arguments, which are not shown because they may be credentials. */
export function withoutSurplus(argv: readonly string[]): readonly string[] {
  const { places, end } = findSurplus(argv);
  const better = argv.filter((_, at) => !places.includes(at));
  return places.length > 0 && end === better.length - 1 ? better.slice(0, end) : better;
}

/** Returns the places of the arguments in excess of those that a command takes, and of the end of the flags (or -1). */
function findSurplus(argv: readonly string[]) {
  const { roles, command } = readLine(argv);
  const takes = command.arguments;
  const most = takes.at(-1)?.repeatable || command.commands.length > 0 ? argv.length : takes.length;
  const end = argv.findIndex((word, at) => word === '--' && roles[at]?.is === 'rest');
  const isArgument = (at: number) => roles[at]?.is === 'operand' || (end >= 0 && at > end);
  return { places: argv.flatMap((_, at) => (isArgument(at) ? [at] : [])).slice(most), end };
}

/** Formats corrected command lines without secrets. */
import type { Meant } from '../errors.ts';
import { isSecretName } from '../request/redact.ts';
import { commandLine, type Word } from '../settings/command-line.ts';
import { placeholderOf } from '../tree/entry.ts';
import { type Line, type Role, readLine } from '../tree/line.ts';

/** Returns the command line with the corrected value. A missing flag is added: it overrides all other sources. */
export function lineWith(argv: readonly string[], meant: Meant): string {
  const line = readLine(argv);
  const { value, flag, argument } = meant;
  const places = line.roles.flatMap((role, at) => {
    const isArgument = role.is === 'operand' || (role.is === 'rest' && argv[at] !== '--');
    const isIt = flag === undefined ? isArgument : 'flag' in role && (role.flag.present ?? role.flag.name) === flag;
    return isIt ? [at] : [];
  });
  if (flag === undefined) {
    const [at = -1, ...following] = places.slice(argument);
    const changes = new Map<number, readonly Word[]>([[at, [[value]]]]);
    for (const one of meant.hides ? following : []) changes.set(one, [['VALUE']]);
    return correctedLine(line, changes);
  }
  const without = new Map(places.map((at) => [at, []]));
  return correctedLine(line, without, [[flag, value]]);
}

/** Returns the command line with some words replaced and `more` at the end. Placeholders replace secrets. */
export function correctedLine(
  { argv, roles }: Line,
  changes: ReadonlyMap<number, readonly Word[]>,
  more: readonly Word[] = [],
): string {
  const words = argv.flatMap((word, at) => changes.get(at) ?? [shown(word, roles[at])]);
  return commandLine(words, more);
}

function shown(word: string, role: Role | undefined): Word {
  if (role === undefined || role.is === 'after-stray') return 'VALUE';
  if (role.is === 'operand') return [namesSecret(word) ? 'VALUE' : word];
  if (role.is !== 'flag' && role.is !== 'value') return namesSecret(word) ? 'VALUE' : word;
  const isSecret = isSecretName(role.flag.name.slice(2));
  const placeholder = placeholderOf(role.flag);
  if (role.is === 'value') return isSecret || namesSecret(word) ? placeholder : word;
  const at = word.indexOf('=');
  return at > 0 && (isSecret || namesSecret(word.slice(at + 1))) ? `${word.slice(0, at)}=${placeholder}` : word;
}

/** Whether a word seems to contain a secret: `token=…`, `{"key": …}`, `authorization: …`. */
const namesSecret = (word: string): boolean =>
  [...word.matchAll(/([\w-]+)["']?\s*[:=]/g)].some(([, name = '']) => isSecretName(name));

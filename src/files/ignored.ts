/** Finds out which files of a repository git ignores. git is not run, because a repository can make it run programs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../caught.ts';
import { useFile } from '../system/owner.ts';

/** `parts` match the parts of a path. `depth` is how many folders the file with the rule is below the root. */
interface Rule {
  readonly parts: readonly string[];
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  readonly depth: number;
}

/**
 * Whether a `.gitignore` of the repository, or its `.git/info/exclude`, makes git ignore a file (gitignore(5)). `root`
 * is the real path of the repository. `name` is the real path of the file relative to it, with `/` as separator. The
 * rules that a user has outside of the repository do not count, nor whether the file is tracked.
 */
export function isIgnored(root: string, name: string): boolean {
  const parts = name.split('/');
  const rules = rulesIn(join(root, '.git', 'info', 'exclude'), 0);
  return parts.some((_, depth) => {
    rules.push(...rulesIn(join(root, ...parts.slice(0, depth), '.gitignore'), depth));
    const isFolder = depth < parts.length - 1;
    const isMet = (rule: Rule) => fits(rule.parts, parts.slice(rule.depth, depth + 1), '**', fitsPart);
    return rules.findLast((rule) => (isFolder || !rule.isForFolders) && isMet(rule))?.isNegated === false;
  });
}

const mostBytes = 1024 ** 2;

/** Reads the rules of a file, unless it is missing, too large, or a link, which git does not follow either. */
function rulesIn(path: string, depth: number): Rule[] {
  const text = attempt(
    () => useFile(path, (file, found) => (found.isFile() && found.size <= mostBytes ? readFileSync(file, 'utf8') : '')),
    '',
  );
  return text.split(/\r?\n/).flatMap((line) => ruleOf(line, depth) ?? []);
}

function ruleOf(line: string, depth: number): Rule | undefined {
  let end = line.length;
  while (line[end - 1] === ' ' && line[end - 2] !== '\\') end--;
  const isNegated = line.startsWith('!');
  const pattern = line.slice(isNegated ? 1 : 0, end);
  const path = pattern.endsWith('/') ? pattern.slice(0, -1) : pattern;
  if (path === '' || line.startsWith('#')) return undefined;
  const parts = path.replace(/^\//, '').split('/');
  // A pattern without a folder applies at any depth, and `folder/**` to what is in the folder.
  if (!path.includes('/')) parts.unshift('**');
  if (parts.at(-1) === '**') parts.push('*');
  return { parts, isNegated, isForFolders: path !== pattern, depth };
}

const fitsPart = (part: string, name: string): boolean =>
  fits(part.match(/\\.|\[[!^]?.[^\]]{0,99}\]|./gsu) ?? [], [...name], '*', fitsCharacter);

function fitsCharacter(one: string, character: string): boolean {
  const set = /^\[([!^]?)(.+)\]$/s.exec(one);
  if (!set) return one === '?' || one.replace(/^\\(?=.)/s, '') === character;
  const range = `[${set[2]?.replace(/[\]^[]/g, '\\$&')}]`;
  return attempt(() => new RegExp(range, 'su').test(character), false) === (set[1] === '');
}

/** Matches items to a pattern, in which `star` stands for any number of items. Takes at most quadratic time. */
function fits(
  pattern: readonly string[],
  items: readonly string[],
  star: string,
  isMet: (one: string, item: string) => boolean,
): boolean {
  // After a mismatch, the last star takes one more item.
  let [at, afterStar, from] = [0, 0, 0];
  for (let index = 0; index < items.length; ) {
    const [one, item] = [pattern[at], items[index]];
    if (one === star) [afterStar, from] = [++at, index];
    else if (one !== undefined && item !== undefined && isMet(one, item)) [at, index] = [at + 1, index + 1];
    else if (afterStar > 0) [at, index] = [afterStar, ++from];
    else return false;
  }
  return pattern.slice(at).every((one) => one === star);
}

/** Derives names and phrases for an operation from its method and path. */

const VERBS: ReadonlyMap<string, string> = new Map([
  ['post', 'create'],
  ['put', 'replace'],
  ['patch', 'update'],
  ['head', 'check'],
  ['options', 'describe'],
]);

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Splits a path. Leaves out versions and `api`, which say nothing about the resource. */
const segmentsOf = (path: string): readonly string[] =>
  path.split('/').filter((segment) => segment !== '' && !/^(v\d+|api)$/i.test(segment));

/** Splits `listUserPosts`, `user-posts` and `HTTPServer` into lowercase words. */
export const nameWordsOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());

const singular = (word: string): string =>
  word.endsWith('ies') && word.length > 4
    ? `${word.slice(0, -3)}y`
    : /(sses|shes|ches|xes)$/.test(word)
      ? word.slice(0, -2)
      : word.endsWith('s') && !/(ss|us|is)$/.test(word)
        ? word.slice(0, -1)
        : word;

export const singularWords = (words: readonly string[]): readonly string[] =>
  words.map((word, index) => (index === words.length - 1 ? singular(word) : word));

/** Returns the verb, the parents of the resource, and the resource, such as `['list', 'user', 'posts']`. */
export function verbPhrase(method: string, path: string): readonly [verb: string, ...words: string[]] {
  const segments = segmentsOf(path);
  const named = segments.filter((segment) => !isParameter(segment));
  const last = segments.at(-1);
  const single = last === undefined || isParameter(last) || method === 'post';
  const verb = method === 'get' && !single && singular(last) !== last ? 'list' : (VERBS.get(method) ?? method);
  const words = named.flatMap((segment, index) => {
    const one = index < named.length - 1 || single;
    return one ? singularWords(nameWordsOf(segment)) : nameWordsOf(segment);
  });
  return [verb, ...(words.length > 0 ? words : ['root'])];
}

export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const camelCase = (words: readonly string[]): string =>
  words.map((word, index) => (index === 0 ? word : capitalize(word))).join('');

export const operationName = (method: string, path: string): string => camelCase(verbPhrase(method, path));

export const sentence = (words: readonly string[]): string => capitalize(words.join(' '));

/** Returns the first segment of a path that names a resource. */
export const groupOf = (path: string): string => segmentsOf(path).find((part) => !isParameter(part)) ?? 'default';

/** The words of the command line for things that have several names or a long one in the API. Its names stay valid. */

/** Converts a field name to a flag name: `genLockId` → `gen-lock-id`. A flag name cannot be converted back. */
export const kebab = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

/** The words, by the name that the field would have otherwise. */
const words: Readonly<Record<string, string>> = {
  'after-created-at': 'since',
  'after-last-event-created-at': 'since',
  'gen-lock-id': 'lock-id',
  'generate-gen-lock-id': 'lock-id',
  'interaction-type': 'type',
  languages: 'language',
  'namespace-name': 'namespace',
  'next-page-token': 'page-token',
  'package-name': 'package',
  'repo-name': 'repo',
  'revision-digest': 'revision',
  schema: 'file',
  'schema-file': 'file',
  'sdk-class-name': 'sdk-class',
  'sdk-classname': 'sdk-class',
  spec: 'file',
  tags: 'tag',
  'target-id': 'lock-id',
  'token-name': 'name',
  'x-session-id': 'session-id',
};

/** Returns the word for a field, as a flag name: `generate_gen_lock_id` → `lock-id`. */
export function wordOf(field: string): string {
  const name = kebab(field);
  return Object.hasOwn(words, name) ? (words[name] as string) : name;
}

/** The flag that takes `OWNER/NAME`, and the flag for the owner alone, which nothing shows. */
export const [repositoryFlag, ownerFlag] = ['repo', 'org'] as const;

/**
 * What `git remote -v` prints in front of `OWNER/NAME.git`: a URL (`https`, `ssh`, `git`) up to its path, or
 * `git@HOST:`. A host of one letter would be a drive of Windows.
 */
const REMOTE = /^(?:(?:https?|ssh|git):\/\/[^/]+\/|(?:[^/@:\s]+@)?[^/@:\s]{2,}:\/?)/i;

/** Reads `OWNER/NAME`, or a remote of Git. Returns undefined for anything else, such as a path of this machine. */
export function repositoryIn(text: string): { readonly owner: string; readonly name: string } | undefined {
  const [, owner, name] = /^([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(text.replace(REMOTE, '')) ?? [];
  const isName = (part = '.') => !/[\s:@\\?#]|^\.{1,2}$/.test(part);
  return isName(owner) && isName(name) ? { owner: String(owner), name: String(name) } : undefined;
}

export const shortForms: Readonly<Record<string, string>> = { limit: 'L', [repositoryFlag]: 'R' };

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
};

/** Returns the word for a field, as a flag name: `generate_gen_lock_id` → `lock-id`. */
export function wordOf(field: string): string {
  const name = kebab(field);
  return Object.hasOwn(words, name) ? (words[name] as string) : name;
}

/** The flag that takes `OWNER/NAME`, and the flag for the owner alone, which nothing shows. */
export const [repositoryFlag, ownerFlag] = ['repo', 'org'] as const;

/** Reads `OWNER/NAME`, or the URL of a repository. Returns undefined for anything else. */
export function repositoryIn(text: string): { readonly owner: string; readonly name: string } | undefined {
  const [, owner, name] = /^(?:https?:\/\/[^/]+\/)?([^/]+)\/([^/]+)$/.exec(text) ?? [];
  return owner === undefined || name === undefined ? undefined : { owner, name };
}

export const shortForms: Readonly<Record<string, string>> = { limit: 'L', [repositoryFlag]: 'R' };

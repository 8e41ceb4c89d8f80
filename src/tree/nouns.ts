/** Names the nouns, which are the groups of commands, and lists aliases and shortcuts. */
import type { CommandEntry } from './entry.ts';

/** The description and the aliases of each noun, in the order of the API document. */
const nouns: Readonly<Record<string, readonly [description: string, ...aliases: string[]]>> = {
  auth: ['Log in, log out, show who you are: dtp login, logout, whoami'],
  'code-samples': ['Generate code samples', 'samples', 'code-sample'],
  'code-samples jobs': ['Code samples generated in the background', 'job'],
  codehost: ['Connect repositories on a code host', 'code-host'],
  'codehost setup': ['Setup status of the integration'],
  'codehost access': ['Access to repositories'],
  'codehost publishing-prs': ['Pull requests that publish a target'],
  'codehost publishing-secrets': ['Publishing secrets'],
  'codehost configure': ['Configure a repository'],
  'codehost actions': ['Runs of the workflow action', 'action'],
  orgs: ['Organizations, usage and billing', 'organizations', 'organization', 'org'],
  'orgs free-trial': ['Free trial', 'trial'],
  'orgs usage': ['Billing usage'],
  'orgs add-ons': ['Billing add-ons', 'addons', 'add-on'],
  'publishing-tokens': ['Tokens that authorize publishing', 'publishing-token'],
  ws: ['Workspaces, their members and tokens', 'workspaces', 'workspace'],
  'ws settings': ['Settings of a workspace', 'setting'],
  'ws team': ['Members of a workspace', 'members'],
  'ws tokens': ['Tokens of a workspace', 'token'],
  'ws feature-flags': ['Feature flags of a workspace', 'flags', 'feature-flag'],
  events: ['Post, search and follow events', 'event'],
  'events queue': ['Events queued on disk until they are delivered', 'spool'],
  'events targets': ['Targets that have events', 'target'],
  reports: ['Upload and share lint reports and change reports', 'report'],
  suggest: ['Get suggestions for an API document', 'suggestions'],
  'schema-store': ['Public store of API documents', 'schemas'],
  'short-urls': ['Short URLs', 'short-url'],
  artifacts: ['Push, pull and tag API documents', 'artifact'],
  'artifacts namespaces': ['Namespaces of revisions', 'namespace'],
  'artifacts revisions': ['Revisions of a namespace', 'revision'],
  'artifacts tags': ['Tags of revisions', 'tag'],
  'artifacts remote-sources': ['Remote sources of a namespace', 'remote-source'],
  'artifacts manifests': ['Manifests', 'manifest'],
  'artifacts blobs': ['Blobs', 'blob'],
  subscriptions: ['Subscriptions to namespaces', 'subscription'],
  config: ['Profiles and settings'],
  data: ['Move or back up the data of the embedded service'],
};

/** Nouns that also work without their parent: `dtp tokens list` is `dtp ws tokens list`. */
export const shortcuts: Readonly<Record<string, readonly string[]>> = {
  tokens: ['ws', 'tokens'],
  team: ['ws', 'team'],
  namespaces: ['artifacts', 'namespaces'],
  revisions: ['artifacts', 'revisions'],
  tags: ['artifacts', 'tags'],
};

/** Commands that also work without their noun, because people type them first: `dtp login`. */
export const commandShortcuts: Readonly<Record<string, readonly string[]>> = {
  login: ['auth', 'login'],
  logout: ['auth', 'logout'],
  whoami: ['auth', 'status'],
};

export const firstNouns: readonly string[] = [
  ...Object.keys(nouns).filter((name) => !name.includes(' ')),
  ...Object.keys(shortcuts),
];

/** Replaces a shortcut at the start of the words with the full nouns. Other words are returned unchanged. */
export const unshortened = ([first = '', ...rest]: readonly string[]): readonly string[] =>
  first === '' ? [] : [...((Object.hasOwn(long, first) && long[first]) || [first]), ...rest];

const long = { ...shortcuts, ...commandShortcuts };

/** Returns the words of a command with its shortcut. Undefined if it has no shortcut. */
export function shortcutOf(words: readonly string[]): readonly string[] | undefined {
  const [name] = Object.entries(shortcuts).find(([, long]) => long.every((word, index) => word === words[index])) ?? [];
  return name === undefined ? undefined : [name, ...words.slice(2)];
}

/** Returns the aliases that help, schema and completions show: all except the earlier name of a noun. */
export const shownAliases = ({ aliases }: { readonly aliases: readonly string[] }): readonly string[] =>
  aliases.filter((alias) => alias !== 'spool');

export function describeNoun(words: readonly string[]): Pick<CommandEntry, 'summary' | 'aliases'> {
  const [summary = '', ...aliases] = nouns[unshortened(words).join(' ')] ?? [];
  const short = shortcutOf(words);
  return { summary: short ? `${summary} (also: dtp ${short.join(' ')})` : summary, aliases };
}

const verbs: Readonly<Record<string, readonly string[]>> = { list: ['ls'], delete: ['rm'] };

export const aliasesOfVerb = (name: string): readonly string[] => verbs[name] ?? [];

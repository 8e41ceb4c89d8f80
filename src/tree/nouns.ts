/** Defines the groups of commands (nouns), and finds commands by their words. */
import { type Command, Help } from 'commander';

/** The description and the aliases of each noun, in the order of the API document. */
const nouns: Readonly<Record<string, readonly [description: string, ...aliases: string[]]>> = {
  auth: ['Log in, log out, show who you are'],
  'code-samples': ['Generate usage snippets', 'samples', 'code-sample'],
  'code-samples jobs': ['Snippets generated in the background', 'job'],
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
};

/** Nouns that also work without their parent: `dtp tokens list` is `dtp ws tokens list`. */
export const shortcuts: Readonly<Record<string, readonly string[]>> = {
  tokens: ['ws', 'tokens'],
  team: ['ws', 'team'],
  namespaces: ['artifacts', 'namespaces'],
  revisions: ['artifacts', 'revisions'],
  tags: ['artifacts', 'tags'],
};

/** The top-level nouns of operations, in the order of the help. */
export const firstNouns: readonly string[] = [
  ...Object.keys(nouns).filter((name) => !name.includes(' ')),
  ...Object.keys(shortcuts),
];

/** Replaces a shortcut at the start of the words with the full nouns. Other words are returned unchanged. */
export const unshortened = ([first = '', ...rest]: readonly string[]): readonly string[] =>
  first === '' ? [] : [...((Object.hasOwn(shortcuts, first) && shortcuts[first]) || [first]), ...rest];

/** Returns the words of a command with its shortcut. Undefined if it has no shortcut. */
export function shortcutOf(words: readonly string[]): readonly string[] | undefined {
  const [name] =
    Object.entries(shortcuts).find(([, long]) => long.every((word, index) => word === words[index])) ?? [];
  return name === undefined ? undefined : [name, ...words.slice(2)];
}

/** Whether it is the earlier name of a noun or flag. It still works, but help and completions do not show it. */
export const isEarlierName = (name: string): boolean => name === 'spool';

/** Returns the aliases that help, schema and completions show. */
export const shownAliases = (command: Command): readonly string[] =>
  command.aliases().filter((alias) => !isEarlierName(alias));

/** Aliases of verbs. */
const verbs: Readonly<Record<string, readonly string[]>> = { list: ['ls'], delete: ['rm'] };

export const aliasesOfVerb = (name: string): readonly string[] => verbs[name] ?? [];

/** Returns the command for these nouns. Creates it if it does not exist. */
export function groupOf(program: Command, names: readonly string[]): Command {
  let group = program;
  names.forEach((name, index) => {
    const known = group.commands.find((one) => one.name() === name);
    group = known ?? made(group, names.slice(0, index + 1));
  });
  return group;
}

function made(above: Command, names: readonly string[]): Command {
  const name = names.at(-1) ?? '';
  const long = names.length === 1 ? shortcuts[name] : undefined;
  const [description = '', ...aliases] = nouns[(long ?? names).join(' ')] ?? [];
  const short = shortcutOf(names);
  return above
    .command(name, { hidden: long !== undefined })
    .description(short ? `${description} (also: dtp ${short.join(' ')})` : description)
    .aliases(aliases);
}

/**
 * Delays `fill`, which adds the commands of a group, until the commands are first read. Most groups are never filled,
 * because a command line uses only one of many nouns.
 */
export function fillLater(group: Command, fill: () => void): void {
  const { commands } = group;
  Object.defineProperty(group, 'commands', {
    configurable: true,
    get: () => {
      Object.defineProperty(group, 'commands', { value: commands });
      fill();
      return commands;
    },
  });
}

/** Returns the visible subcommands, without the `help` command that commander adds. */
export const visibleBelow = (command: Command): readonly Command[] =>
  new Help().visibleCommands(command).filter((one) => command.commands.includes(one));

/** Returns the words of a command, without `dtp`. A shortcut is replaced with the full nouns. */
export const wordsOf = (command: Command): readonly string[] => unshortened(namesOf(command));

const namesOf = (command: Command): readonly string[] =>
  command.parent ? [...namesOf(command.parent), command.name()] : [];

/** Returns the command in a command line, such as `ws tokens list`, without aliases. '' if there is no command. */
export function namedCommand(program: Command, argv: readonly string[]): string {
  const words: string[] = [];
  let command = program;
  let isValue = false;
  for (const word of argv) {
    if (isValue) {
      isValue = false;
      continue;
    }
    if (word.startsWith('-')) {
      const option = [...program.options, ...command.options].find(
        ({ short, long }) => word === short || word === long,
      );
      // Skip the value of a flag, because it may equal the name of a command.
      isValue = option?.required === true;
      continue;
    }
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (!next) break;
    words.push(next.name());
    command = next;
  }
  return unshortened(words).join(' ');
}

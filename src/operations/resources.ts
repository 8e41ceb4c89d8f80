/** Defines the kinds of things that a person can name: their words, their lists, and the parameters that take them. */
import { type OperationName, operationNamed } from './areas.ts';
import type { Operation } from './operation.ts';

interface ResourceRow {
  /** The singular noun, if it is not the kind without its last letter. The plural adds an `s`. */
  readonly noun?: string;
  /** The word in a prompt, if it is not the noun. */
  readonly prompt?: string;
  readonly list?: OperationName;
  /** The field of a row with the id, which is the value to send. Undefined if people never pick from the list. */
  readonly id?: string;
  /** The fields of a row that contain a name or a list of names. The first is the one that people know. */
  readonly names?: readonly string[];
  /** The field that describes a row in completions and prompts, if it is not the first name. */
  readonly about?: string;
  /** The form of values that are looked up, because they may be a name or the beginning of an id. */
  readonly nameForm?: RegExp;
  /** The values to choose from, if they are not the ids in the list. */
  readonly choices?: Pick<Choices, 'values'> & { readonly operation: OperationName };
  /** The operations that show what exists, best first, if `list` is not the only one. Errors suggest them. */
  readonly shownBy?: readonly OperationName[];
  /** The fields of operations that take the id of such a thing. */
  readonly fields?: readonly string[];
  /** The flags whose values are completed, in all commands. */
  readonly flags?: readonly string[];
  /** How services name such a thing in an error message. */
  readonly said?: RegExp;
}

/** An operation that lists values to choose from. */
export interface Choices {
  readonly operation: Operation;
  /** The names of the row fields with the value to send, its description, and the name that people know. */
  readonly values: readonly (readonly [value: string, help: string, label: string])[];
}

const anyName = /^/;
const revisionWord = /\b(revision|tag|manifest)s?\b|MANIFEST_UNKNOWN/i;
/** What shows the revisions of a namespace. */
const revisionLists = [
  ['artifacts', 'getTags'],
  ['artifacts', 'getRevisions'],
] as const;
const tokenWord = /\btokens?\b/i;

const table = {
  workspaces: {
    list: ['ws', 'getWorkspaces'],
    id: 'id',
    names: ['name', 'slug'],
    nameForm: anyName,
    fields: ['workspace_id'],
    flags: ['--workspace'],
    said: /workspace/i,
  },
  organizations: {
    list: ['orgs', 'getOrganizations'],
    id: 'id',
    names: ['name', 'slug'],
    nameForm: anyName,
    fields: ['organizationID', 'organization_id'],
    said: /organi[sz]ation/i,
  },
  members: {
    list: ['ws', 'getWorkspaceTeam'],
    id: 'id',
    names: ['email', 'display_name'],
    nameForm: anyName,
    fields: ['userId'],
    said: /\b(user|member)\b/i,
  },
  // The lock id of a target is always sent as it was typed.
  targets: {
    list: ['events', 'getWorkspaceTargets'],
    id: 'generate_gen_lock_id',
    names: ['generate_target'],
    fields: ['target_id', 'generate_gen_lock_id', 'gen_lock_id', 'genLockId'],
    said: /\btargets?\b|gen.?lock/i,
  },
  // The id of a namespace or of a tag is its name.
  namespaces: {
    list: ['artifacts', 'getNamespaces'],
    id: 'name',
    about: 'updated_at',
    fields: ['namespace_name', 'namespaceName'],
    flags: ['--namespace'],
    said: /namespace|repository|NAME_UNKNOWN/i,
  },
  tags: { list: ['artifacts', 'getTags'], id: 'name', about: 'revision_digest', flags: ['--tag'] },
  // The user may also select the revision to tag by one of its existing tags.
  digests: {
    noun: 'revision',
    list: ['artifacts', 'getRevisions'],
    id: 'digest',
    names: ['tags'],
    nameForm: /^(?:sha(?:256|512):[0-9a-f]{4,}…?|\w[\w.-]{0,127})$/,
    shownBy: revisionLists,
    fields: ['revision_digest'],
    flags: ['--revision'],
    said: revisionWord,
  },
  // A revision by its tag or its digest. Only digests are looked up: a tag is sent unchanged.
  revisions: {
    prompt: 'tag or revision',
    list: ['artifacts', 'getRevisions'],
    id: 'digest',
    nameForm: /^sha(?:256|512):[0-9a-f]{4,}…?$/,
    choices: {
      operation: ['artifacts', 'getTags'],
      values: [
        ['name', 'revision_digest', 'name'],
        // The digest of each tag, which is listed in addition to the tag.
        ['revision_digest', 'name', 'revision_digest'],
      ],
    },
    shownBy: revisionLists,
    fields: ['revision_reference'],
    said: revisionWord,
  },
  'workspace-tokens': {
    noun: 'token',
    list: ['ws', 'getWorkspaceTokens'],
    id: 'id',
    names: ['name'],
    nameForm: anyName,
    fields: ['tokenID'],
    said: tokenWord,
  },
  'publishing-tokens': {
    noun: 'publishing token',
    prompt: 'token',
    list: ['publishing-tokens', 'getPublishingToken'],
    id: 'id',
    names: ['token_name'],
    nameForm: anyName,
    fields: ['tokenID'],
    said: tokenWord,
  },
  // Completions know the add-ons without a request.
  'add-ons': { list: ['orgs', 'getBillingAddOns'], fields: ['add_on'], said: /add.?on/i },
  // Blobs are listed in the manifest of a revision.
  blobs: {
    shownBy: [
      ['artifacts', 'getTags'],
      ['artifacts', 'getManifest'],
    ],
    fields: ['digest'],
    said: /\bblob|BLOB_UNKNOWN/i,
  },
  jobs: { fields: ['jobID'], said: /\bjobs?\b/i },
  reports: { fields: ['documentChecksum'], said: /report|checksum/i },
  subscriptions: { fields: ['subscriptionID'], said: /subscription/i },
  // Profiles are stored on this machine.
  profiles: { flags: ['--profile'] },
} as const satisfies Readonly<Record<string, ResourceRow>>;

/** The key of a resource, which also stands for it in completion scripts. */
export type ResourceKind = keyof typeof table;

export interface Resource extends Omit<ResourceRow, 'list' | 'choices' | 'shownBy'> {
  readonly kind: ResourceKind;
  readonly noun: string;
  /** The name of `list`. Reading `list` itself loads the operations of its noun. */
  readonly listName?: OperationName | undefined;
  readonly list?: Operation | undefined;
  readonly choices?: Choices | undefined;
  /** The operations that show which of these things exist, best first. */
  readonly shownBy: readonly Operation[];
}

/** A resource whose list has an id in each row. */
export type ListedResource = Resource & { readonly list: Operation; readonly id: string };

export const resources: readonly Resource[] = Object.entries<ResourceRow>(table).map(
  ([kind, { list, choices, shownBy = list ? [list] : [], ...row }]) => ({
    kind: kind as ResourceKind,
    noun: kind.slice(0, -1),
    ...row,
    listName: list,
    get list() {
      return list && operationNamed(list);
    },
    get choices() {
      return choices && { ...choices, operation: operationNamed(choices.operation) };
    },
    get shownBy() {
      return shownBy.map(operationNamed);
    },
  }),
);

export const workspaceResource = resources.find(({ kind }) => kind === 'workspaces') as ListedResource;

/** Returns the resource that a field takes. If there are several kinds, it is the one below the same noun. */
export function resourceFor({ command: [noun] }: Operation, field: string): Resource | undefined {
  const all = resources.filter(({ fields }) => fields?.includes(field));
  return all.find(({ listName }) => listName?.[0] === noun) ?? all[0];
}

export function listedResourceFor(operation: Operation, field: string): ListedResource | undefined {
  const resource = resourceFor(operation, field);
  return resource && isListed(resource) ? resource : undefined;
}

const isListed = (resource: Resource): resource is ListedResource =>
  resource.listName !== undefined && resource.id !== undefined;

/** Returns the values to choose from. Undefined if they cannot be listed. */
export function valuesToPick({ choices, list, id, names: [name] = [], about }: Resource): Choices | undefined {
  if (choices) return choices;
  return list && id !== undefined ? { operation: list, values: [[id, about ?? name ?? '', name ?? id]] } : undefined;
}

/** Returns the choices whose name may be typed in place of their value. */
export const namesToType = (resource: Resource): Choices['values'] =>
  resource.nameForm ? (valuesToPick(resource)?.values ?? []).filter(([value, , name]) => value !== name) : [];

/** Returns the word for a row of a list: `ws tokens list` has tokens. */
export function nounOfRow(operation: Operation): string {
  const { id, command } = operation;
  if (id === 'getOrganizationUsage') return 'row';
  if (id === 'getCodeSamplePreviewAsync') return 'code sample';
  if (id === 'suggestItems') return 'suggestion';
  const resource = resources.find(({ listName }) => listName?.[1] === id);
  const word = command.at(-2) ?? command.at(-1) ?? '';
  return resource?.noun ?? word.replace(/s$/, '').replaceAll('-', ' ');
}

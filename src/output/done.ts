/** Builds the sentence that says what a command did, and the command that a person may want to run next. */
import { fieldsOf, isRecord } from '../json-object.ts';
import type { OperationId, Operations } from '../operations/index.ts';
import { type Input, isFile, type Operation } from '../operations/operation.ts';
import { instantOf, sizeText, zonedText } from '../render/amounts.ts';
import { jsonText } from '../render/sanitize.ts';
import { type Named, nameAndId, shortId } from '../render/short.ts';
import { reportKind } from '../render/words.ts';
import type { Word } from '../settings/command-line.ts';

/** Written to stderr on a terminal. */
export interface Done {
  /** The sentence, such as `Created token deploy (ea31c0de)`. Absent if a record was only read. */
  readonly text?: string;
  /** The arguments of the next command, without `dtp`. */
  readonly next?: readonly Word[] | undefined;
  /** What to do with the value that is shown alone. */
  readonly advice?: string | undefined;
  /** Whether the sentence says everything, so that a terminal shows no table. */
  readonly isWhole?: true;
}

/** The operations that change something, and those without a result. Posting events prints counts instead. */
type Changing = {
  [Id in OperationId]: Operations[Id] extends { readonly flow: 'spool' }
    ? never
    : Operations[Id] extends { readonly result: 'none' }
      ? Id
      : Operations[Id] extends { readonly effect: 'read' } | { readonly method: 'GET' }
        ? never
        : Id;
}[OperationId];

interface Row {
  /**
   * `{field}` stands for a value of the response or of the input. Ids are shortened. `{=field}` keeps an id whole,
   * because no list contains it and its short form would be useless. A part in brackets is left out if one of its
   * values is missing.
   */
  readonly says: string;
  /** The sentence to use instead if this field of the input is false. */
  readonly unless?: readonly [field: string, says: string];
  /** The next command. It is left out if one of its values is missing. */
  readonly next?: string;
  /** The field that a terminal shows alone, because it is what a person needs. */
  readonly alone?: string;
  /** What to do with the value that is shown alone. The syntax is that of `says`. */
  readonly advice?: string;
}

/** The compiler reports an operation that is missing here. */
const rows: Readonly<Record<Changing, Row>> = {
  checkCodehostAccess: { says: 'The platform can access {org}/{repo}' },
  linkCodehostAccess: {
    says: 'Linked the code host[ organization {codehost_org}] to the workspace',
    next: 'codehost configure target --help',
  },
  codehostStorePublishingSecrets: {
    says: 'Stored the publishing secrets[ of target {generate_gen_lock_id}]',
    next: 'codehost publishing-secrets check --lock-id {generate_gen_lock_id}',
  },
  codehostConfigureCodeSamples: { says: 'Configured code samples for {org}/{repo}' },
  codehostConfigureDocsiteRepo: { says: 'Configured the documentation site in {org}/{repo}' },
  codehostConfigureTarget: {
    says: 'Configured {org}/{repo_name} for a target',
    next: 'codehost actions trigger --help',
  },
  codehostTriggerAction: {
    says: 'Triggered the workflow action[ of {org}/{repo_name}][, target {target_name}]',
    next: 'codehost actions get -R {org}/{repo_name} --watch',
  },
  createOrganization: { says: 'Created organization[ {name}][ ({id})]', next: 'orgs get {id}' },
  createFreeTrial: { says: 'Started the free trial', next: 'orgs usage get' },
  createBillingAddOns: { says: 'Bought add-ons[: {add_ons}]', next: 'orgs add-ons list' },
  deleteBillingAddOn: { says: 'Canceled add-on {add_on}', next: 'orgs add-ons list' },
  createPublishingToken: {
    says: 'Created publishing token[ {token_name}][ ({id})][, valid until {valid_until}]',
    next: 'publishing-tokens list -o json',
    alone: 'token',
    advice: 'To see it again:',
  },
  updatePublishingTokenExpiration: {
    says: 'Updated publishing token {tokenID}[, valid until {valid_until}]',
    next: 'publishing-tokens get {tokenID}',
  },
  deletePublishingToken: { says: 'Deleted publishing token {tokenID}' },
  createWorkspace: { says: 'Created workspace[ {name}][ ({id})]', next: 'ws get -w {id}' },
  updateWorkspaceDetails: { says: 'Updated workspace[ {name}][ ({id})]', next: 'ws get' },
  updateWorkspaceSettings: { says: 'Updated the workspace settings[ of {workspace}]', next: 'ws settings get' },
  grantUserAccessToWorkspace: { says: 'Granted {email} access[ to workspace {workspace}]', next: 'ws team list' },
  revokeUserAccessToWorkspace: {
    says: 'Revoked the access of user {userId}[ to workspace {workspace}][. Publishing tokens of the user that stay valid: {publishing_tokens}]',
    next: 'ws team list',
  },
  createWorkspaceToken: {
    says: 'Created token[ {name}][ ({id})]',
    next: 'ws tokens list -o json',
    advice: 'Programs use it as DTP_API_KEY. To see it again:',
  },
  deleteWorkspaceToken: { says: 'Deleted token {tokenID}' },
  setWorkspaceFeatureFlags: { says: 'Set the feature flags of the workspace[ {workspace}]' },
  uploadReport: {
    says: 'Uploaded the[ {type}] report[ {file}]',
    next: 'open',
    alone: 'url',
    advice: 'Whoever has this URL can read the report[ until {expires}]. For a shorter URL, add --shorten. To open it:',
  },
  createSchemaStoreItem: { says: 'Stored the document[ ({=id})]', next: 'schema-store get {id}', alone: 'id' },
  create: { says: 'Created a short URL[ for {url}]', alone: 'short_url' },
  generateCodeSamplePreviewAsync: { says: 'Started job[ {=job_id}]', next: 'code-samples jobs get {job_id} --wait' },
  preflight: { says: 'Created a registry token[ for namespace {namespace_name}]' },
  archiveNamespace: {
    says: 'Archived namespace {namespace_name}',
    unless: ['archived', 'Restored namespace {namespace_name}'],
    next: 'artifacts namespaces list',
  },
  postTags: {
    says: 'Tagged {namespace_name}[ {revision_digest}][ as {tags}]',
    next: 'artifacts tags list {namespace_name}',
  },
  setVisibility: {
    says: 'Made namespace {namespace_name} public',
    unless: ['public', 'Made namespace {namespace_name} private'],
  },
  createRemoteSource: { says: 'Configured the remote source', next: 'artifacts namespaces list' },
  ignoreSubscriptionNamespace: { says: 'Ignored namespace {namespaceName} in subscription {=subscriptionID}' },
  activateSubscriptionNamespace: { says: 'Activated namespace {namespaceName} in subscription {=subscriptionID}' },
};

/** The command to suggest after a record was read. */
const afterReading: Partial<Readonly<Record<OperationId, string>>> = {
  getWorkspace: 'ws tokens list',
  getOrganization: 'ws list',
  getPublishingTokenByID: 'publishing-tokens update {tokenID} --valid-until 90d',
};

const rowOf = (id: string): Row | undefined => new Map<string, Row>(Object.entries(rows)).get(id);

/**
 * Describes what an operation did, from its input and the value of its response. For an operation that only reads a
 * record, suggests at most a next command. Undefined if there is nothing to report. Ids and digests are short in the
 * sentence and whole in the next command. `names` contains the names to use for the things that fields identify.
 */
export function doneOf({ id }: Operation, input: Input, value?: unknown, names: Readonly<Record<string, Named>> = {}) {
  const row = rowOf(id);
  if (row === undefined) {
    const next = new Map(Object.entries(afterReading)).get(id);
    return next === undefined ? undefined : { next: nextOf(next, plain(input), shortId) };
  }
  const [field, otherwise] = row.unless ?? [];
  const says = field !== undefined && input[field] === false ? (otherwise ?? row.says) : row.says;
  const facts = { ...plain(input.body), ...plain(input.data), ...plain(input), ...plain(value) };
  const expires = expiryOf(facts.url);
  const said: Readonly<Record<string, unknown>> = {
    ...facts,
    ...(expires && { expires }),
    type: reportKind(facts.type),
    ...Object.fromEntries(Object.entries(names).map(([field, named]) => [field, nameAndId(named)])),
  };
  return {
    text: sentence(says, said),
    advice:
      row.advice &&
      (isLocalUrl(said.url)
        ? sentence('It can be opened on this machine[ until {expires}]:', said)
        : sentence(row.advice, said)),
    next: row.next === undefined ? undefined : nextOf(row.next, facts),
  };
}

/** Returns the arguments of a next command with its values filled in. Undefined if a value is missing. */
function nextOf(next: string, facts: Readonly<Record<string, unknown>>, write = (text: string) => text) {
  if (!isComplete(next, facts)) return undefined;
  const filled = (word: string) => word.replace(place, (_, _whole, name: string) => write(String(facts[name])));
  return [...next.matchAll(/(?:(-\S+) )?(\S*\{\S+)|\S+/g)].map(
    ([word, flag, value]): Word =>
      value === undefined ? word : flag === undefined ? [filled(value)] : [flag, filled(value)],
  );
}

/** Returns the value to show alone, for an operation that changed something. Undefined unless it is a single string. */
export function copyableValueOf({ id }: Operation, value: unknown): string | undefined {
  const field = rowOf(id)?.alone;
  const found = field === undefined || !isRecord(value) ? undefined : value[field];
  return typeof found === 'string' && found !== '' ? found : undefined;
}

const place = /\{(=?)(\w+)\}/g;

const sentence = (says: string, said: Readonly<Record<string, unknown>>): string =>
  says
    .replace(/\[([^[\]]*)\]/g, (_, part: string) => (isComplete(part, said) ? part : ''))
    .replace(place, (_, whole: string, name: string) => shown(said[name], whole !== ''));

/** Whether a URL is that of the embedded service in this process, which nobody else can open. */
const isLocalUrl = (url: unknown): boolean => typeof url === 'string' && url.startsWith('local:');

/** Returns when a signed URL expires. Undefined unless its query has `expires` in seconds since 1970. */
function expiryOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const seconds = /[?&]expires=(\d{10})(?:&|$)/i.exec(url)?.[1];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000).toISOString();
}

const isComplete = (part: string, facts: Readonly<Record<string, unknown>>): boolean =>
  [...part.matchAll(place)].every(([, , name = '']) => shown(facts[name]) !== '');

/** Returns the fields of a record that have a value. A null in the response must not hide the value of the input. */
const plain = (value: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fieldsOf(value)).filter(([, one]) => one !== null && one !== undefined));

function shown(value: unknown, isWhole = false): string {
  if (Array.isArray(value)) return value.map((one) => shown(one, isWhole)).join(', ');
  if (isFile(value)) return `${value.name} (${sizeText(value.size)})`;
  const at = instantOf(value);
  if (at !== undefined) return zonedText(at);
  if (typeof value === 'string') return isWhole ? value : shortId(value);
  return value === undefined ? '' : jsonText(value);
}

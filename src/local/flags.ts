/** Declares the flags of local commands, and the input of their code, which imports only the types. */
import { type FlagSpecs, fieldFlags, type ValueOf } from '../declarations/flag.ts';
import { schemes } from '../operations/schemes.ts';

export const apiFlags = {
  method: { short: 'X', value: 'method', help: 'HTTP method (default: GET, or POST with a body)' },
  body: { value: 'json', help: 'body as JSON or YAML: inline, @FILE or - for standard input' },
  ...fieldFlags,
  header: { short: 'H', value: 'text', many: true, help: 'header, such as "accept: text/plain" (may be repeated)' },
  paginate: { help: 'fetch all pages as one list' },
  include: { short: 'i', help: 'print status and headers too: on stderr, or first on stdout with -o raw' },
} as const satisfies FlagSpecs;

export const pushFlags = {
  namespace: { value: 'name', help: 'namespace; created if it does not exist' },
  tag: { value: 'tag', many: true, help: 'tag (default: latest; may be repeated)' },
  include: {
    value: 'file',
    many: true,
    help: 'allow a hidden file, another file type or a link to outside (may be repeated)',
  },
} as const satisfies FlagSpecs;

/** Where the credential of a login can be. */
const place = { value: 'place', choices: ['file', 'keychain'] } as const;

export const loginFlags = {
  withToken: { help: 'read the credential from standard input' },
  scheme: { value: 'scheme', choices: schemes, help: 'kind of credential' },
  store: { ...place, help: 'where to store the credential (default: where it is, or file)' },
} as const satisfies FlagSpecs;

export const moveFlags = {
  to: { ...place, help: 'where to store the credential' },
} as const satisfies FlagSpecs;

export const oidcTokenFlags = {
  audience: { value: 'name', help: 'audience of the token (default: chosen by the runner)' },
  variable: { value: 'name', help: 'environment variable with the token (on GitLab: a name in id_tokens)' },
} as const satisfies FlagSpecs;

export const completionFlags = {
  install: { help: 'install the script for the current user' },
} as const satisfies FlagSpecs;

export const helpFlags = {
  all: { help: 'show every field' },
  man: { value: 'folder', help: 'write man pages for all commands to a folder' },
  skill: { value: 'folder', preset: '.agents/skills', help: 'write a skill for agents (default: .agents/skills)' },
} as const satisfies FlagSpecs;

export const initFlags = {
  local: { help: 'use the embedded service, without an account' },
  ...loginFlags,
  folderFile: { help: 'write the workspace to .dtp.json in this folder' },
  completions: { help: 'install completions for the shell in SHELL' },
  ci: {
    value: 'what',
    choices: ['print', 'write'],
    help: 'print a job for the CI of the repository (GitHub Actions or GitLab), or write it to a new file',
  },
  event: { isNegated: true, help: 'do not post a first event' },
  sample: { value: 'folder', preset: 'petstore', help: 'only write sample files to a new folder (default: petstore)' },
} as const satisfies FlagSpecs;

export const mcpFlags = {
  allowWrites: { help: 'include tools that change data' },
  tools: {
    value: 'pattern',
    variadic: true,
    many: true,
    help: "only these tools, such as ws_tokens_list or 'events_*'",
  },
  root: {
    value: 'folder',
    variadic: true,
    many: true,
    help: 'folder whose files a tool may send (default: the current folder)',
  },
} as const satisfies FlagSpecs;

export const openFlags = { print: { help: 'print the URL instead of opening it' } } as const satisfies FlagSpecs;

export const schemaFlags = {
  all: { help: 'print every command in full' },
  jsonSchema: { help: 'print the JSON Schema of the output' },
} as const satisfies FlagSpecs;

/** The flags of `dtp serve` and `dtp dev`. */
export const serverFlags = {
  port: { value: 'number', default: '0', help: 'port; 0 picks a free one' },
  data: { value: 'folder', help: 'data folder (default: the one of the profile local)' },
  ephemeral: { help: 'keep all data in memory' },
  fail: {
    value: 'fault',
    many: true,
    help: "answer with an error status, such as 'events post=503x2' or '*=500@20%' (may be repeated)",
  },
  drop: {
    value: 'fault',
    many: true,
    help: "drop the connection, such as 'reports upload=after-request' (may be repeated)",
  },
  latency: { value: 'time', help: 'delay each response, such as 200ms' },
} as const satisfies FlagSpecs;

/** The flags of `dtp serve` that say where it listens and who may call it. */
export const endpointFlags = {
  host: { value: 'address', help: 'IP address to listen on; other machines need TLS or a proxy (default: 127.0.0.1)' },
  tlsCert: { value: 'file', help: 'serve HTTPS with the certificate in this file (PEM), with its chain' },
  tlsKey: { value: 'file', help: 'private key of --tls-cert (PEM, without a password)' },
  behindProxy: { help: 'trust X-Forwarded-Host, -Proto and -For, which a proxy sets' },
  allowHost: { value: 'name', many: true, help: 'host name that clients may use (may be repeated)' },
  openAccessTokens: { help: 'accept the id of a workspace as a credential from other machines too' },
} as const satisfies FlagSpecs;

export const serveFlags = {
  ...serverFlags,
  database: { value: 'url', help: 'libSQL server that holds the data; several services may share it' },
  ownerKeyFile: {
    value: 'file',
    help: "file with the API key for a new database's first user (default: print a new key)",
  },
  check: { help: 'try the certificates and the database, and exit' },
  logFormat: {
    value: 'format',
    choices: ['text', 'json'],
    help: 'how to log requests to stderr (default: text on a terminal, elsewhere no log)',
  },
  ...endpointFlags,
  open: { help: 'open the page of the service in a browser' },
} as const satisfies FlagSpecs;

/** The flags of `dtp data export` and `dtp data import`. */
export const dataFlags = {
  data: serverFlags.data,
  database: { value: 'url', help: 'libSQL server that holds the data' },
} as const satisfies FlagSpecs;

export const tailFlags = {
  since: { value: 'when', help: 'start with earlier events: 1h, yesterday, 2026-01-31' },
  type: { value: 'string', help: 'kind of event, such as LINT' },
  interactionType: { value: 'string', isHidden: true, isEarlier: true, help: 'same as --type' },
  executionId: { value: 'string', help: 'full id that all events of one run share' },
  success: { help: 'only successful events (with --no-success: only failed ones)' },
  // Sets `success` to false. Declare it after `success`, because commander would otherwise use true as the default.
  noSuccess: { help: 'only failed events', isHidden: true },
  limit: { value: 'number', short: 'L', help: 'end after this many events' },
  pollInterval: { value: 'time', default: '2s', help: 'polling interval' },
} as const satisfies FlagSpecs;

export const flushFlags = { rejected: { help: 'send rejected events again' } } as const satisfies FlagSpecs;

export const dropFlags = {
  olderThan: {
    value: 'time',
    help: 'batches older than this, such as 12h or 30d (a number without a unit is in days)',
  },
  rejected: { help: 'rejected batches' },
  corrupt: { help: 'damaged batches' },
  all: { help: 'all batches' },
} as const satisfies FlagSpecs;

/** The input of a local command: the arguments in order, and the flags by name in camel case. */
export interface LocalInput<Flags extends FlagSpecs = FlagSpecs> {
  readonly args: readonly string[];
  readonly flags: FlagSpecs extends Flags
    ? Readonly<Record<string, string | boolean | readonly string[] | undefined>>
    : { readonly [Name in keyof Flags]?: ValueOf<Flags[Name]> };
}

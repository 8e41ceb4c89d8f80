/** Defines all settings and global flags, one row each, in the order of the help. */
import { schemes } from '../operations/schemes.ts';
import { formats } from '../render/formats.ts';
import {
  anything,
  baseUrl,
  headerCheck,
  namesCheck,
  oneOf,
  proxyUrl,
  text,
  time,
  trueOrFalse,
  word,
  yesOrNo,
} from './checks.ts';
import type { SettingDeclaration } from './row.ts';

/** The common part of http_proxy and https_proxy. The flag --proxy sets both. */
const proxy = {
  kind: 'string',
  flag: { name: 'proxy', value: 'url' },
  help: 'proxy for everything except loopback',
  empty: 'none',
  must: proxyUrl,
} as const;

/** The settings and global flags. Flags, variables, files, help, completions, schema and types follow from them. */
export const settingDeclarations = {
  base_url: {
    kind: 'string',
    flag: { name: 'base-url', value: 'url' },
    env: ['DTP_BASE_URL'],
    file: 'trusted',
    profile: true,
    help: 'base URL of the service; local: is the embedded service',
    must: baseUrl,
  },
  profile: {
    selects: 'profile',
    flag: { name: 'profile', value: 'name' },
    env: ['DTP_PROFILE'],
    file: 'trusted',
    help: 'profile to use (built in: local)',
  },
  scheme: {
    kind: 'string',
    profile: true,
    help: 'kind of credential: api-key, bearer or workspace-identifier',
    must: oneOf(...schemes),
    default: 'api-key',
  },
  credential_command: {
    kind: 'string',
    profile: true,
    help: 'command that prints the credential',
    must: anything,
    apart: true,
  },
  workspace: {
    kind: 'string',
    flag: { name: 'workspace', short: 'w', value: 'id' },
    env: ['DTP_WORKSPACE_ID'],
    file: true,
    profile: true,
    help: 'workspace to act on',
    takes: 'id, name or slug',
    empty: "the credential's own workspace",
    must: text,
  },
  organization_slug: {
    kind: 'string',
    flag: { name: 'organization-slug', value: 'slug' },
    env: ['DTP_ORGANIZATION_SLUG'],
    file: 'trusted',
    profile: { help: "organization of the profile's credential" },
    help: 'slug of the organization; only for manifests and blobs',
    must: text,
  },
  workspace_slug: {
    kind: 'string',
    flag: { name: 'workspace-slug', value: 'slug' },
    env: ['DTP_WORKSPACE_SLUG'],
    file: 'trusted',
    profile: { help: "workspace slug of the profile's credential" },
    help: 'slug of the workspace; only for manifests and blobs',
    must: text,
  },
  'words.codehost': {
    kind: 'string',
    file: 'trusted',
    profile: true,
    help: 'word for the code host in the paths of the API, if the service has another one',
    must: word,
  },
  'words.docsite': {
    kind: 'string',
    file: 'trusted',
    profile: true,
    help: 'word for the documentation site in the paths of the API, if the service has another one',
    must: word,
  },
  output: {
    kind: 'string',
    flag: { name: 'output', short: 'o', value: 'format' },
    env: ['DTP_OUTPUT'],
    file: true,
    profile: { help: 'output format' },
    help: 'output format (default: table on a terminal, else json)',
    must: oneOf(...formats),
    after: { stored: 'timeout' },
  },
  json: { flag: { name: 'json' }, help: 'same as -o json' },
  fields: {
    kind: 'string',
    flag: { name: 'fields', value: 'names' },
    file: true,
    help: 'show only these fields, such as id,name,owner.name',
    must: namesCheck,
  },
  all_fields: { flag: { name: 'all-fields' }, help: 'on a terminal, show empty and hidden fields too' },
  wide: { flag: { name: 'wide' }, help: 'on a terminal, show every column in full' },
  query: { flag: { name: 'query', value: 'expression' }, help: 'JMESPath expression to apply to the result' },
  jq: { flag: { name: 'jq', value: 'expression' }, help: 'jq expression to apply to the result' },
  raw_output: { flag: { name: 'raw-output', short: 'r' }, help: 'print strings without quotes' },
  no_headers: { flag: { name: 'no-headers' }, help: 'omit the header row' },
  output_file: {
    flag: { name: 'output-file', short: 'O', value: 'file' },
    help: 'write the result to a file, atomically',
  },
  force: { flag: { name: 'force' }, help: 'overwrite the -O file if it exists' },
  agent: {
    kind: 'boolean',
    flag: { name: 'agent' },
    env: ['DTP_AGENT'],
    help: 'write for an agent: short results as TOON, masked secrets',
    must: yesOrNo,
  },
  show_secrets: { flag: { name: 'show-secrets' }, help: 'with --agent, do not mask secrets' },
  no_input: { flag: { name: 'no-input' }, help: 'never prompt; fail if a value is missing' },
  yes: { flag: { name: 'yes', short: 'y' }, help: 'answer yes to all prompts' },
  no_progress: { flag: { name: 'no-progress' }, help: 'disable progress display' },
  timeout: {
    kind: 'seconds',
    flag: { name: 'timeout', value: 'time' },
    env: ['DTP_TIMEOUT'],
    file: true,
    profile: { help: 'maximum duration of a command, in seconds' },
    help: 'maximum duration of the command, such as 90s or 5m; with tail and --watch, of each request',
    must: time,
  },
  connect_timeout: {
    kind: 'string',
    flag: { name: 'connect-timeout', value: 'time' },
    env: ['DTP_CONNECT_TIMEOUT'],
    help: 'maximum time to connect',
    must: time,
    default: '10s',
  },
  http_proxy: { ...proxy, env: ['http_proxy', 'HTTP_PROXY'] },
  https_proxy: { ...proxy, env: ['https_proxy', 'HTTPS_PROXY'] },
  no_proxy: {
    kind: 'string',
    env: ['no_proxy', 'NO_PROXY'],
    help: 'hosts to reach without the proxy; no_proxy overrides NO_PROXY',
    must: anything,
  },
  'header.api-key': {
    kind: 'string',
    profile: true,
    help: 'header that contains the API key',
    must: headerCheck,
    default: 'x-api-key',
  },
  'header.workspace-identifier': {
    kind: 'string',
    profile: true,
    help: 'header that contains the workspace identifier',
    must: headerCheck,
    default: 'x-workspace-identifier',
  },
  ca_cert: {
    kind: 'string',
    flag: { name: 'ca-cert', value: 'file' },
    env: ['DTP_CA_CERT'],
    file: 'trusted',
    profile: { help: 'file of additional trusted certificates' },
    help: 'file of additional trusted certificates (PEM)',
    must: text,
  },
  insecure: { flag: { name: 'insecure' }, help: 'accept any certificate (prints a warning)' },
  allow_http: {
    kind: 'boolean',
    flag: { name: 'allow-http' },
    profile: { help: 'allow sending the credential over plain http' },
    help: 'allow sending the credential over plain http',
    must: trueOrFalse,
  },
  retry: { flag: { name: 'retry', value: 'number' }, help: 'retry read-only commands up to N times (0–5)' },
  allow_failure: {
    kind: 'boolean',
    flag: { name: 'allow-failure' },
    env: ['DTP_ALLOW_FAILURE'],
    help: 'exit 0 with a warning if the service or network fails',
    must: yesOrNo,
    after: { listed: 'ca_cert' },
  },
  dry_run: { flag: { name: 'dry-run' }, help: 'print the request and exit' },
  curl: { flag: { name: 'curl' }, help: 'print the request as a curl command and exit' },
  error_format: {
    kind: 'string',
    flag: { name: 'error-format', value: 'format' },
    env: ['DTP_ERROR_FORMAT'],
    help: 'format of errors',
    must: oneOf('auto', 'text', 'json'),
    default: 'auto',
    after: { listed: 'fields' },
  },
  color: { flag: { name: 'color', value: 'when' }, help: 'when to use color', must: oneOf('auto', 'always', 'never') },
  verbose: { flag: { name: 'verbose', short: 'v' }, help: 'log requests and retries to stderr' },
  debug: { flag: { name: 'debug' }, help: 'like --verbose, plus headers and the stack traces of errors' },
} as const satisfies Readonly<Record<string, SettingDeclaration>>;

/** The same rows, for code that loops over all of them. */
export const allRows = settingDeclarations as Readonly<Record<string, SettingDeclaration>>;

/** The keys of a profile that are used only if no other user could have written the file. */
export const guardedKeys = ['base_url', 'ca_cert', 'credential', 'credential_command', 'credential_store'] as const;

/** The keys that only a login stores in a profile. They are not settings. */
export const loginKeys = [
  'credential',
  /** `keychain` if the credential is in the keychain of the operating system. */
  'credential_store',
  /** The origin of the service. The credential is not sent to any other origin. */
  'credential_origin',
  /** The workspace that the service reported during the login. Unlike `workspace`, the user cannot set it. */
  'credential_workspace',
] as const;

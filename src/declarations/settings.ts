/** Every setting, and every flag that all commands have: a row each, in the order of the help. */
import { schemes } from '../operations/schemes.ts';
import { formats } from '../render/formats.ts';
import { anything, baseUrl, header, names, oneOf, proxyUrl, text, time, word, yesOrNo } from './checks.ts';
import type { Row } from './row.ts';

/** One flag sets both. */
const proxy = {
  kind: 'string',
  flag: '--proxy <url>',
  help: 'the proxy for all but loopback',
  empty: 'none',
  must: proxyUrl,
} as const;

/** Flags, variables, keys of .dtp.json and of a profile, help, completions, schema and types follow from these. */
export const rows = {
  base_url: {
    kind: 'string',
    flag: '--base-url <url>',
    env: ['DTP_BASE_URL'],
    file: 'trusted',
    profile: true,
    help: "the service's address; local: is the embedded service",
    must: baseUrl,
  },
  profile: {
    selects: 'profile',
    flag: '--profile <name>',
    env: ['DTP_PROFILE'],
    file: 'trusted',
    help: 'the profile to use; local is built in',
  },
  scheme: {
    kind: 'string',
    profile: true,
    help: 'api-key, bearer or workspace-identifier',
    must: oneOf(...schemes),
    default: 'api-key',
  },
  credential_command: {
    kind: 'string',
    profile: true,
    help: 'a command that prints the credential',
    must: anything,
    apart: true,
  },
  workspace: {
    kind: 'string',
    flag: '-w, --workspace <id>',
    env: ['DTP_WORKSPACE_ID'],
    file: true,
    profile: true,
    help: 'the workspace',
    empty: "the credential's own",
    must: text,
  },
  organization_slug: {
    kind: 'string',
    flag: '--organization-slug <slug>',
    env: ['DTP_ORGANIZATION_SLUG'],
    file: true,
    profile: { help: "the organization of the profile's own credential" },
    help: 'the organization, for manifests and blobs',
    must: text,
  },
  workspace_slug: {
    kind: 'string',
    flag: '--workspace-slug <slug>',
    env: ['DTP_WORKSPACE_SLUG'],
    file: true,
    profile: { help: "the slug of the workspace of the profile's own credential" },
    help: 'the workspace, for manifests and blobs',
    must: text,
  },
  'words.codehost': {
    kind: 'string',
    file: 'trusted',
    profile: true,
    help: 'the word for the code host in paths',
    must: word,
  },
  'words.docsite': {
    kind: 'string',
    file: 'trusted',
    profile: true,
    help: 'the word for the documentation site in paths',
    must: word,
  },
  output: {
    kind: 'string',
    flag: '-o, --output <format>',
    env: ['DTP_OUTPUT'],
    file: true,
    profile: { help: 'the output format' },
    help: 'table on a terminal, else json',
    must: oneOf(...formats),
    after: { stored: 'timeout' },
  },
  json: { flag: '--json', help: 'short for -o json' },
  fields: {
    kind: 'string',
    flag: '--fields <names>',
    file: true,
    help: 'only these members, such as id,name,owner.name',
    must: names,
  },
  query: { flag: '--query <expression>', help: 'a JMESPath expression over the result' },
  raw_output: { flag: '-r, --raw-output', help: 'print strings and lists of strings without quotes' },
  no_headers: { flag: '--no-headers', help: 'no titles of columns' },
  output_file: { flag: '-O, --output-file <file>', help: 'write the result to a file, whole or not at all' },
  force: { flag: '--force', help: 'let -O replace a file that is there' },
  no_input: { flag: '--no-input', help: 'never ask; fail with what is missing' },
  yes: { flag: '-y, --yes', help: 'answer yes to what would be asked' },
  no_progress: { flag: '--no-progress', help: 'show no movement while something takes long' },
  timeout: {
    kind: 'integer',
    flag: '--timeout <time>',
    env: ['DTP_TIMEOUT'],
    file: true,
    profile: { help: 'seconds until a command gives up' },
    help: 'the longest the command may take, such as 90s or 5m',
    must: time,
  },
  connect_timeout: {
    kind: 'string',
    flag: '--connect-timeout <time>',
    env: ['DTP_CONNECT_TIMEOUT'],
    help: 'the longest a connection may take',
    must: time,
    default: '10s',
  },
  http_proxy: { ...proxy, env: ['http_proxy', 'HTTP_PROXY'] },
  https_proxy: { ...proxy, env: ['https_proxy', 'HTTPS_PROXY'] },
  no_proxy: {
    kind: 'string',
    env: ['no_proxy', 'NO_PROXY'],
    help: 'hosts that are reached without the proxy; no_proxy goes before it',
    must: anything,
  },
  'header.api-key': {
    kind: 'string',
    profile: true,
    help: 'the header that carries an API key',
    must: header,
    default: 'x-api-key',
  },
  'header.workspace-identifier': {
    kind: 'string',
    profile: true,
    help: 'the header that carries a workspace identifier',
    must: header,
    default: 'x-workspace-identifier',
  },
  ca_cert: {
    kind: 'string',
    flag: '--ca-cert <file>',
    env: ['DTP_CA_CERT'],
    file: 'trusted',
    profile: { help: 'a file of certificates to trust as well' },
    help: 'trust these certificates too (PEM)',
    must: text,
  },
  insecure: { flag: '--insecure', help: 'accept any certificate, with a warning' },
  allow_http: {
    kind: 'boolean',
    flag: '--allow-http',
    profile: { help: 'send the credential over plain http too' },
    help: 'send the credential over plain http',
    must: oneOf('true', 'false'),
  },
  retry: { flag: '--retry <number>', help: 'send a command that only reads again, at most so often' },
  allow_failure: {
    kind: 'boolean',
    flag: '--allow-failure',
    env: ['DTP_ALLOW_FAILURE'],
    help: 'end with 0, and a warning, where the service or the way to it failed',
    must: yesOrNo,
    after: { listed: 'ca_cert' },
  },
  dry_run: { flag: '--dry-run', help: 'print the request and send nothing' },
  curl: { flag: '--curl', help: 'print the request as a curl command and send nothing' },
  error_format: {
    kind: 'string',
    flag: '--error-format <format>',
    env: ['DTP_ERROR_FORMAT'],
    help: 'how errors are written',
    must: oneOf('auto', 'text', 'json'),
    default: 'auto',
    after: { listed: 'fields' },
  },
  color: {
    flag: '--color <when>',
    help: 'when there is color',
    must: oneOf('auto', 'always', 'never'),
  },
  verbose: { flag: '-v, --verbose', help: 'tell of requests and retries on stderr' },
  debug: { flag: '--debug', help: 'tell of headers too, and where errors come from' },
} as const satisfies Readonly<Record<string, Row>>;

/** The same, for what goes through all of them. */
export const allRows = rows as Readonly<Record<string, Row>>;

/** What only a login stores in a profile, all of it together; no setting. */
export const loginKeys = [
  'credential',
  /** The only origin that the credential is sent to. */
  'credential_origin',
  /** The credential's workspace, as the service named it at the login; `workspace` is the user's to change. */
  'credential_workspace',
] as const;

/** Every parameter that takes a path, by the way in which its file is read or written. */

/** A command line with a path in it, and variables. */
export interface PathUse {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

type Use = (path: string) => PathUse;

const preview = ['code-samples', 'preview', '--language', 'go'];
const schemaStore = ['schema-store', 'create', '--yes', '--package-name', 'p', '--sdk-classname', 'S'];
const remote = ['artifacts', 'remote-sources', 'create'];

/** Reads a file, whose content is sent. */
export const filesSent: Readonly<Record<string, Use>> = {
  '--body': (path) => ({ argv: ['ws', 'create', '--body', `@${path}`] }),
  '--body of dtp api': (path) => ({ argv: ['api', '/v1/workspace', '--body', `@${path}`] }),
  '--body of events': (path) => ({
    argv: ['events', 'post', '--no-spool', '--no-check', '--body', `@${path}`],
  }),
  '--body with a path in it': (path) => ({
    argv: ['reports', 'upload', '--body', JSON.stringify({ data: { type: 'linting' }, file: path })],
  }),
  '--field': (path) => ({ argv: ['ws', 'tokens', 'create', '-F', `name=@${path}`] }),
  '--field of a form': (path) => ({
    argv: ['reports', 'upload', '--type', 'linting', '-F', `file=@${path}`],
  }),
  '--inputs': (path) => ({ argv: [...remote, '--inputs', `@${path}`] }),
  '--overlays': (path) => ({ argv: [...remote, '--inputs', '[]', '--overlays', `@${path}`] }),
  '--output': (path) => ({
    argv: [...remote, '--inputs', '[]', '--output', `@${path}`],
  }),
  '--method-paths': (path) => ({
    argv: ['code-samples', 'get', '--registry-url', 'u', '--method-paths', `@${path}`],
  }),
  '--secrets': (path) => ({
    argv: ['codehost', 'publishing-secrets', 'store', '--generate-gen-lock-id', 'l', '--secrets', `@${path}`],
  }),
  '--data of a report': (path) => ({
    argv: ['reports', 'upload', '--file', 'real.json', '--data', `@${path}`],
  }),
  '--oas-summary': (path) => ({ argv: ['suggest', 'from-summary', '--oas-summary', `@${path}`] }),
  '--diagnostics': (path) => ({
    argv: ['suggest', 'openapi', '--schema', 'real.json', '--diagnostics', `@${path}`],
  }),
  '--opts': (path) => ({ argv: ['suggest', 'openapi', '--schema', 'real.json', '--opts', `@${path}`] }),
  'suggest openapi file': (path) => ({ argv: ['suggest', 'openapi', path] }),
  'suggest openapi file of --schema': (path) => ({ argv: ['suggest', 'openapi', '--schema', path] }),
  'suggest from-summary file': (path) => ({ argv: ['suggest', 'from-summary', path] }),
  'suggest from-summary file of --schema': (path) => ({ argv: ['suggest', 'from-summary', '--schema', path] }),
  'code-samples preview file': (path) => ({ argv: [...preview, path] }),
  'code-samples preview file of --schema-file': (path) => ({ argv: [...preview, '--schema-file', path] }),
  'code-samples jobs create file': (path) => ({
    argv: ['code-samples', 'jobs', 'create', '--language', 'go', path],
  }),
  'schema-store create file of --spec': (path) => ({ argv: [...schemaStore, '--spec', path] }),
  'schema-store create file': (path) => ({ argv: [...schemaStore, path] }),
  'reports upload file': (path) => ({ argv: ['reports', 'upload', '--type', 'linting', path] }),
  'reports upload file of --file': (path) => ({ argv: ['reports', 'upload', '--type', 'linting', '--file', path] }),
  '--codehost-oidc-token': (path) => ({
    argv: ['codehost', 'access', 'link', '--codehost-org', 'o', '--codehost-oidc-token', `@${path}`],
  }),
  'artifacts push file': (path) => ({ argv: ['artifacts', 'push', path, 'pets'] }),
};

/** Reads a file, whose content is not sent. */
export const filesReadLocally: Readonly<Record<string, Use>> = {
  'data import file': (path) => ({ argv: ['data', 'import', path] }),
  '--ca-cert': (path) => ({ argv: ['ws', 'list', '--ca-cert', path] }),
  '--owner-key-file': (path) => ({ argv: ['serve', '--ephemeral', '--check', '--owner-key-file', path] }),
  DTP_CA_CERT: (path) => ({ argv: ['ws', 'list'], env: { DTP_CA_CERT: path } }),
  '--tls-cert': (path) => ({ argv: ['serve', '--ephemeral', '--tls-cert', path, '--tls-key', 'real.json'] }),
  '--tls-key': (path) => ({ argv: ['serve', '--ephemeral', '--tls-cert', 'real.json', '--tls-key', path] }),
};

/** Writes a file. */
export const filesWritten: Readonly<Record<string, Use>> = {
  '--output-file': (path) => ({ argv: ['ws', 'list', '--force', '-O', path] }),
  'data export file': (path) => ({ argv: ['data', 'export', path] }),
  '--download': (path) => ({ argv: ['reports', 'linting-url', 'c', '--force', '--download', path] }),
  DTP_OUTPUT_FILE: (path) => ({ argv: ['config', 'path'], env: { DTP_OUTPUT_FILE: path } }),
};

/** Reads from a folder or writes to it. */
export const folders: Readonly<Record<string, Use>> = {
  '--out-dir': (path) => ({
    argv: ['code-samples', 'get', '--registry-url', 'u', '--force', '--out-dir', path],
  }),
  '--man': (path) => ({ argv: ['help', '--man', path] }),
  '--skill': (path) => ({ argv: ['help', '--skill', path] }),
  '--data': (path) => ({ argv: ['serve', '--port', '0', '--data', path] }),
  '--data of dtp data export': (path) => ({ argv: ['data', 'export', '-', '--data', path] }),
  '--data of dtp data import': (path) => ({ argv: ['data', 'import', 'real.json', '--data', path] }),
  '--data of dtp dev': (path) => ({ argv: ['dev', '--data', path, '--', 'true'] }),
  '--root': (path) => ({ argv: ['mcp', '--root', path] }),
  '--sample': (path) => ({ argv: ['init', '--sample', path] }),
  '--output-file of a pull': (path) => ({ argv: ['artifacts', 'pull', 'pets:v1', '-O', path] }),
  'artifacts push file': (path) => ({ argv: ['artifacts', 'push', path, '--namespace', 'pets'] }),
  'config trust file': (path) => ({ argv: ['config', 'trust', '--yes', path] }),
};

/** Parameters that the tables above do not attack, each with the reason. */
const harmless: Readonly<Record<string, string>> = {
  '--include': 'only allows files that are read otherwise, and has a separate test',
  'config untrust file': 'reads nothing',
  '--ci': 'a choice; the path of the file is fixed, and has a separate test',
  '--folder-file': 'a switch; the file is a new .dtp.json',
  '--store': 'one of two words',
  '--checksum': 'a switch',
  '--force': 'a switch',
  'api path': 'a path of the service',
  ...Object.fromEntries(
    [
      ...['--generate-config-pre-raw', '--generate-config-post-raw', '--lock-id'],
      ...['--generate-gen-lock-pre-features', '--generate-gen-lock-post-features', '--generate-target-name'],
      ...['--git-relative-cwd', '--subdirectory', '--target-name'],
      ...['--workflow-pre-raw', '--workflow-post-raw', '--workflow-lock-pre-raw', '--workflow-lock-post-raw'],
    ].map((name) => [name, 'a string that is sent as it is']),
  ),
};

/** The names in the schema. */
export const fromTables: readonly string[] = [
  ...new Set([
    ...[filesSent, filesReadLocally, filesWritten, folders].flatMap((table) =>
      Object.keys(table).map((name) => name.replace(/ (of|with) .*/, '')),
    ),
    ...Object.keys(harmless),
  ]),
].filter((name) => !name.startsWith('DTP_'));

/** Variables with a path. DTP_CA_CERT is a setting. */
export const pathVariables: readonly string[] = ['BASH_COMPLETION_USER_DIR', 'DTP_OUTPUT_FILE', 'NODE_EXTRA_CA_CERTS'];
/** Variables whose help names files or folders, but which nothing attacks, each with the reason. */
export const otherVariables: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['DTP_CONFIG_DIR', 'DTP_DATA_DIR', 'DTP_STATE_DIR'].map((name) => [
      name,
      'has a separate test: test/settings/folders-in-repository.test.ts',
    ]),
  ),
  GITHUB_STEP_SUMMARY: 'has a separate test: test/output/job-summary.test.ts',
  HOME: 'the user trusts it',
  APPDATA: 'the user trusts it',
  LOCALAPPDATA: 'the user trusts it',
  ...Object.fromEntries(
    ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'].map((name) => [name, 'a relative path is ignored']),
  ),
  ZDOTDIR: 'a relative path is ignored',
  FPATH: 'is only compared',
  SUDO_UID: 'is a number',
  WT_SESSION: 'is not a path',
};

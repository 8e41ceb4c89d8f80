/** The words of other command lines for what this one has under another name. They are suggested, never accepted. */
export const otherVerbs: Readonly<Record<string, string>> = {
  add: 'create',
  describe: 'get',
  edit: 'update',
  find: 'search',
  fetch: 'get',
  info: 'get',
  inspect: 'get',
  ls: 'list',
  new: 'create',
  select: 'use',
  show: 'get',
  switch: 'use',
  view: 'get',
};

/** The commands that other tools have under these words. */
export const otherCommands: ReadonlyMap<string, readonly string[]> = new Map([
  ['artifacts list', ['artifacts namespaces list']],
  ['artifacts ls', ['artifacts namespaces list']],
  ['log', ['events search', 'events tail']],
  ['logs', ['events search', 'events tail']],
]);

/** The flags that take the file of a body. */
export const otherFileFlags: readonly string[] = ['--body-file', '--file', '--filename', '--input'];

export const otherFlags: Readonly<Record<string, string>> = {
  '--columns': '--fields',
  '--data': '--body',
  '--data-binary': '--body',
  '--data-raw': '--body',
  '--filter': '--query',
  '--format': '--output',
  '--jmespath': '--query',
  '--jq': '--query',
  '--jsonpath': '--query',
  '--retries': '--retry',
  '--version': '--set-version',
  '-d': '--body',
  '-q': '--query',
};

/** The formats of `-o`. */
export const otherFormats: Readonly<Record<string, string>> = { jsonl: 'ndjson', text: 'table', yml: 'yaml' };

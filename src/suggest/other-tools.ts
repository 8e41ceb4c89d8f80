/** Lists words of other tools for what dtp calls by another name. They are suggested, but never accepted. */
export const otherVerbs: Readonly<Record<string, string>> = {
  add: 'create',
  create: 'add',
  describe: 'get',
  edit: 'update',
  find: 'search',
  fetch: 'get',
  get: 'list',
  info: 'get',
  inspect: 'get',
  ls: 'list',
  new: 'create',
  revoke: 'delete',
  select: 'use',
  show: 'get',
  switch: 'use',
  view: 'get',
};

/** The commands that other tools have under these words. */
export const otherCommands: ReadonlyMap<string, readonly string[]> = new Map([
  ['artifacts list', ['artifacts namespaces list']],
  ['artifacts ls', ['artifacts namespaces list']],
  ['config view', ['config explain']],
  ['log', ['events search', 'events tail']],
  ['logs', ['events search', 'events tail']],
  ['repo', ['codehost']],
  ['run', ['codehost actions get', 'codehost actions trigger']],
  ['use', ['config use', 'ws use']],
  ...['list', 'logs', 'status'].map((verb) => [`codehost actions ${verb}`, ['codehost actions get']] as const),
  ...['codehost actions', 'run'].flatMap((noun): [string, readonly string[]][] => [
    [`${noun} rerun`, ['codehost actions trigger --wait']],
    [`${noun} watch`, ['codehost actions get --watch']],
  ]),
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
  '--jsonpath': '--query',
  '--retries': '--retry',
  '--version': '--set-version',
  '-d': '--body',
  '-q': '--jq',
};

/** Converts a simple jq expression to JMESPath: `.[].name` to `[].name`. Undefined if it is not simple. */
export function jmesPathOf(jq: string): string | undefined {
  if (jq === '.') return '@';
  const path = jq.replace(/ ?\| ?\./g, '.').replaceAll('.[', '[');
  return /^\.?((\[\d*\]|[a-z_]\w*)(\[\d*\]|\.[a-z_]\w*)*)$/i.exec(path)?.[1];
}

/** The formats of `-o`. */
export const otherFormats: Readonly<Record<string, string>> = { jsonl: 'ndjson', text: 'table', yml: 'yaml' };

/** The words of other command lines for what this one has under another name. They are suggested, never accepted. */
export const otherVerbs: Readonly<Record<string, string>> = {
  add: 'create',
  describe: 'get',
  edit: 'update',
  find: 'search',
  fetch: 'get',
  info: 'get',
  inspect: 'get',
  new: 'create',
  select: 'use',
  show: 'get',
  switch: 'use',
  view: 'get',
};

export const otherFlags: Readonly<Record<string, string>> = {
  '--columns': '--fields',
  '--filter': '--query',
  '--format': '--output',
  '--jmespath': '--query',
  '--jq': '--query',
  '--jsonpath': '--query',
  '--retries': '--retry',
  '--version': '--set-version',
  '-q': '--query',
};

/** The formats of `-o`. */
export const otherFormats: Readonly<Record<string, string>> = { jsonl: 'ndjson', text: 'table', yml: 'yaml' };

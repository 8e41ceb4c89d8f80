/** Every kind of secret in every place that displays or stores data: a canary appears in its proper place only. */
import { describe, expect, test } from 'vitest';
import {
  api,
  canary,
  filesWithSecret,
  type Kind,
  key,
  makeHome,
  proxy,
  secretFormsIn,
  services,
  withUser,
  worldOf,
} from '../support/canary.ts';
import { dtp } from '../support/context.ts';
import { sampled, seed } from '../support/random.ts';

const kinds: Readonly<Record<string, Kind>> = {
  DTP_API_KEY: { env: { DTP_API_KEY: canary, DTP_BASE_URL: api } },
  DTP_TOKEN: { env: { DTP_TOKEN: canary, DTP_BASE_URL: api } },
  DTP_WORKSPACE_IDENTIFIER: { env: { DTP_WORKSPACE_IDENTIFIER: canary, DTP_BASE_URL: api } },
  'a stored credential': { profile: { base_url: api, credential: canary, credential_origin: api } },
  'a credential in the keychain': {
    profile: { base_url: api, credential_store: 'keychain', credential_origin: api },
  },
  'what a credential_command prints': { profile: { base_url: api, credential_command: 'vault read key' } },
  'the password of HTTPS_PROXY': { env: { ...key, DTP_BASE_URL: api, HTTPS_PROXY: proxy } },
  'the password of --proxy': { env: { ...key, DTP_BASE_URL: api }, argv: ['--proxy', proxy] },
  'the password of DTP_BASE_URL': { env: { ...key, DTP_BASE_URL: withUser } },
  'the password of --base-url': { env: key, argv: ['--base-url', withUser] },
  'the password of a stored URL': { env: key, profile: { base_url: withUser } },
};

const digest = '5738c7ff7aa1f2e70bb693017378bc67';
const lines: readonly (readonly string[])[] = [
  ['ws', 'current'],
  ['ws', 'list', '--retry', '1'],
  ['ws', 'tokens', 'create', '--name', 'n'],
  ['ws', 'tokens', 'create', '--name', 'n', '--dry-run'],
  ['ws', 'tokens', 'create', '--name', 'n', '--curl'],
  ['ws', 'tokens', 'delete', 't_1'],
  ['ws', 'list', '--nosuch'],
  ['ws', 'nosuch'],
  ['orgs', 'add-ons', 'delete', 'webhooks', '--no-input'],
  ['api', '/v1/user', '-i'],
  ['api', '/v1/user', '-i', '-o', 'raw'],
  ['reports', 'linting-url', digest, '--download', 'out.html'],
  ['artifacts', 'manifests', 'get', 'n', 'r'],
  ['artifacts', 'pull', 'n'],
  ['code-samples', 'jobs', 'get', 'j_1', '--wait', '--wait-timeout', '1s'],
  ['events', 'post', '--body', '{"id":"e_1"}'],
  ['events', 'post', '--no-queue', '--body', '{"id":"e_1"}'],
  ['events', 'queue', 'list', '-o', 'json'],
  ['events', 'queue', 'flush'],
  ['auth', 'status'],
  ['config', 'explain'],
  ['config', 'list'],
  ['config', 'get', 'base_url'],
  ['config', 'get', 'credential_command'],
  ['config', 'get', 'credential'],
  ['config', 'set', 'nosuch', 'x'],
  ['doctor'],
  ['schema', 'ws', 'list'],
  ['help', 'environment'],
  ['__complete', 'workspaces'],
];
const more: readonly (readonly string[])[] = [
  [],
  ['-v'],
  ['--debug'],
  ['--debug', '--error-format', 'text', '-o', 'table'],
  ['--debug', '--error-format', 'json', '-o', 'json'],
];

const cases = Object.entries(kinds).flatMap(([name, kind]) =>
  lines.flatMap((line) =>
    Object.entries(services).flatMap(([what, send]) => more.map((extra) => ({ name, kind, line, what, send, extra }))),
  ),
);
const drawn = new Set(sampled(cases, 300));

describe(`kinds, seed ${seed}`, () => {
  test.each(Object.entries(kinds))('%s', async (name, kind) => {
    const may =
      kind.profile && secretFormsIn(JSON.stringify(kind.profile)).length > 0 ? ['config/config.json 600'] : [];
    for (const one of cases.filter((each) => each.name === name && drawn.has(each))) {
      const home = makeHome(kind);
      const asked: string[] = [];
      const argv = [...one.line, ...(kind.argv ?? []), ...one.extra];
      const { stdout, stderr } = await dtp(argv, worldOf(kind, home, one.send, asked));
      const label = `${argv.join(' ')}, ${one.what}`;
      // A string that the service returns unasked is its result, whatever it contains.
      const isResult = one.what === 'not JSON' && one.line[0] === 'api';
      if (!isResult) expect(secretFormsIn(stdout), `stdout of ${label}: ${stdout}`).toEqual([]);
      expect(secretFormsIn(stderr), `stderr of ${label}: ${stderr}`).toEqual([]);
      // What the user typed is already in the process's arguments.
      if (!kind.argv) expect(secretFormsIn(asked.join(' ')), `arguments of ${label}`).toEqual([]);
      expect(filesWithSecret(home), `the disk after ${label}`).toEqual(may);
    }
  });
});

/** The `try:` lines of errors: at most three, none that decides for the user, and no login in CI. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deliberateFlags } from '../../src/settings/command-line.ts';
import { openProbe } from '../../src/transport/probe.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const base = 'https://api.example.test';
const credential = { DTP_BASE_URL: base, DTP_API_KEY: 'key-of-test-1' };
const own = { ...credential, DTP_WORKSPACE_ID: 'w_1' };
const uuid = 'ea31c0de-0574-45e1-9139-9ef9b8a21958';
const slugs = '--organization-slug acme --workspace-slug main';

/** An error: the command, its environment, the status of the service, and what must be suggested. */
type Row = readonly [line: string, env: Readonly<Record<string, string>>, status: number, next?: string];

const rows: readonly Row[] = [
  // Nothing is configured, or the configuration is wrong.
  ['ws list', {}, 200, 'dtp auth login'],
  ['ws list', { DTP_BASE_URL: base }, 200, 'dtp auth login'],
  ['ws list --profile nope', credential, 200],
  ['ws list --base-url http://api.example.test', credential, 200],
  ['ws tokens list', credential, 200],
  ['events post --interaction-type LINT --success', credential, 200],
  ['config get nope', {}, 200],
  ['config get base_url', {}, 200, 'dtp config explain'],
  ['config use nope', {}, 200],
  // What the user typed is wrong, with flags that decide something.
  ['ws lst --yes', credential, 200, 'dtp ws list'],
  ['ws list --nope --insecure', credential, 200],
  ['ws tokens delete --yes --force', own, 200, 'dtp ws tokens delete TOKEN-ID'],
  [`ws tokens delete ${uuid}`, own, 200],
  ['orgs create --name Acme --slug acme', own, 200],
  ['artifacts pull', own, 200, 'dtp artifacts pull REF'],
  ['artifacts pull a/b --force', own, 200],
  ['reports upload --type lintin --file nofile.html', own, 200],
  ['ws use', credential, 200, 'dtp ws list'],
  ['config path --watch', own, 200, 'dtp events search --watch 5s'],
  ['config explain --watch=5s', own, 200, 'dtp events search --watch 5s'],
  // The service refuses. The suggestion is about the parameter that failed.
  ['ws list --allow-http', credential, 401],
  [`ws tokens delete ${uuid} --yes`, own, 404, 'dtp ws tokens list'],
  [`publishing-tokens get ${uuid}`, own, 404, 'dtp publishing-tokens list'],
  [`orgs get ${uuid}`, own, 404, 'dtp orgs list'],
  ['artifacts tags list pets', own, 404, 'dtp artifacts namespaces list'],
  [`artifacts manifests get pets v9 ${slugs}`, own, 404, 'dtp artifacts tags list pets'],
  [`artifacts blobs get pets sha256:4f0c91a2 ${slugs}`, own, 404, 'dtp artifacts manifests get pets latest'],
  ['suggest registry pets v9 --insecure', own, 404, 'dtp artifacts tags list pets'],
  [`ws team revoke ${uuid} --yes`, own, 404, 'dtp ws team list'],
  ['ws list', credential, 403, 'dtp auth status'],
  ['ws list', credential, 429],
  ['ws list', credential, 503],
  ['ws create --name x --slug x', credential, 422],
];

/** Runs a command of the table, and returns its error in JSON and its lines on stderr. */
async function fail([line, env, status]: Row, more: Readonly<Record<string, string>> = {}) {
  const run = async (world: World) => {
    const { openSend } = service(() => [status, status === 200 ? [] : { message: 'no' }]);
    return dtp(line.split(' '), { openSend, own: 'w_1', cwd: temporaryFolder(), ...world });
  };
  const json = await run({ env: { ...env, ...more, DTP_ERROR_FORMAT: 'json' } });
  const text = await run({ env: { ...env, ...more, DTP_ERROR_FORMAT: 'text', NO_COLOR: '1' } });
  expect(json.code, json.stderr).toBeGreaterThan(0);
  expect(text.code).toBe(json.code);
  const { error } = JSON.parse(json.stderr.trimEnd().split('\n').at(-1) ?? '');
  const next = (error.next ?? []).map(({ command }: { command: string }) => command) as readonly string[];
  return { next, hint: String(error.hint ?? ''), stderr: text.stderr };
}

describe.each(rows.map((row) => ({ row })))('$row', ({ row }) => {
  const [, , , wanted] = row;

  test('suggests at most three commands, none of which decides for the user', async () => {
    const { next, stderr } = await fail(row);
    expect(next.length).toBeLessThanOrEqual(3);
    expect(stderr.match(/^ {2}try: .*$/gm) ?? []).toEqual(next.map((command) => `  try: ${command}`));
    for (const command of next) for (const flag of deliberateFlags) expect(command.split(/[ =]/)).not.toContain(flag);
    if (wanted !== undefined) expect(next.join('\n')).toContain(wanted);
  });

  test('suggests no login in CI', async () => {
    const { next, hint } = await fail(row, { CI: 'true' });
    for (const command of next) expect(command).not.toMatch(/^dtp auth login/);
    if (wanted === 'dtp auth login') expect(hint).toMatch(/Set DTP_\w+/);
    expect(hint).not.toMatch(/Log in/);
  });
});

test('a workspace of another credential: a login, and in CI the variables', async () => {
  const row: Row = ['artifacts namespaces list', { ...credential, DTP_WORKSPACE_ID: 'w_2' }, 200];
  const here = await fail(row);
  expect(here.next).toEqual([
    `dtp auth login --profile NAME --base-url ${base}`,
    'dtp auth token -w w_2 -r --query access_token',
  ]);
  const inCi = await fail(row, { CI: 'true' });
  expect(inCi.next).toEqual(['dtp auth token -w w_2 -r --query access_token']);
  expect(inCi.hint).toContain('set DTP_API_KEY to a credential for it.');
});

test('doctor says which variable is missing in CI', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'config'), { mode: 0o700 });
  writeFileSync(join(home, 'config', 'config.json'), '{}', { mode: 0o600 });
  const fixes = async (env: Readonly<Record<string, string>>) => {
    const ended = await dtp(['doctor', '-o', 'json'], {
      home,
      env: { DTP_BASE_URL: 'http://127.0.0.1:1', ...env },
      openProbe: async () => openProbe(),
    });
    expect(ended.stdout, ended.stderr).toMatch(/^\[/);
    const checks: readonly { readonly mend?: string }[] = JSON.parse(ended.stdout);
    return checks.map(({ mend = '' }) => mend).join('\n');
  };
  expect(await fixes({})).toContain('dtp auth login');
  expect(await fixes({ CI: 'true' })).toContain('Set DTP_API_KEY.');
  expect(await fixes({ CI: 'true' })).not.toContain('dtp auth login');
});

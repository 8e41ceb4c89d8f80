/** Where am I: the selected workspace in its list, and `dtp ws use` for a workspace that the credential is not for. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const base = 'https://api.example.test';
const own = { id: '11111111-1111-4111-8111-111111111111', name: 'Petstore', slug: 'petstore' };
const other = { id: '22222222-2222-4222-8222-222222222222', name: 'Billing', slug: 'billing' };

/** Each key belongs to a workspace of the same user. */
const owners: Readonly<Record<string, typeof own>> = { 'key-1': own, 'key-2': other };

function world(more: World = {}): World & { readonly home: string } {
  const home = temporaryFolder();
  mkdirSync(join(home, 'config'), { mode: 0o700 });
  const profile = { base_url: base, credential: 'key-1', credential_origin: base, workspace: own.id };
  const stored = { ...profile, credential_workspace: own.id, workspace_slug: own.slug };
  writeFileSync(join(home, 'config', 'config.json'), JSON.stringify({ profiles: { default: stored } }), {
    mode: 0o600,
  });
  const { openSend } = service(({ url, headers }) => {
    const { pathname } = new URL(url);
    const mine = owners[headers['x-api-key'] ?? ''] ?? own;
    if (pathname === '/v1/workspaces') return [200, [own, other]];
    if (pathname === '/v1/auth/validate')
      return [200, { workspace_id: mine.id, workspace_slug: mine.slug, org_slug: 'acme' }];
    return pathname === '/v1/user' ? [200, { email: 'ada@acme.example' }] : [200, other];
  });
  return { home, openSend, tty: true, env: { TERM: 'dumb', NO_COLOR: '1' }, ...more };
}

const stored = (home: string) => JSON.parse(readFileSync(join(home, 'config', 'config.json'), 'utf8')).profiles.default;

test.each([
  ['the workspace of the profile', [], 'petstore'],
  ['the workspace of -w', ['-w', 'billing'], 'billing'],
  ['the workspace of -w by its id', ['-w', other.id], 'billing'],
])('a terminal marks %s', async (_, more, slug) => {
  const { stdout } = await dtp(['ws', 'list', ...more], world({ env: { TERM: 'xterm-256color', NO_COLOR: '1' } }));
  const rows = stripVTControlCharacters(stdout).split('\n').slice(1, 3);
  expect(rows.map((row) => row.startsWith('✔ '))).toEqual(['petstore', 'billing'].map((one) => one === slug));
  expect(rows.every((row) => /^(✔| ) \S/.test(row))).toBe(true);
});

test.each([
  ['in a pipe', ['-o', 'table'], { tty: false }],
  ['among chosen fields', ['--fields', 'slug'], {}],
  ['if no row is selected', ['-w', 'nope'], {}],
] as const)('nothing is marked %s', async (_, more, world_) => {
  const { stdout } = await dtp(['ws', 'list', ...more], world(world_));
  expect(stdout).not.toMatch(/✔|^ok /m);
});

test('another workspace: log in for it', async () => {
  const { home, ...rest } = world({
    typed: [
      ['What now?', '1'],
      ['Credential for', 'key-2'],
    ],
  });
  const { code, stderr } = await dtp(['ws', 'use', 'billing'], { home, ...rest });
  expect([code, stderr]).toEqual([0, expect.stringMatching(/workspace\s+acme\/billing/)]);
  expect(stored(home)).toMatchObject({ credential: 'key-2', workspace: other.id, credential_workspace: other.id });
});

test('another workspace: keep the one before', async () => {
  const { home, ...rest } = world({ typed: [['What now?', '2']] });
  const before = stored(home);
  expect(await dtp(['ws', 'use', 'billing'], { home, ...rest })).toMatchObject({ code: 15, stdout: '' });
  expect(stored(home)).toEqual(before);
});

test('another workspace: select it anyway', async () => {
  const { home, ...rest } = world({ typed: [['What now?', '3']] });
  const { code, stderr } = await dtp(['ws', 'use', 'billing'], { home, ...rest });
  expect([code, stderr]).toEqual([0, expect.stringContaining('the credential is for workspace petstore')]);
  expect(stored(home)).toMatchObject({ credential: 'key-1', workspace: other.id });
});

test('a script is not asked, and selects it with a warning', async () => {
  const { home, ...rest } = world({ tty: false, env: { DTP_ERROR_FORMAT: 'text' } });
  const { code, stderr } = await dtp(['ws', 'use', 'billing'], { home, ...rest });
  expect([code, stderr]).toEqual([0, expect.stringContaining('the credential is for workspace petstore')]);
  expect(stored(home)).toMatchObject({ workspace: other.id });
});

/** The line below a list at a terminal: how many rows it has, and which workspace they belong to. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { service } from '../support/answering.ts';
import { dtp, temporaryFolder } from '../support/context.ts';

const id = 'da480da5-a94c-4fe8-8120-38d84fab6325';
const workspace = { id, name: 'Pets', slug: 'petstore' };
const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1' };
const profile = { base_url: env.DTP_BASE_URL, credential: env.DTP_API_KEY };

test.each<[line: string, tty: boolean, note: string]>([
  ['ws list', true, '1 workspace\n'],
  ['ws list -w petstore', true, '1 workspace; petstore is selected\n'],
  [`ws list -w ${id}`, true, '1 workspace; da480da5 is selected\n'],
  ['ws tokens list -w petstore', true, '1 token in workspace petstore\n'],
  [`ws tokens list -w ${id}`, true, '1 token in workspace da480da5\n'],
  ['publishing-tokens list -w petstore', true, '1 publishing token in workspace petstore\n'],
  // A slug from elsewhere may belong to another workspace.
  [`ws tokens list --workspace-slug other -w ${id}`, true, '1 token in workspace da480da5\n'],
  // Organizations do not belong to a workspace.
  ['orgs list -w petstore', true, '1 organization\n'],
  // A script counts the rows itself.
  ['ws tokens list -w petstore', false, ''],
  ['ws tokens list -w petstore -o json', true, ''],
])('%s, terminal: %s', async (line, tty, note) => {
  const { openSend } = service(({ url }) => [
    200,
    url.endsWith('/v1/workspaces') ? [workspace] : [{ id: 'x_1', name: 'x' }],
  ]);
  const ended = await dtp(line.split(' '), { env, own: id, openSend, tty });
  expect([ended.code, stripVTControlCharacters(ended.stderr)]).toEqual([0, note]);
});

test('a profile that stores the slug of its workspace', async () => {
  const config = temporaryFolder();
  const work = { ...profile, workspace: id, workspace_slug: 'pets' };
  writeFileSync(join(config, 'config.json'), JSON.stringify({ profiles: { work } }), { mode: 0o600 });
  const { openSend } = service(() => [200, [{ id: 'x_1', name: 'x' }]]);
  const world = { env: { DTP_CONFIG_DIR: config }, own: id, openSend, tty: true };
  const { stderr } = await dtp('ws tokens list --profile work'.split(' '), world);
  expect(stripVTControlCharacters(stderr)).toBe('1 token in workspace pets\n');
});

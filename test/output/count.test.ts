/** The line below a list at a terminal: how many rows it has, and which workspace they belong to. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { dtp, temporaryFolder } from '../support/context.ts';
import { service } from '../support/function-service.ts';

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
  ['orgs add-ons list', true, '2 add-ons\n'],
  // Organizations do not belong to a workspace.
  ['orgs list -w petstore', true, '1 organization\n'],
  // A script counts the rows itself.
  ['ws tokens list -w petstore', false, ''],
  ['ws tokens list -w petstore -o json', true, ''],
])('%s, terminal: %s', async (line, tty, note) => {
  const { openSend } = service(({ url }) => [
    200,
    url.endsWith('/v1/workspaces')
      ? [workspace]
      : url.endsWith('/add_ons')
        ? { add_ons: ['webhooks', 'sso'] }
        : [{ id: 'x_1', name: 'x' }],
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

const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
const revision = (letter: string) => ({ id: `r_${letter}`, digest: digest(letter), tags: [] });
const list = 'artifacts revisions list pets -w petstore';

test.each([
  ['a single page, with its count', list, 1, '1 revision in workspace petstore\n'],
  ['the first of two pages', list, 2, 'there are more results: pass --all, or --page-token t2\n'],
  ['all of two pages, with their count', `${list} --all`, 2, '2 revisions in workspace petstore\n'],
  ['a limit, whose rows may not be all', `${list} --limit 1`, 2, ''],
])('pages: %s', async (_, line, pages, note) => {
  const { openSend } = service(({ url }) => {
    if (url.endsWith('/v1/workspaces')) return [200, [workspace]];
    const isSecond = url.includes('next_page_token=t2');
    const next = isSecond || pages === 1 ? {} : { next_page_token: 't2' };
    return [200, { items: [revision(isSecond ? 'b' : 'a')], ...next }];
  });
  const ended = await dtp(line.split(' '), { env, own: id, openSend, tty: true });
  expect([ended.code, stripVTControlCharacters(ended.stderr)]).toEqual([0, note]);
  const count = line.includes('--all') ? 2 : 1;
  expect(ended.stdout.split('\n').filter((row) => row.includes('sha256:'))).toHaveLength(count);
  // The id is not a column: a revision is named by its digest.
  expect(ended.stdout).not.toContain('r_a');
  const names = await dtp([...line.split(' '), '-o', 'name'], { env, own: id, openSend });
  expect(names.stdout).toBe(`${['a', 'b'].slice(0, count).map(digest).join('\n')}\n`);
});

/** Names where ids are wanted: what is looked up, what is sent, and what is refused. */
import { describe, expect, test } from 'vitest';
import { shellLine } from '../../src/shell.ts';
import { dtp } from '../support/context.ts';
import { service as answering } from '../support/function-service.ts';
import { digest, ids, inOwn, namedService } from '../support/named-service.ts';

const service = namedService();
const { run } = service;

describe('a name stands for an id', () => {
  test.each([
    [['ws', 'get', '-w', 'petstore'], 'GET /v1/workspaces', `GET /v1/workspace/${ids.petstore}`],
    [['ws', 'get', '-w', 'Pet Store'], 'GET /v1/workspaces', `GET /v1/workspace/${ids.petstore}`],
    [['orgs', 'get', 'acme'], 'GET /v1/organizations', `GET /v1/organization/${ids.other}`],
    [['orgs', 'get', 'Acme Inc'], 'GET /v1/organizations', `GET /v1/organization/${ids.other}`],
    [['publishing-tokens', 'get', 'ci'], 'GET /v1/publishing-tokens', `GET /v1/publishing-tokens/${ids.twin}`],
    [
      ['publishing-tokens', 'update', 'ci', '--valid-until', '90d'],
      'GET /v1/publishing-tokens',
      `PUT /v1/publishing-tokens/${ids.twin}`,
    ],
    [
      ['ws', 'tokens', 'delete', 'deploy', '--yes'],
      `GET /v1/workspace/${ids.own}/tokens`,
      `DELETE /v1/workspace/${ids.own}/tokens/${ids.petstore}`,
    ],
    [
      ['ws', 'team', 'revoke', 'ann@example.com', '--yes'],
      `GET /v1/workspace/${ids.own}/team`,
      `DELETE /v1/workspace/${ids.own}/team/${ids.twin}`,
    ],
    [
      ['suggest', 'registry', 'pets', 'sha256:4f0c91a2b7de…'],
      'GET /v1/artifacts/namespaces/pets/revisions',
      `POST /v1/suggest/openapi/pets/${encodeURIComponent(digest)}`,
    ],
    [['events', 'search', '-w', 'petstore'], 'GET /v1/workspaces', `GET /v1/workspace/${ids.petstore}/events`],
    [['auth', 'token', '-w', 'petstore'], 'GET /v1/workspaces', 'GET /v1/auth/access_token'],
    [
      ['api', '/v1/workspace/{workspace_id}', '-w', 'petstore'],
      'GET /v1/workspaces',
      `GET /v1/workspace/${ids.petstore}`,
    ],
  ])('dtp %j', async (argv, list, request) => {
    const { code, asked, stderr } = await run(argv, inOwn);
    expect(asked, stderr).toEqual([list, request]);
    expect(code, stderr).toBe(0);
  });

  test('of a workspace and of a thing in it, with one list each', async () => {
    const { asked } = await run(['ws', 'tokens', 'delete', 'deploy', '-w', 'petstore', '--yes']);
    expect(asked).toEqual([
      'GET /v1/workspaces',
      `GET /v1/workspace/${ids.petstore}/tokens`,
      `DELETE /v1/workspace/${ids.petstore}/tokens/${ids.other}`,
    ]);
  });

  test('the workspace of the credential may be named too', async () => {
    const { asked, code } = await run(['publishing-tokens', 'list', '-w', 'own']);
    expect([code, asked]).toEqual([0, ['GET /v1/workspaces', 'GET /v1/publishing-tokens']]);
    const other = await run(['publishing-tokens', 'list', '-w', 'petstore']);
    expect([other.code, other.asked]).toEqual([2, ['GET /v1/workspaces']]);
    expect(other.stderr).toContain(`belongs to workspace "${ids.own.slice(0, 8)}", but -w selects "petstore"`);
  });

  test('events are queued and sent under the id', async () => {
    const event = ['events', 'post', '--interaction-type', 'LINT', '--success', '-w', 'petstore'];
    const { asked, stderr } = await run(event);
    expect(asked, stderr).toEqual(['GET /v1/workspaces', `POST /v1/workspace/${ids.petstore}/events`]);
    expect(JSON.parse(service.requests().at(-1)?.body ?? '')[0].workspace_id).toBe(ids.petstore);
  });
});

describe('an id is never looked up', () => {
  test.each([
    [['ws', 'get', '-w', ids.petstore], `GET /v1/workspace/${ids.petstore}`],
    [['ws', 'get', '-w', 'ws_2c81'], 'GET /v1/workspace/ws_2c81'],
    [['ws', 'tokens', 'delete', 'tok_4f9a', '--yes'], `DELETE /v1/workspace/${ids.own}/tokens/tok_4f9a`],
    [['orgs', 'get', '01JD8M3V5Z7Q2K9X4T6W8Y0ABC'], 'GET /v1/organization/01JD8M3V5Z7Q2K9X4T6W8Y0ABC'],
    [['events', 'list', 'sdk-ts'], `GET /v1/workspace/${ids.own}/events/targets/sdk-ts/events`],
    [['suggest', 'registry', 'pets', digest], `POST /v1/suggest/openapi/pets/${encodeURIComponent(digest)}`],
    [['suggest', 'registry', 'pets', '20261122'], 'POST /v1/suggest/openapi/pets/20261122'],
  ])('dtp %j', async (argv, request) => {
    expect((await run(argv, inOwn)).asked).toEqual([request]);
  });

  test('nor is DTP_WORKSPACE_ID, or the workspace of the credential, whatever its form', async () => {
    const other = await run(['ws', 'get'], { env: { DTP_WORKSPACE_ID: 'petstore' } });
    expect(other.asked).toEqual(['GET /v1/workspace/petstore']);
    const own = await run(['ws', 'get', '-w', 'legacy'], { own: 'legacy' });
    expect(own.asked).toEqual(['GET /v1/workspace/legacy']);
  });

  test('an id that a list has wins over a name', async () => {
    const { asked } = await run(['ws', 'get', '-w', 'legacy'], inOwn);
    expect(asked).toEqual(['GET /v1/workspaces', 'GET /v1/workspace/legacy']);
  });
});

describe('what does not stand for one thing', () => {
  test('several candidates are named, with the commands', async () => {
    const { code, stdout, stderr, asked } = await run(['ws', 'tokens', 'delete', 'ci', '--yes'], inOwn);
    expect([code, stdout, asked]).toEqual([2, '', [`GET /v1/workspace/${ids.own}/tokens`]]);
    expect(stderr).toBe(
      [
        'error: "ci" matches 2 tokens',
        `  Pass the id instead: ci (${ids.twin}), ci (${ids.other}).`,
        `  try: dtp ws tokens delete ${ids.twin}`,
        `  try: dtp ws tokens delete ${ids.other}`,
        '',
      ].join('\n'),
    );
  });

  test('the candidates of a workspace replace the flag', async () => {
    for (const flag of [['-w', 'twice'], ['--workspace=twice']]) {
      const { code, stderr } = await run(['ws', 'get', ...flag]);
      expect(code).toBe(2);
      expect(stderr).toContain(`try: ${shellLine(['dtp', 'ws', 'get', ...flag]).replace('twice', ids.other)}\n`);
    }
  });

  test('as JSON, with the candidates', async () => {
    const { stderr } = await run(['ws', 'get', '-w', 'twice'], { env: { DTP_ERROR_FORMAT: 'json' } });
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'usage',
      details: {
        candidates: [
          { name: 'twice', id: ids.other },
          { name: 'twice', id: 'x' },
        ],
      },
    });
  });
});

describe('a value that nothing has as its name is sent as it was typed', () => {
  test('a 404 suggests the near names, without a second request for the list', async () => {
    const path = `/v1/workspace/${ids.own}/tokens`;
    service.break(`${path}/deplyo`, 404);
    const { code, stderr, asked } = await run(['ws', 'tokens', 'delete', 'deplyo', '--yes'], inOwn);
    expect([code, asked]).toEqual([6, [`GET ${path}`, `DELETE ${path}/deplyo`]]);
    expect(stderr).toBe(
      [
        `error: 404 from DELETE ${path}/deplyo: no`,
        '  No token has the id or name "deplyo". Did you mean "deploy"?',
        '  try: dtp ws tokens delete deploy',
        '  try: dtp ws tokens list',
        '',
      ].join('\n'),
    );
  });

  test.each([
    [['ws', 'get', '-w', 'petstor'], '/v1/workspace/petstor', ['ws get -w petstore', 'ws list']],
    [['ws', 'get', '--workspace=zzz'], '/v1/workspace/zzz', ['ws list']],
    [['auth', 'token', '-w', 'petstor'], '/v1/auth/access_token', ['auth token -w petstore', 'ws list']],
    [['orgs', 'get', 'acmee'], '/v1/organization/acmee', ['orgs get acme', 'orgs list']],
    [['publishing-tokens', 'get', 'zzz'], '/v1/publishing-tokens/zzz', ['publishing-tokens list']],
    // The beginning of an id, without a terminal.
    [['ws', 'get', '-w', '222222'], '/v1/workspace/222222', [`ws get -w ${ids.petstore}`, 'ws list']],
    [
      ['publishing-tokens', 'get', '33333333'],
      '/v1/publishing-tokens/33333333',
      [`publishing-tokens get ${ids.twin}`, 'publishing-tokens list'],
    ],
  ] as const)('%j, if the service answers 404', async (argv, path, next) => {
    service.break(path, 404);
    const flags = ['--base-url', service.address()];
    const { code, stderr } = await run([...argv, ...flags], inOwn);
    expect(code, stderr).toBe(6);
    const commands = [...stderr.matchAll(/try: dtp (.*)\n/g)].map(([, command]) => command);
    expect(commands).toEqual(next.map((command) => `${command} ${flags.join(' ')}`));
    expect(stderr).toMatch(/ {2}No [\w ]+ has the id or name "[\w-]+"\. (Did you mean .*\?|List what exists:)\n/);
  });

  test('a 404 about something else suggests that', async () => {
    const path = `/v1/workspace/${ids.own}/tokens`;
    service.break(`${path}/deplyo`, 404, 'the workspace does not exist');
    const { stderr } = await run(['ws', 'tokens', 'delete', 'deplyo', '--yes'], inOwn);
    expect(stderr).toContain('  List what exists:\n  try: dtp ws list\n');
  });

  test('the error as JSON is that of the service', async () => {
    service.break('/v1/publishing-tokens/cj', 404);
    const { stderr } = await run(['publishing-tokens', 'get', 'cj'], { env: { DTP_ERROR_FORMAT: 'json' } });
    expect(JSON.parse(stderr).error).toMatchObject({
      ...{ code: 'not_found', status: 404, operation: 'getPublishingTokenByID', attempts: 1 },
      hint: 'No publishing token has the id or name "cj". Did you mean "ci"?',
    });
  });

  test('without a credential, auth token sends what was typed', async () => {
    const { code, asked } = await run(['auth', 'token', '-w', 'petstore'], { env: { DTP_API_KEY: '' } });
    expect([code, asked]).toEqual([0, ['GET /v1/auth/access_token']]);
    expect(service.requests().at(-1)?.query).toEqual(new URLSearchParams('workspace_id=petstore'));
    const other = await run(['ws', 'get', '-w', 'petstore'], { env: { DTP_API_KEY: '' } });
    expect([other.code, other.asked]).toEqual([4, []]);
  });

  test('the name of the own workspace is accepted, even if the workspaces cannot be listed', async () => {
    service.break('/v1/workspaces', 403);
    const { code, asked } = await run(['publishing-tokens', 'list', '-w', 'own']);
    expect([code, asked.at(-1)]).toEqual([0, 'GET /v1/publishing-tokens']);
    const other = await run(['publishing-tokens', 'list', '-w', 'petstore']);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('but -w selects "petstore"')]);
  });
});

test('a name is found in a list of 200,000 things', async () => {
  const rows = Array.from({ length: 200_000 }, (_, at) => ({ id: `w-${at}`, name: `name ${at}` }));
  const { openSend, asked } = answering(({ url }) => [200, url.endsWith('/workspaces') ? rows : {}]);
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1' };
  const { code, stderr } = await dtp(['ws', 'get', '-w', 'name 199999'], { env, openSend });
  expect([code, asked.at(-1)], stderr).toEqual([0, 'GET /v1/workspace/w-199999']);
});

describe('on a terminal, where tables show the beginning of ids', () => {
  test('a table has whole lock ids', async () => {
    const { stdout } = await run(['events', 'targets', 'list'], { ...inOwn, tty: true, columns: 80 });
    expect(stdout).toContain(ids.twin);
    const tokens = await run(['ws', 'tokens', 'list'], { ...inOwn, tty: true, columns: 80 });
    expect(tokens.stdout).not.toContain(ids.petstore);
  });

  test.each([
    [['ws', 'get', '-w', '222222'], `GET /v1/workspace/${ids.petstore}`],
    [['ws', 'get', '-w', '22222222…'], `GET /v1/workspace/${ids.petstore}`],
    [['publishing-tokens', 'delete', '33333333', '--yes'], `DELETE /v1/publishing-tokens/${ids.twin}`],
    // Two tokens begin with it, so it is not the beginning of one.
    [['ws', 'tokens', 'delete', '33333333', '--yes'], `DELETE /v1/workspace/${ids.own}/tokens/33333333`],
    // A lock id is never looked up.
    [['events', 'list', '33333333'], `GET /v1/workspace/${ids.own}/events/targets/33333333/events`],
  ])('%j', async (argv, request) => {
    const { code, asked, stderr } = await run(argv, { ...inOwn, tty: true });
    expect([code, asked.at(-1)], stderr).toEqual([0, request]);
    const piped = await run(argv, inOwn);
    expect(piped.asked.at(-1)).toBe(
      request.replace(ids.petstore, encodeURIComponent(argv[3] ?? '')).replace(ids.twin, argv[2] ?? ''),
    );
  });
});

test.each([
  [['ws', 'tokens', 'delete', 'deploy', '--yes'], 'Deleted token deploy (22222222)'],
  [['publishing-tokens', 'delete', 'ci', '--yes'], 'Deleted publishing token ci (33333333)'],
  [['publishing-tokens', 'update', '33333333', '--valid-until', '90d'], 'Updated publishing token ci (33333333)'],
  [['ws', 'team', 'revoke', 'ann@example.com', '--yes'], 'Revoked the access of user ann@example.com (33333333)'],
  [['ws', 'tokens', 'delete', ids.twin, '--yes'], 'Deleted token 33333333'],
] as const)('%j ends with the name: %s', async (argv, text) => {
  const env = { ...inOwn.env, NO_COLOR: '1' };
  const { code, stderr } = await run(argv, { env, tty: true });
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^✔ [^\n]*\n( {2}next: [^\n]*\n)?$/)]);
  expect(stderr).toContain(`✔ ${text}`);
});

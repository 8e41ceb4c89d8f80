/** Names where ids are wanted: what is looked up, what is sent, and what is refused. */
import { describe, expect, test } from 'vitest';
import { digest, ids, inOwn, namedService } from '../support/named-service.ts';

const service = namedService();
const { run } = service;

describe('a name stands for an id', () => {
  test.each([
    [['ws', 'get', '-w', 'petstore'], 'GET /v1/workspaces', `GET /v1/workspace/${ids.petstore}`],
    [['ws', 'get', '-w', 'Pet Store'], 'GET /v1/workspaces', `GET /v1/workspace/${ids.petstore}`],
    [['ws', 'get', '-w', '222222'], 'GET /v1/workspaces', `GET /v1/workspace/${ids.petstore}`],
    [['ws', 'get', '-w', '22222222…'], 'GET /v1/workspaces', `GET /v1/workspace/${ids.petstore}`],
    [['orgs', 'get', 'acme'], 'GET /v1/organizations', `GET /v1/organization/${ids.other}`],
    [['orgs', 'get', 'Acme Inc'], 'GET /v1/organizations', `GET /v1/organization/${ids.other}`],
    [
      ['publishing-tokens', 'get', 'ci'],
      'GET /v1/publishing-tokens',
      `GET /v1/publishing-tokens/${ids.twin}`,
    ],
    [
      ['publishing-tokens', 'update', 'ci', '--valid-until', '90d'],
      'GET /v1/publishing-tokens',
      `PUT /v1/publishing-tokens/${ids.twin}`,
    ],
    [
      ['publishing-tokens', 'delete', '33333333', '--yes'],
      'GET /v1/publishing-tokens',
      `DELETE /v1/publishing-tokens/${ids.twin}`,
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
      ['events', 'list', '33333333'],
      `GET /v1/workspace/${ids.own}/events/targets`,
      `GET /v1/workspace/${ids.own}/events/targets/${ids.twin}/events`,
    ],
    [
      ['suggest', 'registry', 'pets', 'sha256:4f0c91a2b7de…'],
      'GET /v1/artifacts/namespaces/pets/revisions',
      `POST /v1/suggest/openapi/pets/${encodeURIComponent(digest)}`,
    ],
    [
      ['events', 'search', '-w', 'petstore'],
      'GET /v1/workspaces',
      `GET /v1/workspace/${ids.petstore}/events`,
    ],
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
    expect(other.stderr).toContain(
      `belongs to workspace "${ids.own.slice(0, 8)}", but -w selects "petstore"`,
    );
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
      expect(stderr).toContain(`try: dtp ws get ${flag.join(' ').replace('twice', ids.other)}\n`);
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

  test('the beginning of two ids', async () => {
    const { code, stderr } = await run(['ws', 'tokens', 'delete', '33333333', '--yes'], inOwn);
    expect([code, stderr]).toEqual([2, expect.stringContaining('"33333333" matches 2 tokens')]);
  });

  test('an unknown name, with the near ones', async () => {
    const { code, stderr, asked } = await run(['ws', 'tokens', 'delete', 'deplyo', '--yes'], inOwn);
    expect([code, asked]).toEqual([6, [`GET /v1/workspace/${ids.own}/tokens`]]);
    expect(stderr).toBe(
      [
        'error: no token has the id or name "deplyo"',
        '  Did you mean "deploy"?',
        '  try: dtp ws tokens delete deploy',
        '  try: dtp ws tokens list',
        '',
      ].join('\n'),
    );
    const flags = ['--base-url', service.address()];
    const unknown = await run(['ws', 'get', '-w', 'zzz', ...flags]);
    expect(unknown.stderr).toContain(`try: dtp ws list ${flags.join(' ')}\n`);
    const other = await run(['publishing-tokens', 'get', 'zzz', ...flags]);
    expect(other.stderr).toContain(`try: dtp publishing-tokens list ${flags.join(' ')}\n`);
    const nothing = await run(['publishing-tokens', 'get', 'zzz']);
    expect([nothing.code, nothing.stderr]).toEqual([
      6,
      'error: no publishing token has the id or name "zzz"\n  List what exists:\n  try: dtp publishing-tokens list\n',
    ]);
  });

  test.each([
    ['/v1/workspaces', 403, 5, ['ws', 'get', '-w', 'petstore']],
    ['/v1/workspaces', 500, 10, ['ws', 'get', '-w', 'petstore']],
    ['/v1/publishing-tokens', 403, 5, ['publishing-tokens', 'get', 'ci']],
  ] as const)('the list of %s fails with %i', async (path, status, code, argv) => {
    service.break(path, status);
    const ended = await run(argv);
    expect([ended.code, ended.asked]).toEqual([code, [`GET ${path}`]]);
    expect(ended.stderr).toMatch(/To avoid this, pass the id of the (workspace|publishing token)\./);
  });

  test('without a credential, an id is needed', async () => {
    const { code, asked, stderr } = await run(['auth', 'token', '-w', 'petstore'], {
      env: { DTP_API_KEY: '' },
    });
    expect([code, asked]).toEqual([4, []]);
    expect(stderr).toContain('To avoid this, pass the id of the workspace.');
  });
});

test.each([
  [['ws', 'tokens', 'delete', 'deploy', '--yes'], 'Deleted token deploy (22222222)'],
  [['publishing-tokens', 'delete', 'ci', '--yes'], 'Deleted publishing token ci (33333333)'],
  [
    ['publishing-tokens', 'update', '33333333', '--valid-until', '90d'],
    'Updated publishing token ci (33333333)',
  ],
  [
    ['ws', 'team', 'revoke', 'ann@example.com', '--yes'],
    'Revoked the access of user ann@example.com (33333333)',
  ],
  [['ws', 'tokens', 'delete', ids.twin, '--yes'], 'Deleted token 33333333'],
] as const)('%j ends with the name: %s', async (argv, text) => {
  const env = { ...inOwn.env, NO_COLOR: '1' };
  const { code, stderr } = await run(argv, { env, tty: true });
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^✔ [^\n]*\n( {2}next: [^\n]*\n)?$/)]);
  expect(stderr).toContain(`✔ ${text}`);
});

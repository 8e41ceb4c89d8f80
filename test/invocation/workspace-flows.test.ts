/** Commands with several requests, and queued events, only use the selected workspace. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { jumpingClock } from '../support/clocks.ts';
import { temporaryFolder } from '../support/context.ts';
import {
  homeWithDocument,
  push,
  type Reply,
  refusal,
  slugs,
  twoWorkspaces,
  validateRequestLine,
} from '../support/two-workspaces.ts';

/** The requests and the outcome of a command. */
async function asked(argv: readonly string[], env: Readonly<Record<string, string>> = {}, home = homeWithDocument()) {
  const service = await twoWorkspaces();
  const ended = await service.run([...argv, '--yes'], { home, cwd: home, env });
  return { ...ended, lines: service.asked, home };
}

const sha = `sha256:${'0'.repeat(64)}`;

describe('several requests', () => {
  test.each([
    [push],
    [[...push.slice(0, -1), 'acme/slug-of-w_2/pets']],
    [['artifacts', 'pull', 'pets']],
    [['artifacts', 'pull', 'acme/slug-of-w_2/pets:v1']],
    [['artifacts', 'manifests', 'get', 'pets', 'v1']],
    [['artifacts', 'manifests', 'get', 'pets', 'v1', ...slugs]],
    [['artifacts', 'blobs', 'get', 'pets', sha, ...slugs]],
    [['artifacts', 'preflight', '--namespace-name', 'pets']],
    [['artifacts', 'revisions', 'list', 'pets', '--all']],
    [['events', 'targets', 'list']],
    [['orgs', 'usage', 'get', '--chart', '-o', 'table']],
  ])('%j asks for the workspace of the key and sends nothing else', async (argv) => {
    const { code, stdout, stderr, lines, home } = await asked([...argv, '-w', 'w_2']);
    expect([code, stdout], stderr).toEqual([2, '']);
    expect(stderr).toContain(refusal);
    expect(lines).toEqual([validateRequestLine]);
    expect(
      readdirSync(home)
        .filter((name) => name !== 'state')
        .sort(),
    ).toEqual(['lint.html', 'openapi.yaml']);
  });

  test('a workspace that cannot be checked is not read without a credential either', async () => {
    for (const [status, code] of [
      [401, 4],
      [403, 5],
      [404, 6],
      [500, 10],
    ] as const)
      for (const argv of [
        ['artifacts', 'pull', 'acme/other/pets'],
        ['artifacts', 'manifests', 'get', 'pets', 'v1', ...slugs],
      ]) {
        const service = await twoWorkspaces(undefined, () => [status, '{"message":"no"}']);
        const home = temporaryFolder();
        const ended = await service.run([...argv, '-w', 'w_2'], { home, cwd: home });
        expect([service.asked, ended.code]).toEqual([[validateRequestLine], code]);
        // If the credential is not valid, only that has to be fixed.
        expect(ended.stderr.includes("Leave out -w to use the credential's workspace.")).toBe(status !== 401);
        if (status === 401) expect(ended.stderr).toContain('Set DTP_API_KEY to a valid credential.');
      }
  });

  test('without a credential there is no check', async () => {
    const { stderr, lines } = await asked(['artifacts', 'pull', 'acme/other/pets', '-w', 'w_2'], {
      DTP_API_KEY: '',
    });
    expect(lines, stderr).toEqual(['GET /v1/oci/v2/acme/other/pets/manifests/latest']);
  });

  test('invalid input is rejected before any request', async () => {
    for (const argv of [
      ['artifacts', 'tags', 'add', 'pets', '--no-such-flag'],
      ['artifacts', 'push', 'none.yaml', '--namespace', 'pets'],
      ['schema-store', 'create', '--body', '@none.json'],
      ['ws', 'list', '--query', '[?'],
    ]) {
      const { code, stderr, lines } = await asked([...argv, '-w', 'w_2']);
      expect([code, lines], stderr).toEqual([2, []]);
      expect(stderr).not.toContain(refusal);
    }
  });

  test('the check counts toward the time limit of the command', async () => {
    for (const argv of [
      ['ws', 'current'],
      [...push, ...slugs],
    ]) {
      let come = () => {};
      const came = new Promise<void>((done) => {
        come = done;
      });
      const service = await twoWorkspaces(undefined, () => void come());
      const home = homeWithDocument();
      // All deadlines pass once the service was asked.
      const clock = { now: () => 0, sleep: () => came };
      const ended = await service.run([...argv, '-w', 'w_2'], { home, cwd: home, clock });
      expect([ended.code, service.asked], ended.stderr).toEqual([124, [validateRequestLine]]);
      expect(ended.stderr).toContain('because -w selects "w_2"');
    }
  });

  test('the check is retried like the operation that follows', async () => {
    for (const [argv, count] of [
      [['auth', 'access'], 2],
      [['ws', 'current'], 1],
    ] as const) {
      const replies: Reply[] = [[503], [200, '{"workspace_id":"w_1"}']];
      const service = await twoWorkspaces(undefined, () => replies.shift());
      const home = temporaryFolder();
      const ended = await service.run([...argv, '-w', 'w_1'], { home, clock: jumpingClock() });
      expect(
        service.asked.filter((line) => line === validateRequestLine),
        ended.stderr,
      ).toHaveLength(count);
      expect([ended.code, service.asked.length]).toEqual(count === 2 ? [0, 3] : [10, 1]);
    }
  });

  test('a check that only warns leaves time for an operation that is retried', async () => {
    const service = await twoWorkspaces(undefined, () => [503]);
    const world = { home: temporaryFolder(), clock: jumpingClock(), env: { DTP_WORKSPACE_ID: 'w_2' } };
    const ended = await service.run(['auth', 'access'], world);
    expect([ended.code, service.asked.at(-1)], ended.stderr).toEqual([0, 'GET /v1/workspace/access']);
    expect(service.asked.filter((line) => line === validateRequestLine).length).toBeGreaterThan(1);
    expect(ended.stderr).toContain('warning: DTP_WORKSPACE_ID selects "w_2", but dtp could not check that');
  });

  test.each(['{}', '[]'])('an error of the check does not name a request that was not sent: %j', async (body) => {
    const service = await twoWorkspaces(undefined, () => [200, body]);
    const argv = ['ws', 'feature-flags', 'set', '--feature-flags', 'webhooks', '-w', 'w_2'];
    const { stderr } = await service.run(argv, {
      home: temporaryFolder(),
      env: { DTP_ERROR_FORMAT: 'json' },
    });
    expect(JSON.parse(stderr.trim()).error).toMatchObject({
      operation: 'validateApiKey',
      method: 'GET',
      path: '/v1/auth/validate',
    });
  });

  test('a response without a workspace is an error', async () => {
    const nameless = 'the response of validateApiKey has no workspace_id';
    for (const [body, words] of [
      ['{}', nameless],
      ['{"workspace_id":7}', nameless],
      ['{"workspace_id":""}', nameless],
      [JSON.stringify({ workspace_id: 'w'.repeat(2000) }), nameless],
      ['[]', 'the response of validateApiKey is not an object'],
      ['null', 'the response of validateApiKey is not an object'],
    ] as const) {
      const service = await twoWorkspaces(undefined, () => [200, body]);
      const ended = await service.run(['ws', 'current', '-w', 'w_2'], { home: temporaryFolder() });
      expect([ended.code, ended.stdout, service.asked]).toEqual([12, '', [validateRequestLine]]);
      expect(ended.stderr).toContain(words);
      expect(ended.stderr).toContain("Leave out -w to use the credential's workspace.");
    }
  });
});

describe('dtp api', () => {
  test.each([
    [['/v1/workspace/{workspace_id}/tokens'], 'GET /v1/workspace/w_2/tokens'],
    [['/v1/workspace/w_2/tokens'], 'GET /v1/workspace/w_2/tokens'],
    [['/v1/workspace/w%5f2/tokens'], 'GET /v1/workspace/w%5f2/tokens'],
    [['/v1/auth/access_token?workspace_id=w_2'], 'GET /v1/auth/access_token?workspace_id=w_2'],
    [['/v1/workspaces'], 'GET /v1/workspaces'],
    [['/v1/organization/o_1'], 'GET /v1/organization/o_1'],
    // The documents do not have these paths, so they do not say which workspace they are about.
    [['/v1/teams/w_2/members'], 'GET /v1/teams/w_2/members'],
    [['/w_2/later'], 'GET /w_2/later'],
  ])('%j does not depend on the workspace of the credential', async (argv, line) => {
    const { code, stderr, lines } = await asked(['api', ...argv, '-w', 'w_2']);
    expect([code, lines], stderr).toEqual([0, [line]]);
  });

  test.each([
    [['/v1/workspace']],
    [['/v1/artifacts/namespaces/w_2/archive', '-X', 'POST']],
    [['/v1/artifacts/namespaces?workspace_id=w_2']],
    [['/v1/workspace/feature_flags', '-F', 'workspace_id=w_2']],
    [['/v1/artifacts/namespaces', '--paginate']],
    [['/v1//workspace/']],
    [['/v1/%77orkspace']],
    [['/v1/organization/usage']],
    // The documents have this path with another method.
    [['/v1/workspace', '-X', 'DELETE']],
    [['/v1/oci/v2/acme/shop/pets/manifests/v1', '-X', 'DELETE']],
  ])('%j does', async (argv) => {
    const { code, stderr, lines } = await asked(['api', ...argv, '-w', 'w_2']);
    expect([code, lines], stderr).toEqual([2, [validateRequestLine]]);
  });

  test.each([
    ['/v1/workspace/w_1/tokens', 'the path has workspace "w_1", but -w is "w_2"'],
    ['/v1/auth/access_token?workspace_id=w_1', '--workspace is "w_2", but the query string says "w_1"'],
    ['/v1/auth/access_token?workspace_id=w_2&workspace_id=w_1', 'two different values for workspace_id'],
  ])('%s and -w are different workspaces', async (path, words) => {
    const { code, stderr, lines } = await asked(['api', path, '-w', 'w_2']);
    expect([code, lines]).toEqual([2, []]);
    expect(stderr).toContain(words);
  });
});

describe('queued events', () => {
  const post = (id: string) => ['events', 'post', '--body', `{"id":"${id}","interaction_type":"CI_EXEC"}`];
  const down = (): Reply => [503, '{"message":"down"}'];

  test('a flush delivers the events of the selected workspace, and says how to deliver the others', async () => {
    let reply = down;
    const service = await twoWorkspaces(() => reply());
    const home = temporaryFolder();
    for (const workspace of ['w_1', 'w_2']) {
      const kept = await service.run([...post(workspace), '-w', workspace], {
        home,
        clock: jumpingClock(),
      });
      expect(kept.code, kept.stderr).toBe(75);
      expect(kept.stderr).toContain(`dtp events queue flush --workspace ${workspace}`);
    }
    reply = () => [204];
    service.reset();
    const flushed = await service.run(['events', 'queue', 'flush', '-w', 'w_2'], { home });
    expect([flushed.code, flushed.stdout]).toEqual([75, '']);
    expect(flushed.stderr).toContain('1 event is still queued for workspace w_1 of ');
    expect(flushed.stderr).toContain('try: dtp events queue flush -w w_1\n');
    expect(service.asked).toEqual(['POST /v1/workspace/w_2/events']);
    service.reset();
    expect((await service.run(['events', 'queue', 'flush'], { home })).code).toBe(0);
    expect(service.asked).toEqual(['POST /v1/workspace/w_1/events']);
  });
});

/** Names and shortened ids in flags, bodies and references to revisions: what is looked up, and what is sent. */
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/context.ts';
import { digest, ids, inOwn, namedService } from '../support/named-service.ts';

const service = namedService();
const { run } = service;

describe('flags and fields of bodies', () => {
  const revisions = 'GET /v1/artifacts/namespaces/pets/revisions';
  const tag = (revision: string) => ['artifacts', 'tags', 'add', 'pets', '--revision-digest', revision, '--tags', 'v2'];
  const create = ['ws', 'create', '--name', 'n', '--slug', 'n'];
  const token = ['publishing-tokens', 'create', '--token-name', 't', '--target-resource', 'r', '--valid-until', '90d'];

  test.each([
    [tag('sha256:4f0c91a2b7de'), revisions, `{"revision_digest":"${digest}","tags":["v2"]}`],
    [tag('v1'), revisions, `{"revision_digest":"${digest}","tags":["v2"]}`],
    [[...create, '--organization-id', 'acme'], 'GET /v1/organizations', `"organization_id":"${ids.other}"`],
    [[...create, '--organization-id=Acme Inc'], 'GET /v1/organizations', `"organization_id":"${ids.other}"`],
  ] as const)('%j: %s, then the id is sent', async (argv, list, body) => {
    const { code, asked, stderr } = await run(argv, inOwn);
    expect([code, asked.length], stderr).toEqual([0, 2]);
    expect(asked[0]).toBe(list);
    expect(service.requests().at(-1)?.body).toContain(body);
  });

  test.each([
    tag(digest),
    [...create, '--organization-id', ids.own],
    [...create, '--organization-id', 'org_1a2b'],
    [...token, '--target-id', 'my-target'],
    [...token, '--target-id', ids.twin],
    ['codehost', 'actions', 'trigger', '--org', 'o', '--repo-name', 'r', '--gen-lock-id', 'go'],
  ])('an id is never looked up: %j', async (...argv) => {
    const { code, asked } = await run(argv, inOwn);
    expect([code, asked.length]).toEqual([0, 1]);
  });

  test('an unknown name is sent, and a 422 suggests the command with the near one', async () => {
    service.break('/v1/workspace', 422, 'organization acmee does not exist');
    const { code, asked, stderr } = await run([...create, '--organization-id=acmee'], inOwn);
    expect([code, asked]).toEqual([7, ['GET /v1/organizations', 'POST /v1/workspace']]);
    expect(service.requests().at(-1)?.body).toContain('"organization_id":"acmee"');
    expect(stderr).toContain(
      '  No organization has the id or name "acmee". Did you mean "acme"?\n  try: dtp ws create --name n --slug n --organization-id=acme\n  try: dtp orgs list\n',
    );
  });

  test('pull finds the revision of a shortened digest, and sends the whole one', async () => {
    const { asked } = await run(['artifacts', 'pull', 'pets@sha256:4f0c91a2b7de'], {
      ...inOwn,
      cwd: temporaryFolder(),
    });
    expect(asked).toContain(revisions);
    expect(asked.at(-1)).toBe(`GET /v1/oci/v2/acme/own/pets/manifests/${encodeURIComponent(digest)}`);
    const dry = await run(['artifacts', 'pull', 'pets@sha256:4f0c91a2b7de', '--dry-run'], {
      env: { ...inOwn.env, DTP_ORGANIZATION_SLUG: 'acme', DTP_WORKSPACE_SLUG: 'own' },
    });
    expect([dry.code, dry.asked]).toEqual([0, []]);
    expect(dry.stderr).toContain('To send it, dtp would first look up this name, with dtp artifacts revisions list');
  });

  test('the whole digest of a blob is in the manifest', async () => {
    const short = 'sha256:4f0c91a2';
    service.break(`/v1/oci/v2/acme/own/pets/blobs/${encodeURIComponent(short)}`, 404);
    const slugs = ['--organization-slug', 'acme', '--workspace-slug', 'own'];
    const { code, stderr } = await run(['artifacts', 'blobs', 'get', 'pets', short, ...slugs], inOwn);
    expect(code).toBe(6);
    expect(stderr).toContain('try: dtp artifacts manifests get pets latest\n');
  });
});

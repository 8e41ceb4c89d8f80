/** The fixed responses of the service whose screens are in test/screens, and the values in them. */
export const ids = {
  workspace: '91f46bac-f57b-4744-9228-846b70fa10ee',
  other: '0c6fd2d1-6d0c-4b0e-9d55-3f3df0a41f02',
  organization: '63d1ac5d-1f2f-4491-9115-d83948726a31',
  token: 'ea31c0de-7a55-4b0a-8d3e-95f0b2c4d671',
  ciToken: '5b7d2f90-30c1-4f0b-9f6d-b4a8c1e2d3f4',
  laptopToken: '0b6c1f57-9d24-4d0a-8a3b-2e7f6c5d4b3a',
  publishing: '7d9e3a14-88aa-4c51-bf20-6a5a1c9d2e10',
  event: 'c2f0a7d8-2f4b-4f7e-a9a1-0d6b5c4e3f21',
  execution: 'f1e2d3c4-b5a6-4978-8a9b-0c1d2e3f4a5b',
  report: '9a0364b9e99bb480dd25e1f0284c8555',
} as const;

export const digests = {
  revision: 'sha256:4f0c91a2b7de5d3c8e6f1a0b9c2d4e5f60718293a4b5c6d7e8f9010213243546',
  previous: 'sha256:b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184',
} as const;

export const keys = {
  token: 'dtp_3f0c5d1e7a9b2c4d6e8f0a1b3c5d7e9f1a2b3c4d5e6f708192a3b4c5d6e7f809',
  publishing: 'dtp_pt_90ab12cd34ef56ab78cd90ef12ab34cd56ef78ab90cd12ef34ab56cd78ef9a1e',
} as const;

export const urls = {
  report: `https://reports.example/${ids.report}?signature=0123456789abcdef`,
  document: 'https://docs.acme.example/petstore/reference/pets?page=2&sort=name',
  failedRun: 'https://github.example/acme/petstore/actions/runs/8123456790',
  run: 'https://github.example/acme/petstore/actions/runs/8123456789',
} as const;

const overlay = `overlay: 1.0.0
info:
  title: Method names
  version: 1.0.0
actions:
  - target: $.paths['/pets'].get
    update:
      x-method-name: listPets
`;

/** Long enough ago to be shown as a date, whenever the test runs. */
const at = (day: string): string => `2024-03-${day}T09:30:00Z`;
/** Half an hour more, so that the age is the same for as long. */
const hoursAgo = (hours: number): string => new Date(Date.now() - (hours + 0.5) * 3_600_000).toISOString();

const user = { id: 'u-7a1d', email: 'ada@acme.example', display_name: 'Ada', confirmed: true, admin: false };
const workspace = {
  id: ids.workspace,
  name: 'Petstore',
  slug: 'petstore',
  organization_id: ids.organization,
  created_at: at('01'),
  updated_at: at('02'),
  verified: true,
};
const organization = {
  id: ids.organization,
  name: 'Acme',
  slug: 'acme',
  account_type: 'business',
  created_at: at('01'),
  telemetry_disabled: false,
};
const token = {
  id: ids.token,
  name: 'deploy',
  alg: 'sha256',
  key: keys.token,
  created_at: at('04'),
  email: user.email,
};
const ciToken = { ...token, id: ids.ciToken, name: 'ci', created_at: at('03') };
const laptopToken = { ...token, id: ids.laptopToken, name: "Ada's laptop", created_at: at('02') };
const publishing = {
  id: ids.publishing,
  token_name: 'ci',
  token: keys.publishing,
  target_id: 'typescript',
  target_resource: 'documentation',
  created_at: at('04'),
  valid_until: '2024-06-02T09:30:00Z',
  created_by: user.id,
};
const event = (number: number, more: object) => ({
  id: ids.event.replace(/^./, String(number)),
  interaction_type: 'CLI_EXEC',
  created_at: hoursAgo(10 - number),
  local_started_at: hoursAgo(10 - number),
  execution_id: ids.execution,
  workspace_id: ids.workspace,
  success: true,
  duration_ms: 12,
  ...more,
});
const events = () => [
  event(9, {
    interaction_type: 'TARGET_GENERATE',
    generate_target: 'typescript',
    duration_ms: 5100,
    git_remote_default_owner: 'acme',
    git_remote_default_repo: 'petstore',
  }),
  event(8, {
    interaction_type: 'LINT',
    success: false,
    duration_ms: 400,
    error: '3 errors in openapi.yaml',
    gh_action_run_link: urls.failedRun,
  }),
  event(7, {}),
  event(6, { interaction_type: 'PUBLISH', generate_target: 'python', duration_ms: 31_000 }),
];
const revision = (digest: string, day: string, tags: readonly string[]) => ({
  id: `r-${day}`,
  digest,
  namespace_name: 'petstore',
  tags,
  created_at: at(day),
  contents_metadata: { type: 'openapi', title: 'Pet store', version: '1.0.0' },
});
const namespace = {
  id: `${organization.slug}/${workspace.slug}/petstore`,
  name: 'petstore',
  created_at: at('01'),
  updated_at: at('05'),
  latest_revision_metadata: { type: 'openapi', title: 'Pet store', version: '1.0.0' },
};
const sample = (operationId: string, path: string, code: string) => ({
  operationId,
  method: 'GET',
  path,
  language: 'typescript',
  code,
});

type Answer = readonly [status: number, body?: unknown];

const snippets: Answer = [
  200,
  {
    snippets: [
      sample('listPets', '/pets', 'const pets = await client.pets.list();\nconsole.log(pets);\n'),
      sample('getPet', '/pets/{petId}', "const pet = await client.pets.get('p-1');\n"),
    ],
  },
];

/** By method and path, without the query. `isLater`: the token of the screen has been created, or its run started. */
export const screenAnswers = (isLater: boolean): Readonly<Record<string, Answer>> => ({
  'GET /v1/auth/validate': [
    200,
    {
      workspace_id: ids.workspace,
      workspace_slug: workspace.slug,
      org_slug: organization.slug,
      account_type_v2: organization.account_type,
      workspace_created_at: workspace.created_at,
      generation_access_unlimited: true,
    },
  ],
  'GET /v1/user': [200, user],
  'GET /v1/workspaces': [
    200,
    [workspace, { ...workspace, id: ids.other, name: 'Billing and invoices', slug: 'billing' }],
  ],
  'GET /v1/workspace': [200, { workspace, organization }],
  [`GET /v1/workspace/${ids.workspace}`]: [200, workspace],
  [`GET /v1/workspace/${ids.workspace}/tokens`]: [200, [...(isLater ? [token] : []), ciToken, laptopToken]],
  [`POST /v1/workspace/${ids.workspace}/tokens`]: [204],
  [`DELETE /v1/workspace/${ids.workspace}/tokens/${ids.ciToken}`]: [204],
  [`GET /v1/workspace/${ids.workspace}/events`]: [200, events()],
  [`POST /v1/workspace/${ids.workspace}/events`]: [204],
  'GET /v1/organization': [200, [organization]],
  [`GET /v1/organization/${ids.organization}`]: [200, organization],
  'GET /v1/organization/usage': [
    200,
    [
      { language: 'typescript', operation_count: 42, workspaces: ['petstore'], accessible: true },
      { language: 'python', operation_count: 1223, workspaces: ['petstore', 'billing'], accessible: true },
    ],
  ],
  'GET /v1/publishing-tokens': [200, [publishing]],
  'POST /v1/publishing-tokens': [200, publishing],
  [`GET /v1/publishing-tokens/${ids.publishing}`]: [200, publishing],
  'GET /v1/artifacts/namespaces': [200, { namespaces: [namespace], next_page_token: '' }],
  'GET /v1/artifacts/namespaces/petstore/revisions': [
    200,
    {
      items: [revision(digests.revision, '05', ['v1', 'latest']), revision(digests.previous, '04', [])],
      next_page_token: '',
    },
  ],
  'GET /v1/artifacts/namespaces/petstore/tags': [
    200,
    [
      {
        id: 't-1',
        name: 'v1',
        namespace_name: 'petstore',
        revision_digest: digests.revision,
        updated_at: at('05'),
      },
    ],
  ],
  'POST /v1/artifacts/preflight': [200, { auth_token: 'r-1' }],
  'POST /v1/reports': [200, { url: urls.report }],
  'GET /v1/code_sample': snippets,
  'POST /v1/code_sample/preview': snippets,
  'GET /v1/schema_store': [
    200,
    {
      id: 'sch_1b9f',
      spec: 'openapi: 3.1.0\ninfo:\n  title: Petstore\n  version: 1.0.0\npaths: {}\n',
      packageName: '@acme/petstore',
      sdkClassname: 'Petstore',
      created_at: at('04'),
      format: 'yaml',
    },
  ],
  'POST /v1/short_urls': [200, { short_url: 'https://dtp.example/s/4f0c91', full_url: urls.document }],
  'GET /v1/codehost/action': [200, { run_url: urls.run, run_status: 'in_progress' }],
  'POST /v1/codehost/trigger_action': [204],
  'GET /v1/codehost/action of python': isLater ? [200, { run_url: urls.failedRun, run_status: 'failure' }] : [404],
  'GET /v1/workspace/access': [200, { generation_allowed: true, message: 'included in the plan', level: 'allowed' }],
  'POST /v1/suggest/openapi_from_summary': [200, overlay],
});

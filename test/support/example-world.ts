/** A world for examples: an embedded service with data of every kind, a profile with a credential, and files. */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { petstore } from '../story/petstore.ts';
import type { Ended } from './context.ts';
import { removeFolder } from './folders.ts';
import { type Served, serve } from './process.ts';

export interface ExampleWorld {
  /** Placeholders in examples for values that only exist in a run: the left string is replaced by the right one. */
  readonly table: readonly (readonly [shown: string, real: string])[];
  /** The variables that two kinds of CI runner set. */
  readonly runner: Readonly<Record<string, string>>;
  /** A copy of the world that one example may change. */
  readonly copy: () => string;
  readonly remove: () => Promise<void>;
}

const event = (id: string, more: object) =>
  JSON.stringify({
    id,
    execution_id: 'run-77',
    interaction_type: 'TARGET_GENERATE',
    local_started_at: '2026-01-31T12:00:00Z',
    created_at: '2026-01-31T12:00:00Z',
    success: true,
    generate_target: 'typescript',
    generate_gen_lock_id: 'sdk-ts',
    source_namespace_name: 'pets',
    ...more,
  });

const info = { title: 'Pets', summary: '', description: '', version: '1', license: {} };
const operation = { method: 'get', path: '/pets', operation_id: '', description: '', tags: [] };
const summary = { info, operations: [operation] };
const claims = Buffer.from(JSON.stringify({ repository_owner: 'acme' })).toString('base64url');

const jwt = `e30.${claims}.c2ln`;

/** The files that the examples name. */
const files: Readonly<Record<string, string>> = {
  'openapi.yaml': petstore,
  'spec/openapi.yaml': petstore,
  'events.ndjson': [event('e-1', {}), event('e-2', { success: false, error: 'no such file' }), ''].join('\n'),
  'lint.html': '<title>lint</title>\n',
  'changes.html': '<title>changes</title>\n',
  'publishing.json': JSON.stringify({
    target_id: 'sdk-ts',
    target_resource: 'document',
    valid_until: '2030-01-01T00:00:00Z',
    token_name: 'docs',
  }),
  'settings.yaml': 'webhook_url: https://hooks.example.com/dtp\n',
  'workspace.yaml': 'slug: staging\n',
  'team.txt': 'bob@example.com\ncarol@example.com\n',
  'package.json': JSON.stringify({ packageName: '@acme/pets', sdkClassname: 'Pets' }),
  'source.yaml':
    'inputs: [{ registry_url: registry.example.com/acme/main/pets }]\n' +
    'output: { registry_url: registry.example.com/acme/main/merged }\n',
  'oidc.jwt': `${jwt}\n`,
  'secrets.json': JSON.stringify({ NPM_TOKEN: 'n-1' }),
  'publishing-secrets.yaml': 'generate_gen_lock_id: sdk-ts\nsecrets: { NPM_TOKEN: n-1 }\n',
  'docsite.yaml': 'org: acme\nrepo: docs\ninput: openapi.yaml\noverlays: [overlay.yaml]\n',
  'summary.json': JSON.stringify({ oas_summary: summary, suggestion_type: 'method-names', diagnostics: [] }),
  'oas.json': JSON.stringify(summary),
  'items.txt': 'get /pets\npost /pets\n',
  '.dtp.json': '{}',
  'petstore/.dtp.json': JSON.stringify({ base_url: 'https://api.example.com' }),
  'send-events.sh': '#!/bin/sh\ndtp events post --body @events.ndjson -o json\n',
};

/** Runs a shell command in a world, with `dtp` on the PATH. */
export function inShell(folder: string, text: string, env: Readonly<Record<string, string>> = {}) {
  return new Promise<Ended>((done) => {
    const child = execFile(
      'bash',
      ['-e', '-o', 'pipefail', '-c', text],
      { cwd: join(folder, 'work'), env: { ...environment(folder), ...env } },
      (error, stdout, stderr) => done({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

export const environment = (folder: string) => ({
  PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
  HOME: folder,
  DTP_CONFIG_DIR: join(folder, 'config'),
  DTP_DATA_DIR: join(folder, 'data'),
  DTP_STATE_DIR: join(folder, 'state'),
  DTP_ERROR_FORMAT: 'text',
});

export async function makeWorld(): Promise<ExampleWorld> {
  const all = mkdtempSync(join(tmpdir(), 'dtp-examples-'));
  const folder = join(all, 'world');
  for (const name of ['bin', 'work/spec', 'work/petstore', 'served'])
    mkdirSync(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'work', name), text);
  const tool = resolve(import.meta.dirname, '../../bin/dtp.cjs');
  writeFileSync(join(folder, 'bin/dtp'), `#!/bin/sh\nexec '${process.execPath}' '${tool}' "$@"\n`);
  for (const name of ['bin/dtp', 'work/send-events.sh']) chmodSync(join(folder, name), 0o755);
  const service = await serve(join(folder, 'served'));
  // Commands without a terminal remember no URL.
  mkdirSync(join(folder, 'state'), { recursive: true, mode: 0o700 });
  const link = {
    kind: 'run',
    url: `${service.address}/runs/1`,
    base_url: service.address,
    profile: 'staging',
  };
  writeFileSync(join(folder, 'state/last-link.json'), JSON.stringify(link), { mode: 0o600 });
  writeFileSync(join(folder, 'work/key.txt'), service.key);
  const table = await fill(folder, service);
  const tokens = http.createServer((_, response) => response.end(JSON.stringify({ value: jwt })));
  await new Promise<void>((done) => tokens.listen(0, '127.0.0.1', done));
  let copies = 0;
  return {
    table,
    runner: {
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/?v=2`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the job',
      DTP_ID_TOKEN: jwt,
    },
    copy: () => {
      const to = join(all, String(copies++));
      cpSync(folder, to, { recursive: true });
      return to;
    },
    remove: async () => {
      await service.stop();
      tokens.close();
      removeFolder(all);
    },
  };
}

/** Creates what the examples mention. Returns a table of the names they use for it. */
async function fill(folder: string, service: Served): Promise<ExampleWorld['table']> {
  const run = async (text: string) => {
    const ended = await inShell(folder, text, { DTP_PROFILE: 'local' });
    if (ended.code !== 0) throw new Error(`${text}\n${ended.stderr}`);
    return ended.stdout.trim();
  };
  await run(
    `dtp --profile staging auth login --base-url ${service.address} --with-token < key.txt; dtp config use staging
    dtp --profile staging ws create --name petstore --slug petstore`,
  );
  const second = await run('dtp ws create --name Second -o name');
  await run(`dtp ws tokens create --name old-ci
    dtp orgs add-ons create --yes --add-ons webhooks --add-ons snippet_ai
    dtp artifacts push openapi.yaml --namespace pets --tag v1 --tag latest
    dtp events post --body @events.ndjson
    dtp events post --interaction-type LINT --no-success -f generate_gen_lock_id=docs
    dtp codehost access link --installation-id 42 --codehost-org acme
    dtp codehost configure target --org acme --repo-name sdk
    dtp codehost actions trigger --org acme --repo-name sdk --gen-lock-id sdk-ts --target-name sdk-ts
    digest=$(dtp artifacts revisions list pets -r --query 'items[0].digest')
    printf '{"revision_digest":"%s","tags":["stable","v1.0"]}' "$digest" > tags.json
    sed -i.bak s,acme/main,local/default, source.yaml
    dtp artifacts remote-sources create --body @source.yaml
    dtp reports upload --type linting --file lint.html
    dtp reports upload --type changes --file changes.html
    dtp artifacts namespaces set-visibility pets --public --yes
    dtp ws settings update --body @settings.yaml
    dtp ws feature-flags set --feature-flags webhooks`);
  const publishing = await run('dtp publishing-tokens create --body @publishing.json --target-id old -r --query id');
  const job = await run('dtp code-samples jobs create --schema-file openapi.yaml --language go -r --query job_id');
  await run(`dtp code-samples jobs get ${job} --wait`);
  const subscription = "items[?name=='merged'].composite_spec_metadata.subscription_id";
  return [
    ['ws_2c81', second],
    ['tok_4f9a', await run(`dtp ws tokens list -r --query "[?name=='old-ci'].id"`)],
    ['usr_8d13', await run('dtp ws team grant ann@example.com -r --query relationship.user_id')],
    ['org_91be', await run('dtp orgs list -o name')],
    ['ptk_5e20', publishing],
    ['job_77d0', job],
    ['sub_3a6b', await run(`dtp artifacts namespaces list -r --query "${subscription}"`)],
    [
      'sch_1b9f',
      await run('dtp schema-store create --body @package.json --spec openapi.yaml --format yaml -o name --yes'),
    ],
    // The slugs of the embedded service, and unused hosts and ports.
    ['acme/main', 'local/default'],
    ['https://api.example.com', service.address],
    // The keychain of this machine belongs to somebody. test/process/keychain.slow.test.ts has its own.
    ['--to keychain', '--to file'],
    ['--port 8080', '--port 0'],
  ];
}

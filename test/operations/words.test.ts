/** A deployment's words: which parts of a request they replace, and that the embedded service understands them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { replaceWords } from '../../src/operations/words.ts';
import { openSend } from '../../src/transport/send.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { send } from '../support/embedded-service.ts';
import { trustFolderFile } from '../support/folder-file.ts';
import { home, type Served, serve } from '../support/process.ts';
import { answer, guardWire, wire } from '../support/wire.ts';

const forge = { 'words.codehost': 'forge', 'words.docsite': 'pages' };
const swapped = { 'words.codehost': 'docsite', 'words.docsite': 'codehost' };

/** Every codehost operation, in an order in which each one succeeds. */
const commands: Readonly<Record<string, readonly string[]>> = {
  linkCodehostAccess: ['access', 'link', '--codehost-org', 'acme'],
  checkCodehostAccess: ['access', 'check', '--org', 'acme', '--repo', 'codehost'],
  getCodehostSetupState: ['setup', 'get', '--org', 'acme', '--repo', 'p', '--generate-gen-lock-id', 'g'],
  codehostCheckPublishingPRs: [
    ...['publishing-prs', 'check', '--org', 'acme', '--repo', 'p', '--generate-gen-lock-id', 'g'],
  ],
  codehostCheckPublishingSecrets: ['publishing-secrets', 'check', '--generate-gen-lock-id', 'g'],
  codehostStorePublishingSecrets: [
    ...['publishing-secrets', 'store', '--body', '{"generate_gen_lock_id":"g","secrets":{"codehost":"x"}}'],
  ],
  codehostConfigureCodeSamples: [
    ...['configure', 'code-samples', '--org', 'acme', '--repo', 'p', '--target-name', 't'],
  ],
  codehostConfigureDocsiteRepo: [
    ...['configure', 'docsite-repo', '--body', '{"org":"acme","repo":"p","input":"i","overlays":[]}'],
  ],
  codehostConfigureTarget: ['configure', 'target', '--org', 'acme', '--repo-name', 'p'],
  codehostTriggerAction: ['actions', 'trigger', '--org', 'acme', '--repo-name', 'p', '--gen-lock-id', 'g'],
  getCodehostAction: ['actions', 'get', '--org', 'acme', '--repo', 'p'],
};

test('the table has every operation with a replaceable word in its path', () => {
  const all: readonly Operation[] = Object.values(operations);
  const worded = all.filter(({ path }) => replaceWords(path, { codehost: 'x' }) !== path).map(({ id }) => id);
  expect(Object.keys(commands).sort()).toEqual(worded.sort());
});

describe.each([
  ['no words', {}],
  ['other words', forge],
  ['the two words swapped', swapped],
])('a folder with %s', (_, words) => {
  const folder = () => {
    const path = temporaryFolder();
    writeFileSync(join(path, '.dtp.json'), JSON.stringify(words));
    return path;
  };
  /** Runs the commands one after another. Returns those that failed. */
  const failing = async (run: (argv: readonly string[]) => Promise<{ code: number; stderr: string }>) => {
    const failed: string[] = [];
    // The secrets of a target depend on its language.
    const known = await run([
      ...['events', 'post', '--interaction-type', 'TARGET_GENERATE', '--success'],
      ...['-f', 'generate_gen_lock_id=g', '-f', 'generate_target=typescript'],
    ]);
    if (known.code !== 0) failed.push(known.stderr);
    for (const [id, argv] of Object.entries(commands)) {
      const { code, stderr } = await run(['codehost', ...argv]);
      if (code !== 0) failed.push(`${id}: ${stderr}`);
    }
    return failed;
  };

  test('--base-url local: accepts all eleven commands', async () => {
    const path = folder();
    expect(await failing((argv) => dtp([...argv, '--base-url', 'local:'], { home: path }))).toEqual([]);
  });

  test('dtp dev accepts all eleven commands', async () => {
    const path = folder();
    await trustFolderFile(path, path);
    let failed: readonly string[] | undefined;
    const ended = await dtp(['dev', '--ephemeral', '--', 'script'], {
      home: path,
      spawn: async ({ env }) => {
        const own = env as Readonly<Record<string, string>>;
        failed = await failing((argv) => dtp(argv, { home: path, env: own, openSend: opened }));
        return 0;
      },
    });
    expect([ended.code, failed]).toEqual([0, []]);
  });

  test('dtp serve accepts all eleven commands', async () => {
    const path = folder();
    await trustFolderFile(path, path);
    const service = await serve(path, ['--ephemeral']);
    try {
      const env = {
        DTP_BASE_URL: service.address,
        DTP_API_KEY: service.key,
        DTP_WORKSPACE_ID: service.workspace_id,
      };
      expect(await failing((argv) => dtp(argv, { home: path, env, openSend: opened }))).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});

const opened: Context['openSend'] = async (options) => openSend(options);

test('dtp dev understands the words of the given profile, and of the one that its command uses', async () => {
  const path = temporaryFolder();
  mkdirSync(join(path, 'config'));
  const profile = (word: string) => ({ base_url: 'https://api.example.test', 'words.codehost': word });
  writeFileSync(
    join(path, 'config', 'config.json'),
    JSON.stringify({ profiles: { default: profile('forge'), live: profile('hub') } }),
    { mode: 0o600 },
  );
  const statuses: number[] = [];
  const ended = await dtp(['dev', '--ephemeral', '--profile', 'live', '--', 'script'], {
    home: path,
    spawn: async ({ env }) => {
      for (const word of ['codehost', 'forge', 'hub', 'other']) {
        const headers = { 'x-api-key': String(env.DTP_API_KEY) };
        const asked = `/v1/${word}/action?org=o&repo=p`;
        statuses.push((await send(String(env.DTP_BASE_URL), 'GET', asked, { headers })).status);
      }
      return 0;
    },
  });
  expect([ended.code, ended.stderr, statuses]).toEqual([0, '', [200, 200, 200, 404]]);
});

describe('the embedded service with words', () => {
  const { folder, remove } = home();
  let service: Served;
  beforeAll(async () => {
    writeFileSync(join(folder, '.dtp.json'), JSON.stringify(forge));
    await trustFolderFile(folder, folder);
    service = await serve(folder, ['--ephemeral', '--fail', 'codehostTriggerAction=503']);
  });
  afterAll(async () => {
    await service.stop();
    remove();
  });
  const ask = (method: string, path: string) =>
    send(service.address, method, path, { headers: { 'x-api-key': service.key }, json: {} });

  test.each([
    ['GET', '/v1/codehost/action?org=codehost&repo=forge', 200, ''],
    ['GET', '/v1/forge/action?org=codehost&repo=forge', 200, ''],
    ['POST', '/v1/codehost/link?codehost_org=a', 204, ''],
    ['POST', '/v1/codehost/link?forge_org=a', 204, ''],
    ['POST', '/v1/forge/link?codehost_org=a', 204, ''],
    ['POST', '/v1/forge/link?x=1&forge%5Forg=a', 204, ''],
    ['POST', '/v1/forge/link?pages_oidc_token=a', 204, ''],
    ['POST', '/v1/forge/link?forge_oidc_token=a', 422, 'codehost_oidc_token must be'],
    ['POST', '/v1/forge/configure_docsite_repo', 422, 'org is required'],
    ['POST', '/v1/codehost/configure_pages_repo', 422, 'org is required'],
    ['POST', '/v1/forge/trigger_action', 503, 'injected fault'],
    ['POST', '/v1/forgery/link?forge_org=a', 404, '/v1/forgery/link not found'],
    ['DELETE', '/v1/forge/link', 405, '/v1/codehost/link only allows POST'],
    ['GET', '/v1/artifacts/namespaces/forge/tags', 404, 'forge'],
    ['GET', '/v1/artifacts/namespaces/codehost/tags', 404, 'codehost'],
  ])('%s %s returns %i', async (method, path, status, message) => {
    const { status: came, text } = await ask(method, path);
    expect([came, text]).toEqual([status, expect.stringContaining(message)]);
  });
});

describe('dtp api', () => {
  guardWire();

  test.each([
    // In the path of an operation, fixed words and the names of query parameters are replaced.
    ['GET', '/v1/codehost/setup?org=codehost', '/v1/forge/setup?org=codehost'],
    ['POST', '/v1/codehost/configure_docsite_repo', '/v1/forge/configure_pages_repo'],
    ['POST', '/v1/codehost/link?codehost_org=docsite&docsite=1', '/v1/forge/link?forge_org=docsite&docsite=1'],
    ['GET', '/v1/codehost/link?codehost_org=a', '/v1/forge/link?codehost_org=a'],
    // Path parameters are not replaced, even if they look like a word.
    ['GET', '/v1/artifacts/namespaces/codehost/tags', '/v1/artifacts/namespaces/codehost/tags'],
    ['POST', '/v1/artifacts/namespaces/docsite/tags', '/v1/artifacts/namespaces/docsite/tags'],
    ['PUT', '/v1/artifacts/namespaces/codehost/visibility', '/v1/artifacts/namespaces/codehost/visibility'],
    ['DELETE', '/v1/workspace/codehost/tokens/docsite', '/v1/workspace/codehost/tokens/docsite'],
    ['DELETE', '/v1/publishing-tokens/codehost', '/v1/publishing-tokens/codehost'],
    [
      'GET',
      '/v1/oci/v2/codehost/docsite/codehost/manifests/docsite',
      '/v1/oci/v2/codehost/docsite/codehost/manifests/docsite',
    ],
    // Paths of no operation, and paths with the deployment's words, are sent as typed.
    ['GET', '/v1/forge/setup?codehost_org=a', '/v1/forge/setup?codehost_org=a'],
    ['PUT', '/v1/codehost/unheard/of?codehost_org=a', '/v1/codehost/unheard/of?codehost_org=a'],
    ['DELETE', '/codehost', '/codehost'],
    ['POST', '/v1/codehosts/setup', '/v1/codehosts/setup'],
  ])('%s %s is sent as %s', async (method, typed, sent) => {
    const seen = answer(method, sent, [200, '{}']);
    const files = { '.dtp.json': JSON.stringify(forge) };
    const ended = await wire(['api', '-X', method, typed], { files });
    expect([ended.code, ended.stderr, seen.length]).toEqual([0, '', 1]);
  });
});

test.each([
  ['/v1/codehost/configure_docsite_repo', '/v1/docsite/configure_codehost_repo'],
  ['codehost_oidc_token', 'docsite_oidc_token'],
  ['/{codehost}/codehosts/xcodehost/{docsite_id}', '/{codehost}/codehosts/xcodehost/{docsite_id}'],
])('%s with swapped words is %s', (text, expected) => {
  expect(replaceWords(text, { codehost: 'docsite', docsite: 'codehost' })).toBe(expected);
});

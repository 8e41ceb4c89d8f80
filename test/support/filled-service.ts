/** An embedded service that has one of everything, and a second workspace of the same user. */
import { expect } from 'vitest';
import type { Served } from './embedded-service.ts';
import { form, LAYER, MANIFEST, publishing, REPORT, sample, target } from './every-request.ts';
import { PETSTORE } from './service-scope.ts';

interface Filled extends Pick<Served, 'call' | 'plain' | 'key' | 'workspaceId'> {
  readonly wait: (ms: number) => unknown;
}

/** Returns the ids, by the words that stand for them in `every-request.ts`, and what a stranger must not see. */
export async function fillService(service: Filled) {
  const at = `/v1/workspace/${service.workspaceId}`;
  const made = async (method: string, path: string, sent = {}) => {
    const answer = await service.call(method, path, sent);
    expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
    return answer.json;
  };
  const event = { id: 'e1', generate_gen_lock_id: 'lock-1', generate_target: 'typescript' };
  await made('POST', `${at}/events`, { json: [{ ...event, generate_target_name: 't' }] });
  await made('POST', '/v1/reports', form({ data: '{"type":"linting"}' }, ['file', REPORT]));
  await made('POST', '/v1/reports', form({ data: '{"type":"changes"}' }, ['file', REPORT]));
  await made('POST', `/v2/local/default/pets/blobs/uploads/?digest=${LAYER}`, { body: PETSTORE });
  const type = { 'content-type': 'application/vnd.oci.image.manifest.v1+json' };
  await made('PUT', '/v2/local/default/pets/manifests/v1', { body: MANIFEST, headers: type });
  const source = { inputs: [{ registry_url: 'pets:v1' }], output: { registry_url: 'merged' } };
  await made('POST', '/v1/artifacts/remote_sources', { json: source });
  await made('POST', '/v1/codehost/link?codehost_org=acme');
  await made('POST', '/v1/codehost/configure_target', { json: target });
  await made('POST', '/v1/codehost/publishing_secrets', {
    json: { generate_gen_lock_id: 'lock-1', secrets: { NPM_TOKEN: 'npm_secret' } },
  });
  await made('POST', '/v1/organization/add_ons', { json: { add_ons: ['snippet_ai'] } });
  const hook = 'https://hooks.example.com/a-secret-path';
  await made('PUT', `${at}/settings`, { json: { webhook_url: hook } });
  const grant = await made('PUT', `${at}/team/email/ann@a.example`);
  const page = await service.plain('GET', new URL(grant.invite_link).pathname);
  const job = await made('POST', '/v1/code_sample/preview/async', sample);
  await service.wait(2000);
  const token = await made('POST', '/v1/publishing-tokens', { json: publishing });
  const spec = { spec: PETSTORE, packageName: 'p', sdkClassname: 'C', format: 'yaml' };
  const schema = await made('POST', '/v1/schema_store', { json: spec });
  const second = await made('POST', '/v1/workspace', { json: { name: 'Second' } });
  // The usage of the organization names the second workspace too.
  await made('POST', `/v1/workspace/${second.id}/events`, {
    json: [{ id: 'e9', generate_gen_lock_id: 'lock-9', generate_target: 'typescript' }],
  });
  const { items } = await made('GET', '/v1/artifacts/namespaces');
  const merged = items.find(({ name }: { name: string }) => name === 'merged');
  const tokens: { id: string; key: string }[] = await made('GET', `${at}/tokens`);
  const values = {
    WORKSPACE_ID: service.workspaceId,
    ORGANIZATION_ID: (await made('GET', '/v1/workspace')).organization.id,
    JOB_ID: job.job_id,
    PUBLISHING_ID: token.id,
    SCHEMA_ID: schema.id,
    MEMBER_ID: grant.relationship.user_id,
    TOKEN_ID: tokens[1]?.id ?? '',
    SUBSCRIPTION_ID: merged.composite_spec_metadata.subscription_id,
  };
  const keys = tokens.map(({ key }) => key);
  expect(keys).toEqual([service.key, /dtp_\w+/.exec(page.text)?.[0]]);
  const secrets = [...keys, token.token, hook, 'npm_secret', second.id];
  return { values: values as Readonly<Record<string, string>>, secrets };
}

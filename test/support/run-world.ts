/** A workspace with a code host, over a real socket: requests that prepare, trigger and follow runs. */
import { expect } from 'vitest';
import type { Served } from './embedded-service.ts';
import { sha256 } from './service-scope.ts';

export const repo = 'org=acme&repo=sdk';

export function runsOf(service: () => Served) {
  const get = async (path: string) => (await service().call('GET', path)).json;
  const post = async (path: string, json: unknown) => {
    const made = await service().call('POST', path, { json });
    expect([path, made.status, made.text]).toEqual([path, expect.toSatisfy((one) => one < 300), made.text]);
  };
  const events = (query = '') => get(`/v1/workspace/${service().workspaceId}/events${query}`);
  const action = () => get(`/v1/codehost/action?${repo}`);
  const pull = () => get(`/v1/codehost/publishing_prs?${repo}&generate_gen_lock_id=lock`);
  const page = async () => (await service().plain('GET', new URL((await action()).run_url).pathname)).json;

  async function push(namespace: string, body: string) {
    const digest = sha256(body);
    await service().call('POST', `/v2/local/default/${namespace}/blobs/uploads/?digest=${digest}`, { body });
    const manifest = JSON.stringify({
      schemaVersion: 2,
      layers: [{ mediaType: 'application/yaml', digest }],
    });
    await service().call('PUT', `/v2/local/default/${namespace}/manifests/latest`, { body: manifest });
    return sha256(manifest);
  }

  const known = (more: object = {}) =>
    post(`/v1/workspace/${service().workspaceId}/events`, [
      {
        id: `known ${JSON.stringify(more)}`,
        interaction_type: 'TARGET_GENERATE',
        generate_gen_lock_id: 'lock',
        generate_target: 'typescript',
        generate_target_name: 'ts',
        source_namespace_name: 'pets',
        generate_config_post_version: '1.2.9',
        ...more,
      },
    ]);

  async function configure() {
    await post('/v1/codehost/link?codehost_org=acme', {});
    await post('/v1/codehost/configure_target', { org: 'acme', repo_name: 'sdk' });
  }

  const trigger = (more: object = {}) =>
    post('/v1/codehost/trigger_action', { org: 'acme', repo_name: 'sdk', gen_lock_id: 'lock', ...more });

  /** Triggers a run and waits for its end. Returns its page. */
  async function run(more: object = {}) {
    await trigger(more);
    service().wait(1500);
    return page();
  }
  return { get, post, events, action, pull, page, push, known, configure, trigger, run };
}

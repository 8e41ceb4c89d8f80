/** Runs of the workflow action that fail: for a reason, or because a fault was injected. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseFault, withFaults } from '../../../src/service/http/faults.ts';
import { createService } from '../../../src/service/service.ts';
import { type Served, served } from '../../support/embedded-service.ts';
import { repo, runsOf } from '../../support/run-world.ts';
import { PETSTORE } from '../../support/service-scope.ts';

let service: Served;
beforeEach(async () => {
  service = await served();
});
afterEach(() => service.close());

const { get, post, events, action, pull, push, known, configure, run } = runsOf(() => service);

test.each<[string, () => Promise<unknown>, RegExp]>([
  ['the lock id is unknown', async () => {}, /^no target has the lock id lock$/],
  [
    'the language is unknown',
    async () => known({ generate_target: undefined }),
    /^the language of the target lock is not known/,
  ],
  ['the source does not exist', () => known(), /^the source pets does not exist/],
  [
    'the default source does not exist',
    () => known({ source_namespace_name: undefined }),
    /^the source sdk-source does not exist/,
  ],
  [
    'the document is not valid JSON or YAML',
    async () => {
      await push('pets', '{"openapi"');
      await known();
    },
    /^pets is not valid JSON or YAML/,
  ],
  [
    'the document is not OpenAPI',
    async () => {
      await push('pets', 'a: 1');
      await known();
    },
    /^pets is not an OpenAPI/,
  ],
  [
    'the source is archived',
    async () => {
      await push('pets', PETSTORE);
      await known();
      await post('/v1/artifacts/namespaces/pets/archive', {});
    },
    /^the source pets is archived/,
  ],
  [
    'the plan does not include the language',
    async () => {
      await push('pets', PETSTORE);
      await known({ generate_target: 'go', generate_gen_lock_id: 'other' });
      await known();
    },
    /^the free plan includes 1 language \(go\), not typescript/,
  ],
  [
    'the document has more operations than the plan includes',
    async () => {
      const paths = Object.fromEntries(Array.from({ length: 251 }, (_, index) => [`/p${index}`, { get: {} }]));
      await push('pets', JSON.stringify({ openapi: '3.1.0', info: {}, paths }));
      await known();
    },
    /^the free plan includes 250 operations for a language, not the 251 of typescript/,
  ],
])('a run fails if %s, and says why', async (_name, prepare, reason) => {
  await prepare();
  await configure();
  const isKnown = (await get('/v1/workspace/events/targets')).some(({ id }: { id: string }) => id === 'lock');
  const failed = await run();
  expect(failed).toMatchObject({ run_status: 'failure', error: expect.stringMatching(reason) });
  expect((await action()).run_status).toBe('failure');
  const [event] = await events('?interaction_type=CI_EXEC');
  expect(event).toMatchObject({ success: false, error: failed.error, execution_id: expect.any(String) });
  expect(await pull()).toEqual({});
  // A failure does not make an unknown target known.
  expect(event.generate_gen_lock_id).toBe(isKnown ? 'lock' : undefined);
  expect(await run()).toMatchObject({ run_status: 'failure', error: failed.error });
});

test('a fault makes the next run fail after it was accepted', async () => {
  await push('pets', PETSTORE);
  await known();
  await configure();
  const fault = parseFault('codehostTriggerAction=failurex1', 'fail');
  expect(fault).toMatchObject({ what: { run: 'failure' }, times: 1 });
  expect(() => parseFault('uploadReport=failure', 'fail')).toThrow('invalid status "failure"');
  let time = Date.parse('2025-03-01T11:00:00Z');
  const handle = createService(service.store, { now: () => time });
  const options = { faults: [fault], latencyMs: 0, sleep: async () => {}, random: () => 0 };
  const send = withFaults(handle, options);
  const ask = async (method: string, path: string, body?: string) => {
    const headers = { 'x-api-key': service.key, ...(body && { 'content-type': 'application/json' }) };
    const bytes = body === undefined ? {} : { body: Buffer.from(body) };
    const answer = await send(
      { method, url: `local:${path}`, headers, ...bytes },
      { signal: AbortSignal.timeout(60_000) },
    );
    const pieces: Uint8Array[] = [];
    for await (const piece of answer.body) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
  };
  const request = JSON.stringify({ org: 'acme', repo_name: 'sdk', gen_lock_id: 'lock' });
  for (const expected of ['failure', 'completed']) {
    expect((await ask('POST', '/v1/codehost/trigger_action', request)).status).toBe(204);
    time += 1500;
    expect((await ask('GET', `/v1/codehost/action?${repo}`)).json.run_status).toBe(expected);
  }
  const failed = await ask('GET', `/v1/workspace/${service.workspaceId}/events?success=false`);
  expect(failed.json).toMatchObject([{ error: 'injected failure', generate_gen_lock_id: 'lock' }]);
});

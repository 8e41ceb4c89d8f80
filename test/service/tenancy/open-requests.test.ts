/** Requests that are still open when the access of their user is revoked. */
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createService } from '../../../src/service/service.ts';
import { openInProcessWorker } from '../../support/document-worker.ts';
import { requestTo, served } from '../../support/embedded-service.ts';

/** A service with an invited user, whose credentials are returned. `begun` has the URLs of all requests until now. */
async function invited() {
  const begun: string[] = [];
  const service = await served(':memory:', ({ send }) => ({
    send: (incoming, options) => {
      begun.push(incoming.url);
      return send(incoming, options);
    },
  }));
  onTestFinished(() => service.close());
  const at = `/v1/workspace/${service.workspaceId}`;
  const { json } = await service.call('PUT', `${at}/team/email/ann@a.example`);
  const page = await service.plain('GET', new URL(json.invite_link).pathname);
  const key = { 'x-api-key': /dtp_[0-9a-f]{64}/.exec(page.text)?.[0] ?? '' };
  const tokenAt = async (path: string, name: string) => {
    const { json: token } = await service.plain('GET', path, { headers: key });
    return { authorization: `Bearer ${token[name]}` };
  };
  const scope = 'repository:local/default/pets:pull,push';
  const kinds = {
    'API key': key,
    'access token': await tokenAt(`/v1/auth/access_token?workspace_id=${service.workspaceId}`, 'access_token'),
    'registry token': await tokenAt(`/v2/token?scope=${scope}`, 'token'),
  };
  const revoke = () => service.call('DELETE', `${at}/team/${json.relationship.user_id}`);
  return { service, at, kinds, begun, revoke };
}

test.each(['API key', 'access token', 'registry token'] as const)(
  'a request with the %s of the user that began before the revocation ends, and stores nothing more',
  async (kind) => {
    const { service, at, kinds, begun, revoke } = await invited();
    const headers = { accept: '*/*', ...kinds[kind] };
    const started = await service.plain('POST', '/v2/local/default/pets/blobs/uploads/', { headers });
    const events = ['POST', `${at}/events`] as const;
    const sent = [['PATCH', started.headers.location] as const, ...(kind === 'registry token' ? [] : [events])];
    const before = begun.length;
    const open = sent.map(([method, path]) => requestTo(new URL(String(path), service.address), { method, headers }));
    const answers = open.map((outgoing) => once(outgoing, 'response'));
    for (const outgoing of open) outgoing.write('[{"id":"late"}');
    await expect.poll(() => begun.length).toBe(before + open.length);
    expect((await revoke()).status).toBe(204);
    service.wait(1000);
    for (const outgoing of open) outgoing.end(']');
    for (const answer of answers) {
      const [{ statusCode, headers: got }] = await answer;
      expect([statusCode, got['www-authenticate']]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
    }
    expect(service.store.all('SELECT id FROM events')).toEqual([]);
  },
);

test('a request whose document was processed meanwhile stores nothing', async () => {
  const { service, kinds, revoke } = await invited();
  let now = Date.parse('2025-03-01T10:00:00.000Z');
  const run = async () => {
    await revoke();
    now += 1000;
    return Buffer.alloc(0);
  };
  const handle = createService(service.store, { now: () => now }, { ...openInProcessWorker(), run });
  const item = { spec: '{}', packageName: 'pets', sdkClassname: 'Pets', format: 'json' };
  const request = {
    method: 'POST',
    url: `${service.address}/v1/schema_store`,
    headers: { ...kinds['API key'], 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(item)),
  };
  const { status } = await handle(request, { signal: new AbortController().signal });
  expect([status, service.store.all('SELECT * FROM schema_store')]).toEqual([401, []]);
});

/** Errors about events: which event was rejected and why, and how long queued events can still be sent. */
import { expect, test } from 'vitest';
import type { HttpResponse } from '../../../src/request/http.ts';
import { type Ended, temporaryFolder, type World } from '../../support/context.ts';
import { events, receiver, refusal } from '../../support/event-service.ts';

/** Rejects a batch with the event `e-bad`, whose place the message names. */
const refusing =
  (said: (at: number) => string): NonNullable<World['openSend']> =>
  async () => ({
    send: async ({ body }): Promise<HttpResponse> => {
      const sent: { id?: unknown }[] = JSON.parse(Buffer.from(body as Uint8Array).toString());
      const at = sent.findIndex(({ id }) => id === 'e-bad' || id === 5);
      return {
        status: at < 0 ? 204 : 422,
        headers: {},
        body: (async function* () {
          if (at >= 0) yield Buffer.from(JSON.stringify({ message: said(at) }));
        })(),
      };
    },
    close: async () => undefined,
  });

const good = ['e-1', 'e-2', 'e-3'].map((id) => ({ id }));

test.each<[event: unknown, said: (at: number) => string, shown: string]>([
  [{ id: 'e-bad' }, (at) => `body[${at}].created_at must be a time`, 'event e-bad: created_at must be a time'],
  [{ id: 'e-bad' }, (at) => `body[${at}] must be an object`, 'event e-bad: must be an object'],
  [{ id: 5 }, (at) => `body[${at}].id must be a string`, 'an event without a valid id: id must be a string'],
  [{ id: 'e-bad' }, () => 'body[99].id is wrong', 'body[99].id is wrong'],
  [{ id: 'e-bad' }, () => 'created_at is wrong', 'created_at is wrong'],
])('of %j', async (event, said, shown) => {
  const stdin = [...good, event, { id: 'e-4' }].map((one) => JSON.stringify(one)).join('\n');
  const home = temporaryFolder();
  const openSend = refusing(said);
  const { code, stderr } = await events(['post', '--body', '-'], { home, stdin, openSend });
  expect([code, stderr]).toEqual([14, expect.stringContaining(shown)]);
  const listed: Ended = await events(['queue', 'list', '-o', 'json'], { home });
  expect(JSON.parse(listed.stdout)).toMatchObject([{ events: 1, state: 'rejected' }]);
});

test.each([
  ['https://api.example.test', '1 event is queued. Send it with:'],
  ['http://127.0.0.1:4001', '1 event is queued. Send it while this service runs, with:'],
])('an event for %s that is queued', async (base, hint) => {
  const { openSend } = receiver(() => refusal);
  const env = { DTP_BASE_URL: base };
  const { code, stderr } = await events(['post', '--body', '{"id":"e-1"}'], { env, openSend });
  expect([code, stderr]).toEqual([75, expect.stringContaining(hint)]);
});

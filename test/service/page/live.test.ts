/** Streams of views: what arrives, how often, how many at once, and how they end. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { insertEvents } from '../../../src/service/data/events.ts';
import { openStore } from '../../../src/service/data/store.ts';
import { openStream, type ServedPage, servedPage } from '../../support/page-service.ts';
import { home } from '../../support/process.ts';

const { folder, remove } = home();
let file = '';
let service: ServedPage;
const open = (view: string) => openStream(service.address, view, service.cookie);
let count = 0;
beforeEach(async () => {
  file = join(folder, `${++count}.db`);
  service = await servedPage(file);
});
afterEach(() => service.close());
afterAll(remove);

const events = () => `/v1/workspace/${service.workspaceId}/events`;

test('an event appears, whether this process or another one has stored it', async () => {
  const stream = open('');
  expect([await stream.status, await stream.until('No events yet')]).toEqual([
    200,
    expect.stringMatching(/^retry: \d+\n\nevent: view\ndata: /),
  ]);
  await service.call('POST', events(), { json: [{ id: 'of-a-connection' }] });
  expect(await stream.until('/-/events/of-a-connection')).toContain('/-/events/of-a-connection');
  // Another process has another connection to the database.
  const other = openStore(file);
  insertEvents(other, service.workspaceId, [{ id: 'of-a-process' }], new Date());
  other.close();
  expect(await stream.until('/-/events/of-a-process')).toContain('/-/events/of-a-process');
  stream.close();
});

test('each live view is sent again, with its query', async () => {
  await service.call('POST', events(), {
    json: [{ id: 'good', success: true, execution_id: 'r-1', interaction_type: 'a' }],
  });
  const streams = ['?outcome=failed', '?type=a?b', 'runs', 'runs/r-1', 'requests'].map(
    (view) => [view, open(view)] as const,
  );
  await service.call('POST', events(), {
    json: [{ id: 'bad', success: false, execution_id: 'r-1', interaction_type: 'a?b' }],
  });
  for (const [view, stream] of streams) {
    const words =
      { '?outcome=failed': '/-/events/bad', runs: 'failed', requests: 'POST /v1/workspace' }[view] ?? 'events/bad';
    expect([view, await stream.until(words)]).toEqual([view, expect.stringContaining(words)]);
    if (view.startsWith('?')) expect(stream.text()).not.toContain('/-/events/good');
    stream.close();
  }
});

test('many changes within a second are one view', async () => {
  const stream = open('');
  await stream.until('event: view');
  const start = performance.now();
  for (let number = 0; number < 50; number++) await service.call('POST', events(), { json: [{ id: `e-${number}` }] });
  await stream.until('/-/events/e-49');
  const seconds = (performance.now() - start) / 1000;
  expect(stream.text().match(/event: view/g)?.length).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
  stream.close();
});

test('twenty streams may be open, and one that is closed makes room', async () => {
  const all = Array.from({ length: 20 }, () => open(''));
  for (const stream of all)
    expect([await stream.status, await stream.until('event: view')]).toEqual([200, expect.any(String)]);
  const next = open('');
  expect(await next.status).toBe(503);
  all[0]?.close();
  const retry = async (): Promise<number> => {
    const stream = open('');
    const status = await stream.status;
    all.push(stream);
    return status === 503 ? retry() : status;
  };
  expect(await retry()).toBe(200);
  for (const stream of all) stream.close();
});

test('the end of the server ends the streams at once', async () => {
  const stream = open('');
  await stream.until('event: view');
  // If it had waited for the stream, it would have ended it by force.
  expect(await service.end()).toBe(true);
  await stream.until('nothing more comes');
  service = await servedPage(file);
});

/** A flush that runs out of time leaves the rest in the queue, and says how much. */
import { expect, test } from 'vitest';
import { wallClock } from '../../support/clocks.ts';
import { temporaryFolder } from '../../support/context.ts';
import { type Answer, events, ndjson, receiver, refusal } from '../../support/event-service.ts';

const eventsIn = (listed: string): number =>
  JSON.parse(listed).reduce((sum: number, one: { events: number }) => sum + one.events, 0);

test('a flush whose --timeout expires exits with 75, and counts the events that are left', async () => {
  const home = temporaryFolder();
  const post = ['post', '--body', '-', '--batch-size', '10', '--concurrency', '1'];
  await events(post, { home, stdin: ndjson(30), openSend: receiver(() => refusal).openSend });
  const hangs: Answer = (_, call, signal) =>
    call === 1 ? 200 : new Promise((__, failed) => signal.addEventListener('abort', () => failed(signal.reason)));
  const world = { home, clock: wallClock, env: { DTP_ERROR_FORMAT: 'json' }, openSend: receiver(hangs).openSend };
  const ended = await events(['queue', 'flush', '--timeout', '1s'], world);
  const { message, details } = JSON.parse(ended.stderr).error;
  const left = eventsIn((await events(['queue', 'list'], { home })).stdout);
  expect([ended.code, details.pending, details.delivered]).toEqual([75, left, 30 - left]);
  expect(message).toContain(`${left} events could not be delivered and are still queued: no result within 1 s`);
});

/** Sends requests to a service that may answer with 503. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Answer, send as sendOnce } from './embedded-service.ts';

let count = 0;

/** How many requests were sent again. */
export const repeated = (): number => count;

/** Sends a request again after a 503: on a slow machine, more requests than it can answer wait for the database. */
export async function send(...request: Parameters<typeof sendOnce>): Promise<Answer> {
  const answer = await sendOnce(...request);
  if (answer.status !== 503) return answer;
  expect(Number(answer.headers['retry-after']), answer.text).toBeGreaterThan(0);
  count++;
  await sleep(1000);
  return send(...request);
}

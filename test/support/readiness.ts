/** What the tests of a service with a failing database expect of its answers. */
import { expect } from 'vitest';
import { type Answered, ask } from './poster.ts';
import type { Served } from './process.ts';
import type { Sqld } from './sqld.ts';

/** The longest time for an answer, in milliseconds: three times as long as all its waits for the database together. */
export const LIMIT_MS = 60_000;

/** Expects the answer of a service that cannot use its database. */
export function expectClear({ status, retryAfter, text, time }: Answered): void {
  expect(status, text).toBe(503);
  expect(Number(retryAfter)).toBeGreaterThan(0);
  expect(JSON.parse(text).message).toMatch(
    /^(the database cannot be (reached|used)|too many requests are in progress)/,
  );
  expect(time).toBeLessThan(LIMIT_MS);
}

export const statusOf = async (path: string, { address }: Pick<Served, 'address'>): Promise<number> =>
  (await ask(address + path)).status;

/** Waits for a status of `/readyz`. Returns the time, in milliseconds. */
export async function untilReady(expected: number, of: Pick<Served, 'address'>): Promise<number> {
  const start = performance.now();
  while ((await statusOf('/readyz', of)) !== expected) expect(await statusOf('/healthz', of)).toBe(200);
  return performance.now() - start;
}

/** Executes statements on the database itself. The connection stays open. */
export async function execute({ url }: Sqld, ...statements: readonly string[]): Promise<void> {
  const requests = statements.map((sql) => ({ type: 'execute', stmt: { sql } }));
  const response = await fetch(`${url}/v2/pipeline`, { method: 'POST', body: JSON.stringify({ requests }) });
  expect(response.status).toBe(200);
}

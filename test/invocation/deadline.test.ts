/** Time limits of commands, and their extension while a file is transferred. */
import { expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { openDeadline } from '../../src/invocation/deadline.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { Send } from '../../src/request/http.ts';
import type { Settings } from '../../src/settings/resolve.ts';

const settings = (timeout?: string) =>
  ({
    values: timeout === undefined ? {} : { timeout: { value: timeout, source: '--timeout' } },
  }) as unknown as Settings;

/** Every sleep ends at once, after `moved` bytes were transferred. */
async function sleepsOf(operation: Operation, moved: number, timeout?: string) {
  const sleeps: number[] = [];
  let open: (() => void) | undefined;
  const gate = new Promise<void>((done) => {
    open = done;
  });
  const clock = {
    now: () => 0,
    sleep: async (ms: number) => {
      await gate;
      sleeps.push(ms);
    },
  };
  const context = { clock, signal: new AbortController().signal } as unknown as Context;
  const deadline = openDeadline(context, operation, settings(timeout));
  const send: Send = async ({ body }) => {
    if (body && 'open' in body) for await (const _ of body.open());
    return { status: 200, headers: {}, body: pieces(moved / 2) };
  };
  const body = { size: moved / 2, open: () => pieces(moved / 2) };
  const { body: answer } = await deadline.moving(send)(
    { method: 'POST', url: 'https://api.example.test', headers: {}, body },
    deadline,
  );
  for await (const _ of answer);
  open?.();
  await new Promise((done) => deadline.signal.addEventListener('abort', done));
  return { sleeps, reason: deadline.signal.reason.message };
}

async function* pieces(size: number) {
  for (let left = size; left > 0; left -= 50_000) yield new Uint8Array(Math.min(left, 50_000));
}

test.each([
  ['a blob', operations.getBlob, 0, undefined, [60_000]],
  ['a blob that moved 10 MB', operations.getBlob, 10_000_000, undefined, [60_000, 100_000]],
  ['a report that moved 1 MB', operations.uploadReport, 1_000_000, undefined, [60_000, 10_000]],
  ['its signed URL', operations.getLintingReportSignedUrl, 1_000_000, undefined, [60_000, 10_000]],
  ['a suggestion, which has longer', operations.suggestOpenAPI, 1_000_000, undefined, [300_000, 10_000]],
  ['a list, which is not a file', operations.getWorkspaces, 10_000_000, undefined, [60_000]],
  ['what the user gives is for the whole', operations.getBlob, 10_000_000, '5s', [5000]],
  ['a short one, in milliseconds', operations.getWorkspaces, 0, '7ms', [7]],
  ['a fraction of a second', operations.getWorkspaces, 0, '300ms', [300]],
] as const)('%s', async (_, operation, moved, timeout, expected) => {
  const { sleeps, reason } = await sleepsOf(operation, moved, timeout);
  expect(sleeps).toEqual(expected);
  const ms = expected.reduce<number>((sum, one) => sum + one, 0);
  expect(reason).toBe(`no result within ${ms < 100 ? `${ms} ms` : `${ms / 1000} s`}`);
});

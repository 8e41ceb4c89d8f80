/** Pages that would never end: limited by --timeout, and by the number of empty pages. */
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { dtp } from '../../support/context.ts';

/** A clock that moves only on demand and wakes up the waits that it passes. */
function steppedClock() {
  let time = 0;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  const clock: Clock = {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((done, failed) => {
        const sleeper = { at: time + ms, wake: done };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          failed(signal.reason);
        });
      }),
  };
  const step = async (ms: number) => {
    time += ms;
    for (const one of [...sleepers]) if (one.at <= time && sleepers.delete(one)) one.wake();
    await new Promise((done) => setImmediate(done));
  };
  return { clock, step };
}

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1' };

interface Service {
  readonly rowsOf: (page: number) => readonly unknown[];
  readonly last?: number;
  /** How long each page takes. */
  readonly ms?: number;
}

/** Runs a command against a service with many pages and returns how many were requested. */
async function asked(line: string, { rowsOf, last = Number.POSITIVE_INFINITY, ms = 0 }: Service) {
  const { clock, step } = steppedClock();
  let pages = 0;
  const openSend = async () => ({
    send: async (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
      await step(ms);
      signal.throwIfAborted();
      const page = ++pages;
      if (page > 1000) throw new Error('pages without end');
      const next = page >= last ? '' : `t${page}`;
      const body = Buffer.from(JSON.stringify({ items: rowsOf(page), next_page_token: next }));
      const content = async function* () {
        yield body;
      };
      return { status: 200, headers: { 'content-type': 'application/json' }, body: content() };
    },
    close: async () => undefined,
  });
  const ended = await dtp(line.split(' '), { env, clock, openSend });
  return { ...ended, pages };
}

const commands = [
  'artifacts revisions list pets --all',
  'artifacts revisions list pets --all -o ndjson',
  'artifacts revisions list pets --all --retry 3',
  'artifacts revisions list pets --limit 5000',
  'artifacts revisions list pets --limit 5000 -o ndjson',
  'api /v1/x --paginate',
  'api /v1/x --paginate -o ndjson',
  'api /v1/x --paginate --query items[].digest',
];
const full = (page: number) => [{ digest: `d${page}` }];

test.each(commands)('dtp %s --timeout 35s stops when its pages have taken 35 s in total', async (line) => {
  const { code, stderr, pages } = await asked(`${line} --timeout 35s`, { rowsOf: full, ms: 10_000 });
  expect([code, pages]).toEqual([124, 3]);
  expect(stderr).toContain('no result within 35 s');
});

test.each(commands)('dtp %s gives each page the usual time, if none is given', async (line) => {
  const { code, stderr, pages } = await asked(line, { rowsOf: full, ms: 10_000, last: 20 });
  expect([code, pages], stderr).toEqual([0, 20]);
});

test.each(commands)('dtp %s ends after 100 empty pages in a row', async (line) => {
  const { code, stderr, pages } = await asked(line, { rowsOf: () => [] });
  expect([code, pages]).toEqual([12, 100]);
  expect(stderr).toContain('the service sent 100 empty pages in a row');
});

test.each(commands)('dtp %s goes on after 99 empty pages, and ends well on an empty last one', async (line) => {
  const some = (page: number) => (page % 100 === 0 ? full(page) : []);
  const { code, stderr, stdout, pages } = await asked(line, { rowsOf: some, last: 399 });
  expect([code, pages], stderr).toEqual([0, 399]);
  expect(stdout).toContain('d300');
  expect(await asked(line, { rowsOf: () => [], last: 100 })).toMatchObject({ code: 0, pages: 100 });
});

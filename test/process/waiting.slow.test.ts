/** --wait as whole processes: the exit code, the message, the polls, and both streams. */
import { afterAll, expect, test } from 'vitest';
import { dtp, home } from '../support/process.ts';
import { type Answer, openEcho } from '../support/recording-service.ts';

const { folder, remove } = home();
afterAll(remove);

type Reply = readonly [status: number, body: string];

/** Runs `code-samples jobs get` against a service whose polls get these replies. The last one is repeated. */
async function poll(flags: readonly string[], ...replies: readonly Reply[]) {
  const answer: Answer = () => replies[Math.min(echo.asked.length, replies.length) - 1];
  const echo = await openEcho(answer);
  try {
    const argv = ['code-samples', 'jobs', 'get', 'j_1', '--poll-interval', '10ms', ...flags];
    const env = { DTP_BASE_URL: echo.address, DTP_API_KEY: 'k-1', DTP_ERROR_FORMAT: 'text' };
    const { code, stdout, stderr } = await dtp(folder, argv, { env });
    return { code, stdout, stderr, polls: echo.asked.length };
  } finally {
    echo.close();
  }
}

const running: Reply = [202, '{"status":"queued"}'];
const down: Reply = [503, '{"message":"down"}'];

test('a running job prints its status and exits with 8', async () => {
  const ended = await poll([], running);
  expect(ended).toMatchObject({ code: 8, stdout: '{\n  "status": "queued"\n}\n', polls: 1 });
  expect(ended.stderr).toContain('the job is still running');
});

test('a job that ends after an outage prints its result', async () => {
  const ended = await poll(['--wait'], running, down, down, running, [200, '{"snippets":[]}']);
  expect([ended.code, JSON.parse(ended.stdout), ended.polls]).toEqual([0, { snippets: [] }, 5]);
});

test.each<[reply: Reply, code: number, message: string]>([
  [[404, '{}'], 6, '404 from GET'],
  [[422, '{}'], 7, '422 from GET'],
  [[501, '{}'], 10, '501 from GET'],
  [[200, 'garbage'], 12, '200 from GET'],
])('%j ends the wait', async (reply, code, message) => {
  const ended = await poll(['--wait'], running, reply);
  expect([ended.code, ended.stdout, ended.polls]).toEqual([code, '', 2]);
  expect(ended.stderr).toContain(message);
});

test('the wait times out with the last state', async () => {
  const ended = await poll(['--wait', '--wait-timeout', '3s'], running, down);
  expect([ended.code, ended.stdout]).toEqual([124, '']);
  expect(ended.stderr).toContain('the job did not finish within 3 s: the job is still running. The last poll');
});

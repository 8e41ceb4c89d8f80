/** The page of `dtp serve` as a process: a failed command is explained there, and open pages do not keep it running. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../support/embedded-service.ts';
import { cookieIn, openStream } from '../../support/page-service.ts';
import { dtp, home, type Served, serve } from '../../support/process.ts';

const { folder, remove } = home();
let service: Served;
let cookie: string;
beforeAll(async () => {
  service = await serve(folder);
  cookie = cookieIn(await send(service.address, 'POST', '/-/login', { body: `key=${service.key}` }));
});
afterAll(async () => {
  await service.stop();
  remove();
});

const see = async (path: string) => (await send(service.address, 'GET', path, { headers: { cookie } })).text;

const post = (body: string) =>
  dtp(folder, ['events', 'post', '--body', body, '-o', 'json'], {
    env: { DTP_BASE_URL: service.address, DTP_API_KEY: service.key, DTP_WORKSPACE_ID: service.workspace_id },
  });

test('the reason of a failed dtp events post is on the first view, and its events are one click away', async () => {
  const good = await post('[{"id":"e-1","execution_id":"r-1"}]');
  expect([good.code, good.stderr]).toEqual([0, expect.any(String)]);
  expect(await see('/-/')).not.toContain('failed at');
  const stream = openStream(service.address, '', cookie);
  await stream.until('/-/events/e-1');
  const bad = await post('[{"id":"e-2","created_at":"yesterday-ish","interaction_type":"LINT"}]');
  expect([bad.code, bad.stdout, bad.stderr]).toEqual([7, expect.any(String), expect.stringContaining('created_at')]);
  for (const text of [await see('/-/'), await stream.until('failed at')]) {
    const [, reason = '', link = ''] =
      /class="bad">✘ The newest post of events failed at .*?<\/time>: (.*?)\. <a href="(.*?)"/.exec(text) ?? [];
    expect(reason).toContain('created_at');
    const request = await see(link);
    for (const words of [reason, '&#34;e-2&#34;', 'yesterday-ish', 'dtp events post', '<dt>Status</dt>'])
      expect(request).toContain(words);
  }
  stream.close();
  await post('[{"id":"e-2"}]');
  expect(await see('/-/')).not.toContain('failed at');
});

test('Ctrl-C ends the service at once with 0, although pages are open', async () => {
  const streams = Array.from({ length: 20 }, () => openStream(service.address, '', cookie));
  for (const stream of streams) await stream.until('event: view');
  process.kill(service.pid, 'SIGINT');
  // If it had waited for the pages, it would have ended them by force, with the code of the signal.
  expect(await service.ended).toBe(0);
  for (const stream of streams) await stream.until('nothing more comes');
});

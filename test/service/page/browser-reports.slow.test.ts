/** HTML reports with code, in a real browser that is logged in: they reach neither the page nor the service. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserPage, hasBrowser, type Tab, until, useBrowser } from '../../support/browser.ts';
import { hostileHtml } from '../../support/hostile-html.ts';
import { logIn, openPageWorld, type PageWorld, uploadReport } from '../../support/page-world.ts';

/** A server elsewhere, which notes each request. */
async function openBeacon() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    seen,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Tries everything that a report could want, and writes what it got to the title. */
const attack = (beacon: string, workspace: string) => `<!doctype html><title>attack</title><h1>Report</h1>
<img src="${beacon}/img"><link rel="stylesheet" href="${beacon}/css"><style>@import "${beacon}/import";
h1 { background: url(${beacon}/background) }</style><iframe id="page" src="/-/requests"></iframe>
<iframe src="${beacon}/frame"></iframe><object data="${beacon}/object"></object><video src="${beacon}/video"></video>
<form action="/-/logout" method="post"><button>x</button></form><meta http-equiv="refresh" content="9;url=${beacon}/meta">
<script>
hit(1);
const got = [];
const attempt = async (name, work) => {
  try { const value = await work(); if (value) got.push(name + ': ' + value); } catch { /* refused */ }
};
const text = async (url, options) => (await fetch(url, options)).text();
(async () => {
  await attempt('parent', () => parent !== window && parent.document.title);
  await attempt('top', () => top !== window && top.document.body.innerText);
  await attempt('cookie', () => document.cookie);
  await attempt('storage', () => localStorage.length + 1);
  await attempt('page', () => text('/-/requests', { credentials: 'include' }));
  await attempt('page without CORS', () => text('/-/requests', { mode: 'no-cors', credentials: 'include' }));
  await attempt('service', () => text('/v1/workspace/${workspace}/events', { headers: { 'x-api-key': 'x' } }));
  await attempt('write', () => text('/v1/workspace/${workspace}/events', { method: 'POST', mode: 'no-cors', body: '[{"id":"x"}]' }));
  await attempt('beacon in the service', () => navigator.sendBeacon('/v1/workspace/${workspace}/events', '[{"id":"y"}]') && '');
  await attempt('stream', () => new Promise((done, failed) => {
    const source = new EventSource('/-/live?view=', { withCredentials: true });
    source.addEventListener('view', (event) => done(event.data));
    source.onerror = failed;
  }));
  await attempt('frame', () => document.querySelector('#page').contentDocument.body.innerText);
  await attempt('form', () => { document.forms[0].submit(); return ''; });
  await attempt('window', () => open('/-/') && 'opened');
  document.title = 'got ' + JSON.stringify(got);
})();
</script>`;

describe.skipIf(!hasBrowser)('a report with code', () => {
  const { open } = useBrowser();
  let world: PageWorld;
  let beacon: Awaited<ReturnType<typeof openBeacon>>;
  let tab: Tab;
  let page: BrowserPage;

  beforeAll(async () => {
    [world, beacon] = [await openPageWorld(), await openBeacon()];
    tab = await open(world.server.address);
    page = tab.page;
    await logIn(page, world);
  });
  afterAll(async () => {
    await world?.close();
    beacon?.close();
  });

  /** The number of the newest request that reached the service. */
  const newestRequest = async (): Promise<number> => {
    await page.goto(`${world.server.address}/-/requests`);
    return page.evaluate(`Number(/\\d+$/.exec(document.querySelector('tbody a').href)[0])`);
  };
  const openNewest = async () => {
    await page.goto(`${world.server.address}/-/reports`);
    await page.goto(await page.evaluate(`document.querySelector('tbody a').href`));
    const frame = page.frames()[1];
    if (!frame) throw new Error('the report is not in a frame');
    await until(page, `document.readyState === 'complete'`);
    return frame;
  };
  /** What the browser says about code and content that it blocks. The list has requests that it does not send, too. */
  const isRefusal = (complaint: string) =>
    complaint.startsWith(`request: ${beacon.url}/`) ||
    /^error: (Blocked |Refused to |Unsafe attempt to load |.* violates the following Content Security Policy )/s.test(
      complaint,
    );

  test('runs no code in the frame of its view, and loads nothing', async () => {
    await uploadReport(world, 'attack.html', attack(beacon.url, world.server.workspace_id));
    const before = await newestRequest();
    const frame = await openNewest();
    expect(await frame.evaluate('[document.title, document.body.innerText.trim(), origin, hits]')).toEqual([
      ...['attack', expect.stringContaining('Report'), 'null', 0],
    ]);
    expect(tab.complaints.splice(0).filter((one) => !isRefusal(one))).toEqual([]);
    expect(await newestRequest()).toBe(before);
    expect(beacon.seen).toEqual([]);
  });

  test('gets nothing at its signed URL either, where its code runs without the origin of the service', async () => {
    await page.goto(`${world.server.address}/-/reports`);
    const link: string = await page.evaluate(`document.querySelector('tbody a').href`);
    const [, type, sum] = /reports\/(\w+)\/(\w+)$/.exec(link) ?? [];
    const signed = await world.call('GET', `/v1/reports/${type}/${sum}`);
    const before = await newestRequest();
    await page.goto(signed.json.url);
    await until(page, `document.title.startsWith('got ')`);
    expect(await page.evaluate('[document.title, hits]')).toEqual(['got []', 1]);
    tab.complaints.splice(0);
    // The request of the report itself needs no credential, so the view does not list it.
    expect(await newestRequest()).toBe(before);
    expect((await world.call('GET', `/v1/workspace/${world.server.workspace_id}/events`)).json).toEqual([]);
    expect(await page.innerText('h1')).toBe('Requests');
  });

  test('shows elements with code, without running it', async () => {
    const elements = hostileHtml.filter((one) => /^<[\w]/.test(one) && one.length < 200);
    expect(elements.length).toBeGreaterThan(30);
    for (const element of elements) {
      expect(await uploadReport(world, 'element.html', element)).toBe(200);
      const frame = await openNewest();
      expect([element, await frame.evaluate('hits'), await page.evaluate('hits')]).toEqual([element, 0, 0]);
      expect(tab.complaints.splice(0).filter((one) => !isRefusal(one))).toEqual([]);
    }
  });
});

/** The page of the embedded service in a real browser, as a person uses it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserPage, hasBrowser, type Tab, until, useBrowser } from '../../support/browser.ts';
import { eventOf, fill, logIn, openPageWorld, type PageWorld } from '../../support/page-world.ts';
import { dtp, start } from '../../support/process.ts';

describe.skipIf(!hasBrowser)('the page in a browser', () => {
  const { open } = useBrowser();
  let world: PageWorld;
  let tab: Tab;
  let page: BrowserPage;
  const go = (path: string) => page.goto(`${world.server.address}/-/${path}`);

  beforeAll(async () => {
    world = await openPageWorld();
    await fill(world);
    tab = await open(world.server.address);
    page = tab.page;
    await logIn(page, world);
  });
  afterAll(async () => world?.close());
  afterEach(() => expect(tab.complaints.splice(0)).toEqual([]));

  test('the form refuses a wrong key, leads to the view that was requested, and the button logs out', async () => {
    const { page: other, complaints } = await open(world.server.address);
    await other.goto(`${world.server.address}/-/runs?x=1`);
    await other.fill('input[name=key]', 'wrong');
    await other.click('main button');
    expect(await other.innerText('[role=alert]')).toBe('This API key is wrong, or it was deleted.');
    await other.fill('input[name=key]', world.server.key);
    await other.click('main button');
    await other.waitForURL(`${world.server.address}/-/runs?x=1`);
    expect(await other.innerText('h1')).toBe('Runs');
    expect(await other.evaluate('document.cookie')).toBe('');
    await other.click('header button');
    expect(await other.innerText('h1')).toBe('Log in');
    await other.goto(`${world.server.address}/-/requests`);
    expect(await other.innerText('h1')).toBe('Log in');
    // The browser reports the status of the answer to a wrong key.
    expect(complaints).toEqual([expect.stringContaining('a status of 401')]);
    await other.close();
  });

  test('the link of dtp serve --open logs in once', async () => {
    // A program that only prints the link, because it cannot be started.
    const child = start(world.folder, ['serve', '--ephemeral', '--open'], { env: { BROWSER: 'no-such-browser' } });
    const ended = new Promise((done) => child.on('close', done));
    const link = await new Promise<string>((done) => {
      let text = '';
      child.stderr.on('data', (chunk) => {
        text += chunk;
        const [url] = /http:\S+\/-\/open\/\S+(?=\s)/.exec(text) ?? [];
        if (url !== undefined) done(url);
      });
    });
    const { page: other, complaints } = await open(new URL(link).origin);
    await other.goto(link);
    expect(other.url()).toBe(`${new URL(link).origin}/-/`);
    expect(await other.innerText('.empty')).toBe('No events yet. Send one: dtp events post');
    await other.close();
    const { page: late } = await open(new URL(link).origin);
    await late.goto(link);
    expect(await late.innerText('[role=alert]')).toBe('This link was used already, or is older than a minute.');
    expect(complaints).toEqual([]);
    await late.close();
    child.kill();
    await ended;
  });

  test('events that arrive are shown without a reload, also if another process posts them', async () => {
    await go('');
    await until(page, `document.querySelector('#state').textContent === 'Live'`);
    await page.evaluate('window.stays = true');
    await world.post(eventOf({ interaction_type: 'PUBLISH', error: 'posted by HTTP' }));
    await until(page, `document.body.innerText.includes('posted by HTTP')`);
    const argv = ['events', 'post', '--type', 'TEST', '--error', 'posted by a command'];
    expect((await dtp(world.folder, argv, { env: world.env })).code).toBe(0);
    await until(page, `document.body.innerText.includes('posted by a command')`);
    expect(await page.evaluate('window.stays')).toBe(true);
  });

  test('a paused view stays as it is, and continues', async () => {
    await go('');
    await page.click('#pause');
    const { page: other } = await open(world.server.address);
    await logIn(other, world);
    // When the other tab shows the second event, this tab has got the first one.
    for (const error of ['first of the pause', 'second of the pause']) {
      await world.post(eventOf({ error }));
      await until(other, `document.body.innerText.includes(${JSON.stringify(error)})`);
    }
    await other.close();
    expect(await page.innerText('tbody')).not.toContain('first of the pause');
    await page.click('#pause');
    await until(page, `document.body.innerText.includes('second of the pause')`);
  });

  test('the filters choose events by outcome, type, run and target', async () => {
    await go('');
    await page.selectOption('select[name=outcome]', 'failed');
    await page.waitForURL(/outcome=failed/);
    expect(await page.evaluate(`[...document.querySelectorAll('td .good, td .other')].length`)).toBe(0);
    expect(await page.innerText('tbody')).toContain('3 errors in openapi.yaml');
    for (const [name, value, count] of [
      ['type', 'QUICKSTART', 1],
      ['run', 'run-77', 3],
      ['target', 'lock-1', 1],
    ] as const) {
      await go('');
      await page.fill(`input[name=${name}]`, value);
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`${name}=${value}`));
      expect(await page.evaluate(`document.querySelectorAll('tbody tr').length`)).toBe(count);
    }
    await go('?type=NEVER');
    expect(await page.innerText('.empty')).toBe('No event fits the filters.');
    await page.click('.filters a');
    await page.waitForURL(`${world.server.address}/-/`);
  });

  test('the chart has a name, and a bar for each minute with events', async () => {
    await go('');
    const name = await page.evaluate(`document.querySelector('svg[role=img]').getAttribute('aria-label')`);
    expect(name).toMatch(/^Events per minute from \d\d:\d\d to \d\d:\d\d, at most [1-9]/);
    const minutes = await page.evaluate(
      `new Set([...document.querySelectorAll('time')].map((one) => one.dateTime.slice(0, 16))).size`,
    );
    const bars = await page.evaluate(
      `new Set([...document.querySelectorAll('svg rect')].map((one) => one.getAttribute('x'))).size`,
    );
    expect(minutes).toBeGreaterThan(2);
    expect(bars).toBe(minutes);
  });

  test('an event is shown whole, and leads to its run and its report', async () => {
    await go('?type=LINT');
    await page.click('tbody a');
    expect(await page.innerText('h1')).toBe('LINT');
    expect(await page.innerText('pre')).toContain('"gh_action_organization": "acme"');
    await page.click('dd a');
    expect(await page.innerText('h1')).toBe('Run run-77');
    await page.click('dd a');
    expect(await page.innerText('h1')).toBe('Report');
    const [, frame] = page.frames();
    expect(await frame?.evaluate('document.body.innerText')).toContain('3 errors');
  });

  test('a revision shows its files and the command that pulls it', async () => {
    await go('registry');
    await page.click('tbody a');
    expect(await page.innerText('pre')).toBe('dtp artifacts pull petstore:v1');
    await page.click('tbody a');
    expect(await page.innerText('tbody')).toMatch(/components\/pet\.yaml\s+\d+ bytes/);
    expect(await page.innerText('tbody')).toContain('openapi.yaml');
    expect(await page.innerText('pre')).toMatch(/^dtp artifacts pull petstore@sha256:[\da-f]{64}$/);
  });

  test('a request shows the command that sends it again, without its key', async () => {
    await go('requests');
    await page.click('tbody a');
    const text = await page.innerText('main');
    expect(text).toContain('x-api-key: ***');
    expect(text).not.toContain(world.server.key);
    expect(text).toMatch(/Send it again with curl/i);
  });
});

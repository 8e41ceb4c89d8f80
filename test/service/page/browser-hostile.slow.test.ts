/** Strings that would act on a page, in every place that the page shows: they are text, in a real browser. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publish, zipOf } from '../../support/artifacts.ts';
import { type BrowserPage, hasBrowser, overflowOf, type Tab, useBrowser } from '../../support/browser.ts';
import { send } from '../../support/embedded-service.ts';
import { hostileHtml, shownAs } from '../../support/hostile-html.ts';
import { eventOf, logIn, openPageWorld, type PageWorld, uploadReport } from '../../support/page-world.ts';

/** The service refuses halves of characters in JSON. */
const strings = hostileHtml.filter((one) => !/\p{Cs}/u.test(one));

/** The string at a position, and from the start again after the last one. */
const at = (index: number): string => strings[index % strings.length] ?? '';

/** `size` positions each, up to the last string. */
const rounds = (size: number): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(strings.length / size) }, (_, round) =>
    Array.from({ length: size }, (_, index) => round * size + index),
  );

/** What a view requests besides itself. */
const ownRequest = /^\/-\/(style\.css|script\.js|icon\.svg|live\?view=[^&]*)$/;

const eventFields = [
  ...['interaction_type', 'error', 'execution_id', 'generate_gen_lock_id', 'generate_target_name', 'raw_command'],
  ...['duration_ms', 'gh_action_organization', 'gh_action_repository', 'generate_config_post_version'],
  ...['source_namespace_name', 'source_revision_digest', 'lint_report_digest', 'openapi_diff_report_digest'],
];

describe.skipIf(!hasBrowser)(`each of ${hostileHtml.length} hostile strings is text`, () => {
  const { open } = useBrowser();
  let world: PageWorld;
  let tab: Tab;
  let page: BrowserPage;
  beforeAll(async () => {
    expect(hostileHtml.length).toBeGreaterThan(400);
    world = await openPageWorld();
    tab = await open(world.server.address);
    page = tab.page;
    await logIn(page, world);
  });
  afterAll(async () => world?.close());
  beforeEach(() => void tab?.requests.splice(0));

  /** Opens a view, and compares what it did. Returns its text content. */
  const textAt = async (path: string, status = 200): Promise<string> => {
    const reply = await page.goto(world.server.address + path);
    expect([path, reply?.status()]).toEqual([path, status]);
    const { text, hits, tags } = await page.evaluate(`({
      text: document.body.textContent,
      hits: window.hits,
      tags: [...new Set([...document.querySelectorAll('*')].map((one) => one.localName))],
    })`);
    const { origin } = new URL(world.server.address);
    const strange = tab.requests
      .splice(0)
      .filter((url) => url !== page.url() && !ownRequest.test(url.slice(origin.length)));
    const foreign = ['script', 'style', 'img', 'base', 'embed', 'object', 'x', 'i', 'b', 'math', 'template'];
    expect([path, hits, strange, tab.complaints.splice(0)]).toEqual([path, 0, [], []]);
    expect(tags.filter((tag: string) => foreign.includes(tag))).toEqual(['script']);
    return text;
  };
  /** A name is cut at 256 characters. */
  const expectShown = (text: string, strings: readonly string[], wrap: (one: string) => string = (one) => one) =>
    expect(strings.filter((one) => !text.includes(shownAs(wrap(one)).slice(0, 250)))).toEqual([]);
  const asJson = (one: string) => JSON.stringify(one).slice(1, -1);

  /** The link to what is first in a list. */
  const newest = (): Promise<string> => page.evaluate(`document.querySelector('tbody a').getAttribute('href')`);

  test('in the fields of events, in lists, runs and one event', async () => {
    for (const round of rounds(50)) {
      await world.post(
        ...round.map((index) =>
          eventOf({
            ...Object.fromEntries(eventFields.map((name, field) => [name, at(index + field)])),
            ...{ id: `${index} ${at(index)}`, [at(index)]: at(index) },
          }),
        ),
      );
      const short = round.map(at).filter((one) => one.length <= 60);
      expectShown(await textAt('/-/'), short);
      const links: readonly string[] = await page.evaluate(
        `[...document.querySelectorAll('tbody a')].map((one) => one.getAttribute('href'))`,
      );
      // A browser would resolve dots.
      expect(links.filter((link) => /\/\.{1,2}$/.test(link))).toEqual([]);
      await textAt('/-/runs');
      // Together, the opened ones show every string.
      for (const link of links) {
        const index = Number(/^\/-\/events\/(\d+)%20/.exec(link)?.[1]);
        if (!round.includes(index) || index % eventFields.length !== 0) continue;
        const shown = eventFields.map((_, field) => at(index + field));
        const text = await textAt(link);
        // A box is cut at 16,000 characters.
        if (text.includes('This is the start.')) expect(shown.some((one) => one.length > 500)).toBe(true);
        else expectShown(text, shown, asJson);
      }
      const [run] = links.filter((link) => link.startsWith('/-/runs/'));
      if (run !== undefined) await textAt(run);
    }
    await page.setViewportSize({ width: 360, height: 800 });
    for (const path of ['/-/', '/-/runs', await newest()]) {
      await textAt(path);
      expect([path, await overflowOf(page)]).toEqual([path, []]);
    }
  });

  test('in requests: path, query, headers and bodies', async () => {
    const latin = (text: string) => text.replace(/[^\x20-\x7e\xa0-\xff]/g, '~').trim();
    for (const round of rounds(15)) {
      const some = round.map(at).filter((one) => one.length < 500);
      const path = `/v1/workspace/${latin(some[0] ?? '').replace(/[ ?#]/g, '+')}`;
      const query = new URLSearchParams({ q: some[1] ?? '' });
      const headers = Object.fromEntries(some.map((one, index) => [`x-hostile-&'\`|${index}`, latin(one)]));
      await send(world.server.address, 'PUT', `${path}?${query}`, {
        headers: { 'x-api-key': world.server.key, ...headers },
      });
      expect(await textAt('/-/requests')).toContain(path.slice(0, 80));
      expectShown(await textAt(await newest()), some, latin);
      const body = [{ [some[2] ?? '']: some, message: some[3] }];
      await world.call('POST', `/v1/workspace/${world.server.workspace_id}/events`, body);
      await textAt('/-/requests');
      expectShown(await textAt(await newest()), some, asJson);
    }
    await send(world.server.address, 'POST', '/v1/reports', {
      headers: { 'x-api-key': world.server.key, 'content-type': '"><script>hit(1)</script>' },
      body: '<script>hit(1)</script>',
    });
    await textAt('/-/requests');
    expectShown(await textAt(await newest()), ['"><script>hit(1)</script>']);
    for (const path of ['/v1/workspace/%zz', '/%2e%2e/%ff//x?%', '/v1/%00']) {
      await world.call('GET', path);
      expect(await textAt('/-/requests')).toContain(path.split('?')[0]);
      expect(await textAt(await newest())).toContain(path);
    }
    expect((await world.call('POST', '/v1/codehost/configure_target', hostileHtml)).status).toBe(400);
    expect(await textAt('/-/requests')).toContain('half of a surrogate pair');
    await textAt(await newest());
  });

  test('in the names of reports, and in reports that are not HTML', async () => {
    for (const round of rounds(100)) {
      // No file name contains NUL, and the database ends a string there.
      const names = round.map(at).filter((one) => one.length < 2000 && !one.includes('\0'));
      for (const [index, name] of names.entries())
        expect(await uploadReport(world, name, `text ${round[index]} ${name}`)).toBe(200);
      expectShown(await textAt('/-/reports'), names);
      expect(await textAt(await newest())).toMatch(/text \d+/);
    }
    for (const round of rounds(100)) {
      // A report with NUL is not text, and of a long one only the start is shown.
      const plain = round.map(at).filter((one) => one.length < 1000 && !one.includes('\0'));
      expect(await uploadReport(world, 'all.txt', `all ${plain.join(' ')}`)).toBe(200);
      await textAt('/-/reports');
      expectShown(await textAt(await newest()), plain);
    }
  });

  test('in the names of files and layers, in manifests, namespaces and tags', async () => {
    const names = strings.filter((one) => !one.endsWith('/'));
    const content = Buffer.from('x');
    const layers = names.map((title) => ({ bytes: content, type: 'text/plain', title }));
    const titled = await publish(world.server, 'constructor', layers);
    expectShown(await textAt(`/-/registry/constructor/${encodeURIComponent(titled)}`), names);
    const bundle = [{ bytes: zipOf(names.map((name) => ({ name, content: '' }))) }];
    const bundled = await publish(world.server, '__proto__', bundle).catch(() =>
      publish(world.server, 'proto', bundle),
    );
    const [namespace] = /\w+/.exec((await textAt('/-/registry')).includes('__proto__') ? '__proto__' : 'proto') ?? [];
    expectShown(await textAt(`/-/registry/${namespace}/${encodeURIComponent(bundled)}`), names);
    expect(await textAt('/-/registry/constructor')).toContain('dtp artifacts pull constructor:latest');
  });

  test('in the path and the query of the page', async () => {
    for (const [index, text] of hostileHtml.entries()) {
      if (index % 8 !== 0 && index < 300) continue;
      const query = new URLSearchParams({ type: text, run: at(index + 1), target: at(index + 2) });
      if (query.toString().length > 8000) continue;
      await textAt(`/-/?${query}`);
      const values = await page.evaluate(`[...document.querySelectorAll('input')].map((one) => one.value)`);
      // A browser removes line breaks from the value of an input.
      expect(values[0]).toBe(shownAs(Buffer.from(text).toString()).replaceAll('\n', ''));
    }
    for (const text of ['<script>hit(1)</script>', '%3Cscript%3Ehit(1)%3C/script%3E', '%00', 'events/%22%3E'])
      await page.goto(`${world.server.address}/-/${text}`);
    expect(await page.evaluate('window.hits')).toBe(0);
    // The browser logs the status of each document.
    expect(tab.complaints.splice(0).filter((one) => !one.includes('404'))).toEqual([]);
  });

  test('in the names of targets of runs. Repositories cannot have such names', async () => {
    const { call } = world;
    const repository = { org: 'acme', repo_name: 'sdk' };
    await call('POST', '/v1/codehost/link');
    await call('POST', '/v1/codehost/configure_target', repository);
    for (const name of ['<b>', 'a b', '"', '..', 'a/b', '\n'])
      expect((await call('POST', '/v1/codehost/configure_target', { ...repository, repo_name: name })).status).toBe(
        422,
      );
    for (const index of [0, 5, 40, 80, 120, 160, 400]) {
      const [lock, name] = [at(index), at(index + 1)];
      const more = { gen_lock_id: lock, target_name: name };
      expect((await call('POST', '/v1/codehost/trigger_action', { ...repository, ...more })).status).toBeLessThan(300);
      const { json } = await call('GET', '/v1/codehost/action?org=acme&repo=sdk');
      expectShown(await textAt(new URL(json.run_url).pathname), [lock]);
      await textAt('/-/runs');
      await textAt(await newest());
    }
  });
});

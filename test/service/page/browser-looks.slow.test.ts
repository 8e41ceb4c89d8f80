/** Every view of the page in a real browser: its colors, narrow windows, accessibility rules and the keyboard. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type BrowserPage,
  hasBrowser,
  overflowOf,
  type Tab,
  until,
  useBrowser,
  violationsIn,
} from '../../support/browser.ts';
import { fill, logIn, openPageWorld, type PageWorld, runPageOf, viewsOf } from '../../support/page-world.ts';

const schemes = ['light', 'dark'] as const;

describe.skipIf(!hasBrowser)('every view', () => {
  const { open } = useBrowser();
  let world: PageWorld;
  let empty: PageWorld;
  let tab: Tab;
  let page: BrowserPage;

  beforeAll(async () => {
    [world, empty] = [await openPageWorld(), await openPageWorld()];
    await fill(world);
    tab = await open(world.server.address);
    page = tab.page;
  });
  afterAll(async () => {
    await world?.close();
    await empty?.close();
  });

  /** What is wrong with the view of the tab, in both colors and in a wide and a narrow window. */
  const faultsOf = async (view: BrowserPage, path: string): Promise<readonly string[]> => {
    const faults: string[] = [];
    for (const colorScheme of schemes) {
      await view.emulateMedia({ colorScheme });
      for (const width of [1280, 360]) {
        await view.setViewportSize({ width, height: 800 });
        const found = [...(await overflowOf(view)), ...(width === 360 ? await violationsIn(view) : [])];
        faults.push(...found.map((one) => `${path} (${colorScheme}, ${width}): ${one}`));
      }
    }
    return faults;
  };

  test('fits narrow windows, and violates no rule of accessibility in light and dark colors', async () => {
    await page.goto(`${world.server.address}/`);
    const faults = [...(await faultsOf(page, 'login'))];
    await page.fill('input[name=key]', 'wrong');
    await page.click('main button');
    faults.push(...(await faultsOf(page, 'wrong key')));
    await logIn(page, world);
    const views = await viewsOf(page, world, 2);
    expect(views.filter((path) => path.startsWith('/-/registry/petstore/sha256'))).toHaveLength(1);
    expect(views.length).toBeGreaterThan(12);
    for (const path of [...views, await runPageOf(world)]) {
      const reply = await page.goto(world.server.address + path);
      expect([path, reply?.status()]).toEqual([path, 200]);
      faults.push(...(await faultsOf(page, path)));
    }
    expect(faults).toEqual([]);
    // The browser reports the status of the answer to a wrong key.
    expect(tab.complaints).toEqual([expect.stringContaining('a status of 401')]);
  });

  test('without data, too, and if there is no such view', async () => {
    const { page: other, complaints } = await open(empty.server.address);
    await logIn(other, empty);
    const faults: string[] = [];
    for (const path of ['', 'runs', 'reports', 'registry', 'requests']) {
      await other.goto(`${empty.server.address}/-/${path}`);
      expect(await other.innerText('.empty')).toMatch(/^No \w+ yet\./);
      faults.push(...(await faultsOf(other, path)));
    }
    expect([faults, complaints]).toEqual([[], []]);
    const reply = await other.goto(`${empty.server.address}/-/unknown`);
    expect([reply?.status(), await other.innerText('h1')]).toEqual([404, 'Not found']);
    expect(await faultsOf(other, 'unknown')).toEqual([]);
    await other.close();
  });

  test('has dark colors', async () => {
    const colors: string[] = [];
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      colors.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
    }
    expect(colors).toEqual(['rgb(255, 255, 255)', 'rgb(13, 17, 23)']);
  });
});

describe.skipIf(!hasBrowser)('the keyboard alone', () => {
  const { open } = useBrowser();
  let world: PageWorld;
  beforeAll(async () => {
    world = await openPageWorld();
    await fill(world);
  });
  afterAll(async () => world?.close());

  /** Presses Tab until the element with the focus matches. Fails if the focus is on something without an outline. */
  const tabTo = async (page: BrowserPage, selector: string): Promise<void> => {
    for (let presses = 0; presses < 100; presses++) {
      await page.keyboard.press('Tab');
      const { isThere, isVisible } = await page.evaluate(`(() => {
        const at = document.activeElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(at);
        const { width, height, left } = at.getBoundingClientRect();
        return {
          isThere: at.matches(${JSON.stringify(selector)}),
          isVisible: at === document.body ||
            (outlineStyle !== 'none' && outlineWidth !== '0px' && width > 0 && height > 0 && left >= 0),
        };
      })()`);
      expect([selector, isVisible]).toEqual([selector, true]);
      if (isThere) return;
    }
    throw new Error(`Tab does not reach ${selector}`);
  };

  test('logs in, skips to the content, and reaches every view, filter and button', async () => {
    const { page, complaints } = await open(world.server.address);
    const press = async (selector: string, title: string) => {
      await tabTo(page, selector);
      await page.keyboard.press('Enter');
      await until(page, `document.querySelector('h1')?.textContent === ${JSON.stringify(title)}`);
    };
    await page.goto(`${world.server.address}/`);
    await page.keyboard.type(world.server.key);
    await page.keyboard.press('Enter');
    await page.waitForSelector('nav');
    await tabTo(page, 'a.skip');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await tabTo(page, '#pause');
    await page.keyboard.press('Space');
    await until(page, `document.querySelector('#state').textContent === 'Paused'`);
    await tabTo(page, 'input[name=type]');
    await page.keyboard.type('LINT');
    await page.keyboard.press('Enter');
    await page.waitForURL(/type=LINT/);
    await press('tbody a', 'LINT');
    await press('nav a[href$="/runs"]', 'Runs');
    await press('tbody a[href$="run-77"]', 'Run run-77');
    await press('dd a', 'Report');
    await press('nav a[href$="/registry"]', 'Registry');
    await press('tbody a', 'petstore');
    await tabTo(page, 'tbody a');
    await page.keyboard.press('Enter');
    await page.waitForURL(/sha256/);
    await tabTo(page, 'pre[aria-label=Manifest]');
    await press('nav a[href$="/reports"]', 'Reports');
    await press('nav a[href$="/requests"]', 'Requests');
    await tabTo(page, 'tbody a');
    await page.keyboard.press('Enter');
    await page.waitForURL(/requests\/\d/);
    await tabTo(page, 'button.copy');
    await press('header button', 'Log in');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('the focus stays on a link when new events arrive', async () => {
    const { page, complaints } = await open(world.server.address);
    await logIn(page, world);
    await tabTo(page, 'tbody a');
    const link = await page.evaluate('document.activeElement.href');
    await world.post({ id: 'later', error: 'posted later', created_at: new Date().toISOString() });
    await until(page, `document.body.innerText.includes('posted later')`);
    expect(await page.evaluate('document.activeElement.href')).toBe(link);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

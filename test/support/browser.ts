/** A real browser for the page of the embedded service, and everything that it complains about. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { axeFile, launch, missing } from '../../scripts/browser.mjs';

if (missing !== undefined) process.stderr.write(`skipped: ${missing}, so the page is not opened\n`);

export const hasBrowser = missing === undefined;

/** Only for a browser that hangs, in milliseconds. */
const LONGEST = 300_000;

interface Keyboard {
  readonly press: (key: string) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
}

/** What these tests use of a page of playwright-core. Expressions are strings, because they run in the browser. */
export interface BrowserPage {
  readonly keyboard: Keyboard;
  readonly goto: (url: string) => Promise<{ status(): number } | null>;
  readonly url: () => string;
  readonly click: (selector: string) => Promise<void>;
  readonly fill: (selector: string, text: string) => Promise<void>;
  readonly selectOption: (selector: string, value: string) => Promise<unknown>;
  readonly innerText: (selector: string) => Promise<string>;
  readonly waitForURL: (url: string | RegExp) => Promise<void>;
  readonly waitForSelector: (selector: string) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: the tests inspect what the browser returns.
  readonly evaluate: (expression: string) => Promise<any>;
  readonly emulateMedia: (media: { readonly colorScheme: 'light' | 'dark' }) => Promise<void>;
  readonly setViewportSize: (size: { readonly width: number; readonly height: number }) => Promise<void>;
  readonly screenshot: (options: { readonly path: string; readonly fullPage?: boolean }) => Promise<unknown>;
  readonly frames: () => readonly Pick<BrowserPage, 'url' | 'evaluate'>[];
  readonly close: () => Promise<void>;
}

export interface Tab {
  readonly page: BrowserPage;
  /** Errors, warnings, dialogs, and requests that leave the origin. */
  readonly complaints: string[];
  /** The URLs of all requests. */
  readonly requests: string[];
}

// biome-ignore lint/suspicious/noExplicitAny: playwright-core is not a dependency, so its types may be missing.
type Driver = any;

/** Starts a browser for the tests of a file. `open` returns a tab without cookies. */
export function useBrowser() {
  let browser: Driver;
  beforeAll(async () => {
    if (hasBrowser) browser = await launch();
  });
  afterAll(async () => browser?.close());
  const open = async (origin: string, options: object = {}): Promise<Tab> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    context.setDefaultTimeout(LONGEST);
    // Code of a hostile string calls it.
    await context.addInitScript(`window.hits = 0; window.hit = () => { hits++; console.error('hostile code ran'); };`);
    const page = await context.newPage();
    return { page, ...watched(page, origin) };
  };
  return { open };
}

/** Collects what goes wrong in a page. Messages of the browser about a blocked report name the report's frame. */
function watched(page: Driver, origin: string) {
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message: Driver) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error: Error) => complaints.push(`thrown: ${error.message}`));
  page.on('dialog', (dialog: Driver) => {
    complaints.push(`dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on('popup', (popup: Driver) => complaints.push(`popup: ${popup.url()}`));
  page.on('download', (download: Driver) => complaints.push(`download: ${download.url()}`));
  page.on('crash', () => complaints.push('the page crashed'));
  page.on('request', (request: Driver) => {
    const url = String(request.url());
    requests.push(url);
    if (!url.startsWith(`${origin}/`)) complaints.push(`request: ${url}`);
  });
  return { complaints, requests };
}

/** Waits until an expression is true. The policy of the page does not allow playwright-core to wait in the page. */
export async function until(page: BrowserPage, expression: string): Promise<void> {
  // An expression fails while the page is replaced by another one.
  while ((await page.evaluate(expression).catch(() => false)) !== true) await sleep(50);
}

/** The serious and critical violations that axe-core finds, each with its elements. */
export async function violationsIn(page: BrowserPage): Promise<readonly string[]> {
  await page.evaluate(readFileSync(axeFile(), 'utf8'));
  const { violations } = await page.evaluate('axe.run()');
  return (violations as Driver[])
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((one: Driver) => one.html).join(' ')}`);
}

/** Whether the window can be scrolled sideways, and the elements that are too wide. */
export const overflowOf = (page: BrowserPage): Promise<readonly string[]> =>
  page.evaluate(`document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.outerHTML.slice(0, 120))`);

/** Starts Debian's chromium, driven by playwright-core. scripts/tools.sh installs both. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../build/browser');
const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** Why there is no browser. Undefined if there is one. */
export const missing = !program
  ? 'chromium is not installed'
  : !existsSync(`${folder}/node_modules/playwright-core`) || !existsSync(`${folder}/node_modules/axe-core`)
    ? 'playwright-core and axe-core are not in build/browser'
    : undefined;

const load = createRequire(`${folder}/package.json`);

/** The file that finds violations of accessibility rules in a page. */
export const axeFile = () => load.resolve('axe-core/axe.min.js');

/** chromium refuses to start as root with its sandbox. Nothing but this machine's loopback interface is opened. */
export const launch = () =>
  load('playwright-core').chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update'],
  });

/** `dtp serve` with data on every view of its page, and a browser that is logged in. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { write } from './artifacts.ts';
import type { BrowserPage } from './browser.ts';
import { send } from './embedded-service.ts';
import { dtp, home, type Served, serve } from './process.ts';

export interface PageWorld {
  readonly server: Served;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly call: (method: string, path: string, json?: unknown) => ReturnType<typeof send>;
  readonly post: (...events: readonly object[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

let count = 0;

/** An event that was created `age` milliseconds ago. */
export const eventOf = (fields: object = {}, age = 0): object => ({
  id: `event-${++count}`,
  interaction_type: 'CI_EXEC',
  created_at: new Date(Date.now() - age).toISOString(),
  ...fields,
});

/** Starts `dtp serve` in memory. `env` has the credential for other processes. */
export async function openPageWorld(): Promise<PageWorld> {
  const { folder, remove } = home();
  const server = await serve(folder, ['--ephemeral']);
  const { address, key, workspace_id } = server;
  const call: PageWorld['call'] = (method, path, json) =>
    send(address, method, path, { headers: { 'x-api-key': key }, ...(json !== undefined && { json }) });
  return {
    ...{ server, folder, call },
    env: { DTP_BASE_URL: address, DTP_API_KEY: key, DTP_WORKSPACE_ID: workspace_id },
    post: async (...events) => {
      const { status, text } = await call('POST', `/v1/workspace/${workspace_id}/events`, events);
      if (status >= 300) throw new Error(`cannot post the events: ${text}`);
    },
    close: async () => {
      await server.stop();
      remove();
    },
  };
}

export async function logIn(page: BrowserPage, { server }: Pick<PageWorld, 'server'>): Promise<void> {
  await page.goto(`${server.address}/-/`);
  await page.fill('input[name=key]', server.key);
  await page.click('main button');
  await page.waitForSelector('nav');
}

/** Uploads a report with this file name. Returns the status. */
export async function uploadReport({ server }: PageWorld, name: string, content: string): Promise<number> {
  const escaped = name.replace(/\\/g, '\\\\').replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const part = (about: string, body: string) =>
    `--dtp-boundary\r\ncontent-disposition: form-data; ${about}\r\n\r\n${body}\r\n`;
  const headers = { 'x-api-key': server.key, 'content-type': 'multipart/form-data; boundary=dtp-boundary' };
  const body = `${part('name="data"', '{"type":"linting"}')}${part(`name="file"; filename="${escaped}"`, content)}--dtp-boundary--\r\n`;
  return (await send(server.address, 'POST', '/v1/reports', { headers, body })).status;
}

const run = 'run-77';

/** Puts something on every view: two runs, reports of all kinds, a namespace, and requests of which one failed. */
export async function fill({ folder, env, post, call }: PageWorld): Promise<void> {
  const lint = '<!doctype html><title>Lint</title><h1>3 errors</h1><p>In <code>openapi.yaml</code></p>';
  const sum = createHash('md5').update(lint).digest('hex');
  const minute = 60_000;
  await post(
    eventOf({ success: true, execution_id: 'run-76', duration_ms: 5120, raw_command: 'npm test' }, 9 * minute),
    eventOf({ success: true, execution_id: run, generate_target_name: 'typescript' }, 2 * minute),
    eventOf({ interaction_type: 'QUICKSTART', execution_id: run }, minute),
    eventOf({
      ...{ interaction_type: 'LINT', success: false, error: '3 errors in openapi.yaml', execution_id: run },
      ...{ lint_report_digest: sum, generate_gen_lock_id: 'lock-1', gh_action_organization: 'acme' },
    }),
  );
  await dtp(folder, ['init', '--sample']);
  const cwd = join(folder, 'petstore');
  write(cwd, { 'report.html': lint, 'report.json': '{"errors":[1,2]}', 'report.txt': 'plain report' });
  const repository = ['--org', 'acme', '--repo-name', 'sdk'];
  for (const argv of [
    ['artifacts', 'push', 'openapi.yaml', 'petstore:v1'],
    ...['html', 'json', 'txt'].map((kind) => ['reports', 'upload', `report.${kind}`, '--type', 'linting']),
    ['codehost', 'access', 'link'],
    ['codehost', 'configure', 'target', ...repository],
    ['codehost', 'actions', 'trigger', ...repository, '--gen-lock-id', 'lock-2'],
  ])
    await succeeded({ folder, env }, argv, cwd);
  await call('GET', '/v1/workspace/unknown');
}

/** Runs a command with the service. Returns its stdout. */
async function succeeded({ folder, env }: Pick<PageWorld, 'folder' | 'env'>, argv: readonly string[], cwd = folder) {
  const { code, stdout, stderr } = await dtp(folder, argv, { cwd, env });
  if (code !== 0) throw new Error(`dtp ${argv.join(' ')} failed: ${stderr}`);
  return stdout;
}

/** The path of the page of a run, which everyone with its URL may see. */
export async function runPageOf(world: PageWorld): Promise<string> {
  const text = await succeeded(world, ['codehost', 'actions', 'get', '--org', 'acme', '--repo', 'sdk', '-o', 'json']);
  return new URL(JSON.parse(text).run_url).pathname;
}

/** The kind of a view: its path without names and numbers. */
const kindOf = (path: string): string => {
  const [section = '', ...names] = path.replace(/\?.*/, '').slice('/-/'.length).split('/');
  return [section, ...names.map(() => '*')].join('/');
};

/** Follows all links from the first view. Returns the paths of the views, at most `most` of each kind. */
export async function viewsOf(page: BrowserPage, { server }: PageWorld, most: number): Promise<readonly string[]> {
  const paths = ['/-/'];
  const kinds = new Map<string, number>();
  for (const path of paths) {
    await page.goto(server.address + path);
    const links: readonly string[] = await page.evaluate(
      `[...document.querySelectorAll('a')].map((one) => one.getAttribute('href'))`,
    );
    for (const link of links) {
      const known = kinds.get(kindOf(link)) ?? 0;
      if (!link.startsWith('/-/') || paths.includes(link) || known >= most) continue;
      kinds.set(kindOf(link), known + 1);
      paths.push(link);
    }
  }
  return paths;
}

/** The whole process on a terminal, which `script` provides. Skipped if that program is missing. */
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { events, receiver } from '../support/event-service.ts';
import { remember } from '../support/known-workspaces.ts';
import { home } from '../support/process.ts';
import { hasScript, terminal } from '../support/terminal.ts';

const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');
const { folder, remove } = home();
let address = '';
/** The answer waits for this. */
let due: Promise<unknown> = Promise.resolve();
const requests: string[] = [];

const opened = 'https://ci.example.test/7';
const server = http.createServer(async (request, response) => {
  requests.push(`${request.method} ${request.url}`);
  await due;
  if (request.method === 'DELETE') response.writeHead(204).end();
  else if (/report|action/.test(request.url ?? '')) response.end(`{"url":"${opened}","run_url":"${opened}"}`);
  else if (request.url === '/v1/workspace/w_1/tokens') response.end('[{"id":"t_1"}]');
  else if (request.url === '/v1/auth/validate') response.end('{"workspace_id":"w_1"}');
  else response.end('[{"id":"w_1","name":"Pets \\u001b[2J"}]');
});
const later = (ms: number) => new Promise((done) => setTimeout(done, ms));

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await remember(join(folder, 'state'), address, 'k-1', 'w_1');
});
afterAll(() => {
  server.close();
  remove();
});

afterEach(() => {
  due = Promise.resolve();
});

/** Runs a command line on a terminal; `typed` is typed when the screen shows `at`. */
const onTerminal = (line: string, env: Record<string, string> = {}, at = '', typed = '', columns = 80) =>
  terminal(folder, line, {
    env: { DTP_BASE_URL: address, DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1', ...env },
    typed: typed === '' ? [] : [[at, typed]],
    columns,
  });

const spinner = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/;

test.skipIf(!hasScript)('a table, without control characters from the service', async () => {
  const { code, screen } = await onTerminal('ws list');
  expect(code).toBe(0);
  expect(screen).toContain('NAME');
  expect(screen).toContain('Pets \\u001b[2J');
  expect(screen).not.toMatch(spinner);
});

test.skipIf(!hasScript)('a spinner after half a second, but not in CI', async () => {
  const env = { DTP_BASE_URL: address, DTP_API_KEY: 'k-1' };
  let seen: () => void = () => undefined;
  due = new Promise<void>((done) => {
    seen = done;
  });
  const turned = await terminal(folder, 'ws list', {
    env,
    typed: [['List the workspaces', '']],
    onTyped: seen,
  });
  expect(turned.screen).toMatch(spinner);
  due = later(1200);
  expect((await onTerminal('ws list', { CI: 'true' })).screen).not.toMatch(spinner);
});

test.skipIf(!hasScript)('a flush says how many of the queued events are sent', async () => {
  const gone = http.createServer();
  await new Promise<void>((done) => gone.listen(0, '127.0.0.1', done));
  const { port: free } = gone.address() as AddressInfo;
  await new Promise((done) => gone.close(done));
  const env = { DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1', DTP_BASE_URL: `http://127.0.0.1:${free}` };
  const body = `'[{"interaction_type":"LINT"},{"interaction_type":"LINT"}]'`;
  expect((await terminal(folder, `events post --timeout 2s --body ${body}`, { env })).code).toBe(75);
  let seen: () => void = () => undefined;
  const back = http.createServer(async (_, response) => {
    await due;
    response.writeHead(204).end();
  });
  due = new Promise<void>((done) => {
    seen = done;
  });
  await new Promise<void>((done) => back.listen(free, '127.0.0.1', done));
  const flushed = await terminal(folder, 'events queue flush', {
    env,
    typed: [['0 of 2 delivered, 0 %', '']],
    onTyped: seen,
  });
  back.closeAllConnections();
  back.close();
  expect(flushed.code, flushed.screen).toBe(0);
});

test.skipIf(!hasScript).each([
  ['events post --interaction-type LINT', 75],
  ['auth access', 124],
])('while the service is down, %s says what fails and how long it tries', async (line, code) => {
  const gone = http.createServer();
  await new Promise<void>((done) => gone.listen(0, '127.0.0.1', done));
  const { port: free } = gone.address() as AddressInfo;
  await new Promise((done) => gone.close(done));
  const DTP_BASE_URL = `http://127.0.0.1:${free}`;
  const env = {
    DTP_API_KEY: 'k-1',
    DTP_WORKSPACE_ID: 'w_1',
    DTP_BASE_URL,
    DTP_STATE_DIR: join(folder, 'down'),
  };
  const ended = await terminal(folder, `${line} --timeout 3s`, { env });
  expect(ended.code, ended.screen).toBe(code);
  expect(ended.screen).toMatch(
    new RegExp(`127.0.0.1:${free} refused the connection; trying again\\S* \\([123] s left\\)`),
  );
});

test.skipIf(!hasScript)('an upload that has sent everything waits for the service', async () => {
  let seen: () => void = () => undefined;
  due = new Promise<void>((done) => {
    seen = done;
  });
  writeFileSync(join(folder, 'report.html'), 'x'.repeat(2_000_000));
  const { code, screen } = await terminal(folder, 'reports upload --type linting --file report.html', {
    env: { DTP_BASE_URL: address, DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' },
    typed: [['report.html: waiting for the service', '']],
    onTyped: seen,
  });
  expect(code, screen).toBe(0);
  expect(screen).toContain('2.0 MB sent');
  expect(screen).not.toMatch(/ 0 s left/);
});

test.skipIf(!hasScript).each([
  ['serve --ephemeral', 'Ctrl-C to stop', {}],
  ['ws list --no-progress -v', '> GET', {}],
  ['ws tokens delete t_1', '(y/N)', { TERM: 'dumb' }],
])('after Ctrl-C, the next line of %s begins at the left', async (line, at, env) => {
  due = new Promise(() => undefined);
  const all = { DTP_BASE_URL: address, DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1', ...env };
  const typed = [[at, '\u0003']] as const;
  const shell = `--version; ${process.execPath} ${bin} ${line}; printf '[end]'`;
  const { screen } = await terminal(folder, shell, { env: all, typed, survives: true });
  expect(screen).toMatch(/\n\[end\]$/);
});

test
  .skipIf(!hasScript)
  .each([
    `open ${opened}`,
    'reports linting-url 3febb4a4b1926e8cdd80062ab06112ac --open',
    'codehost actions get -R acme/sdk --open',
  ])('if no browser can be opened, a note says so and the URL is shown: %s', async (line) => {
  const { code, screen } = await onTerminal(line, { BROWSER: 'false' }, '', '', 200);
  expect([code, screen]).toEqual([0, expect.stringContaining('cannot open a browser: false exited with 1')]);
  expect(screen.split(/cannot open a browser/)[1]).toContain(opened);
});

test.skipIf(!hasScript)('NO_COLOR', async () => {
  const colour = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`);
  expect((await onTerminal('ws list')).screen).toMatch(colour);
  expect((await onTerminal('ws list', { NO_COLOR: '1' })).screen).not.toMatch(colour);
});

test.skipIf(!hasScript)('a command that deletes asks first, and follows the answer', async () => {
  requests.length = 0;
  const list = 'GET /v1/workspace/w_1/tokens';
  const declined = await onTerminal('ws tokens delete t_1', {}, '(y/N)', 'n\r');
  expect([declined.code, requests]).toEqual([15, [list]]);
  const agreed = await onTerminal('ws tokens delete t_1', {}, '(y/N)', 'y\r');
  expect([agreed.code, requests]).toEqual([0, [list, list, 'DELETE /v1/workspace/w_1/tokens/t_1']]);
});

test.skipIf(!hasScript)('a command that costs money makes the user type the name', async () => {
  requests.length = 0;
  expect((await onTerminal('orgs add-ons delete webhooks', {}, 'to confirm:', 'y\r')).code).toBe(15);
  expect(requests).toEqual([]);
  expect((await onTerminal('orgs add-ons delete webhooks', {}, 'to confirm:', 'webhooks\r')).code).toBe(0);
  expect(requests).toEqual(['DELETE /v1/organization/add_ons/webhooks']);
});

test.skipIf(!hasScript)('a login prompts, and does not show what is typed', async () => {
  const { code, screen } = await onTerminal(
    'auth login',
    { DTP_API_KEY: '', DTP_CONFIG_DIR: join(folder, 'login') },
    '(hidden)',
    'typed-s3cret\r',
  );
  expect(code).toBe(0);
  expect(screen).toContain('✔\u001b[39m Logged in');
  expect(screen).not.toContain('typed-s3cret');
});

test.skipIf(!hasScript)('queued events are dropped only if the user agrees', async () => {
  // A rejected credential leaves the event in the queue.
  const post = ['post', '--body', '{"id":"a"}'];
  expect((await events(post, { home: folder, openSend: receiver(() => 401).openSend })).code).toBe(4);
  const drop = async (typed: string) => {
    const { code, screen } = await onTerminal('events queue drop --all', {}, '(y/N)', typed);
    expect(screen).toContain('Delete 1 batch with 1 event permanently?');
    return code;
  };
  const ctrl = { c: '\u0003', d: '\u0004' };
  expect([await drop('n\r'), await drop(ctrl.d), await drop(ctrl.c)]).toEqual([15, 15, 130]);
  expect((await onTerminal('events queue list')).screen).toContain('pending');
  expect(await drop('y\r')).toBe(0);
  expect((await onTerminal('events queue list')).screen).toContain('no results');
});

test.skipIf(!hasScript)('a terminal of unknown width is treated as 80 columns wide, without a spinner', async () => {
  due = later(600);
  const { code, screen } = await onTerminal('ws list', {}, '', '', 0);
  expect([code, spinner.test(screen)]).toEqual([0, false]);
  expect(screen).toMatch(/Pets .* w_1/);
});

test.skipIf(!hasScript)('a list to choose from works on a terminal of unknown width', async () => {
  const { code, screen } = await onTerminal('ws tokens list', { DTP_WORKSPACE_ID: '' }, 'Which workspace?', '\r', 0);
  expect(code, screen).toBe(0);
  expect(screen).toMatch(/Which workspace\?.*Pets/s);
});

test.skipIf(!hasScript)('a question wraps between words on a narrow terminal', async () => {
  const { screen } = await onTerminal('ws tokens delete t_1', {}, '(y/N)', 'n\r', 34);
  expect(screen).toContain(
    'Delete token "t_1"? Programs\n   that use it lose access at\n   once. This cannot be undone.\n   (y/N)',
  );
});

test.skipIf(!hasScript)('a secret shows neither its length nor, after Ctrl-C, its characters', async () => {
  const login = (typed: string) =>
    onTerminal('auth login', { DTP_API_KEY: '', DTP_CONFIG_DIR: join(folder, 'hid') }, '(hidden)', typed);
  const [short, long] = [await login('s3\u0003'), await login('s3cret-of-some-length\u0003')];
  expect([short.code, long.code]).toEqual([130, 130]);
  expect(long.screen).toBe(short.screen);
});

test.skipIf(!hasScript)('a question has no color with NO_COLOR', async () => {
  const color = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`);
  const ask = (env: Record<string, string>) => onTerminal('ws tokens delete t_1', env, '(y/N)', 'n\r');
  expect((await ask({ NO_COLOR: '1' })).screen).not.toMatch(color);
  expect((await ask({})).screen).toMatch(color);
});

describe.skipIf(!hasScript)('a terminal that cannot move its cursor', () => {
  // Such a terminal is often an editor window, which ends a line with a line feed.
  const dumb = (line: string, at: string, typed: string, env: Record<string, string> = {}) =>
    onTerminal(line, { TERM: 'dumb', ...env }, at, typed);
  const control = String.fromCharCode(27);

  test.each([
    ['n\n', 15],
    ['\n', 15],
    ['yes\n', 0],
    ['\u0004', 15],
    ['\u0003', 130],
  ])('a question answered with %j exits with %i', async (typed, code) => {
    const ended = await dumb('ws tokens delete t_1', '(y/N)', typed);
    expect([ended.code, ended.screen.includes(control)]).toEqual([code, false]);
  });

  test('a secret is not shown', async () => {
    const env = { DTP_API_KEY: '', DTP_CONFIG_DIR: join(folder, 'dumb') };
    const { code, screen } = await dumb('auth login', '(hidden)', 'typed-s3cret\n', env);
    expect(code).toBe(0);
    expect([screen.includes('s3cret'), screen.includes(control)]).toEqual([false, false]);
  });

  test.each([
    ['a number', '1\n', 0],
    ['nothing', '\n', 15],
    ['Ctrl-C', '\u0003', 130],
  ])('a list is chosen from by a number: %s', async (_, typed, code) => {
    const env = { DTP_WORKSPACE_ID: '' };
    const ended = await dumb('ws tokens list', 'Enter a number or a name:', typed, env);
    expect(ended.code, ended.screen).toBe(code);
    expect(ended.screen).toContain('1. Pets \\u001b[2J (w_1)');
  });

  test('a number that is not in the list is asked for again', async () => {
    const { code, screen } = await terminal(folder, 'ws tokens list', {
      env: { DTP_BASE_URL: address, DTP_API_KEY: 'k-1', TERM: 'dumb' },
      typed: [
        ['Enter a number or a name:', '7\n'],
        ['Enter a number or a name:', '1\n'],
      ],
    });
    expect(code, screen).toBe(0);
  });
});

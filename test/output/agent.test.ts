/** What an agent gets: the same results if it was only detected, and shorter ones with --agent. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from '@toon-format/toon';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { closedWorld } from '../support/closed-world.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1', TERM: 'xterm' };
const findAgent: Context['findAgent'] = async () => ({ name: 'some-agent', isAsked: false });

/** Runs a command against a service with this response. */
const run = (argv: readonly string[], body: unknown, { status = 200, ...world }: World & { status?: number } = {}) =>
  dtp(argv, {
    home: temporaryFolder(),
    own: 'w_1',
    openSend: service(() => [status, body]).openSend,
    ...world,
    env: { ...env, ...world.env },
  });

const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `w_${at}`, name: `n${at}` }));
const missing = { status: 404, env: { DTP_ERROR_FORMAT: '' } };

describe('a detected agent', () => {
  test.each([
    ['json', ['ws', 'list', '-o', 'json']],
    ['the default', ['ws', 'list']],
    ['a table', ['ws', 'list', '-o', 'table']],
    ['a string', ['ws', 'list', '--query', '[0].id']],
    ['forced color', ['ws', 'list', '--color', 'always', '-o', 'json']],
  ])('gets the same result in a pipe: %s', async (_, argv) => {
    const [person, agent] = [await run(argv, rows(70)), await run(argv, rows(70), { findAgent })];
    expect(agent).toEqual(person);
  });

  test('gets errors as one line of JSON with the next command, unless text is requested', async () => {
    const argv = ['ws', 'list', '-o', 'table', '--limt', '3'];
    const { stdout, stderr } = await run(argv, [], { findAgent });
    expect([stdout, stderr.split('\n').length]).toEqual(['', 2]);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'usage', next: [{ command: expect.any(String) }] });
    expect((await run([...argv, '--error-format', 'text'], [], { findAgent })).stderr).toMatch(/^error: /);
    expect((await run(argv, [], { findAgent, env: { DTP_ERROR_FORMAT: 'text' } })).stderr).toMatch(/^error: /);
    expect((await run(argv, [], { findAgent, env: { DTP_AGENT: '0' } })).stderr).toMatch(/^error: /);
  });

  test('gets no color, prompt or progress on a terminal', async () => {
    const world = { tty: true, findAgent };
    const asked = await run(['ws', 'tokens', 'delete', 't_1'], [], world);
    expect(asked.code).toBe(2);
    expect(JSON.parse(asked.stderr).error.message).toMatch(/--yes/);
    const shown = await run(['ws', 'list'], rows(2), world);
    expect(shown.stdout).toContain('w_0');
    expect(`${shown.stdout}${shown.stderr}`).not.toContain('\u001b');
    expect((await run(['ws', 'list'], rows(2), { tty: true })).stdout).toContain('\u001b');
  });

  test('opens no browser', async () => {
    const url = 'https://example.test/r';
    const opened = await run(['open', url], {}, { tty: true, findAgent });
    expect(opened).toMatchObject({ code: 0, stdout: expect.stringContaining(url) });
  });

  test('is shown by doctor and config explain', async () => {
    const { openProbe } = closedWorld({ status: 200, body: '{}', headers: {}, lost: false });
    const world = { findAgent, ...(openProbe && { openProbe }) };
    const checks = await run(['doctor', '--query', "[?check=='agent'].message"], {}, world);
    expect(checks.stdout).toContain('some-agent runs dtp');
    const settings = ['config', 'explain', '--query', "[?setting=='agent'].[value, source][]"];
    expect(JSON.parse((await run(settings, {}, { findAgent })).stdout)).toEqual([
      'some-agent',
      'detected; DTP_AGENT=0 ignores it',
    ]);
    expect(JSON.parse((await run(settings, {}, { findAgent, env: { DTP_AGENT: '0' } })).stdout)).toEqual([
      '0',
      'DTP_AGENT',
    ]);
  });

  test('is not looked for if nothing depends on it', async () => {
    const never = () => Promise.reject(new Error('this command needs no detection'));
    expect((await run(['ws', 'list'], rows(1), { findAgent: never })).code).toBe(0);
  });
});

describe.each([
  ['--agent', ['--agent'], {}],
  ['DTP_AGENT=1', [], { DTP_AGENT: '1' }],
])('%s', (_, flag, more) => {
  const asked = async (argv: readonly string[], body: unknown, world: World & { status?: number } = {}) =>
    run([...argv, ...flag], body, { ...world, env: { ...more, ...world.env } });
  const page = async (argv: readonly string[], body: unknown) =>
    decode((await asked(argv, body)).stdout) as Record<string, unknown>;
  const again = ['dtp ws list', ...flag].join(' ');

  test('a list has 50 rows, the number of all, and the command for the next ones', async () => {
    expect(await page(['ws', 'list'], rows(123))).toEqual({
      data: rows(50),
      shown: 50,
      total: 123,
      more: `${again} --query '[50:100]'`,
    });
    expect(await page(['ws', 'list', '--query', '[50:100]'], rows(123))).toEqual({ data: rows(123).slice(50, 100) });
    expect(await page(['ws', 'list', '--query', '[].id'], rows(123))).toMatchObject({
      more: `${again} --query '[].id | [50:100]'`,
    });
    expect(await page(['ws', 'list', '--fields', 'id'], rows(51))).toMatchObject({
      shown: 50,
      data: { 0: { id: 'w_0' } },
    });
    expect(await page(['ws', 'list'], rows(50))).toEqual({ data: rows(50) });
  });

  test('a long list has the fields that all rows share once, and the others as a table', async () => {
    const shared = { workspace_id: 'w_1', labels: ['a'] };
    const open = (count: number) =>
      rows(count).map((row, at) => ({ ...row, ...shared, ...(at % 3 && { error: 'no' }) }));
    const short = (count: number) => rows(count).map((row, at) => ({ ...row, error: at % 3 ? 'no' : null }));
    expect(await page(['ws', 'list'], open(9))).toEqual({ data: open(9) });
    expect(await page(['ws', 'list'], open(10))).toEqual({ every_row: shared, data: short(10) });
    expect(await page(['ws', 'list'], open(60))).toMatchObject({ every_row: shared, data: short(50), total: 60 });
    const list = ['artifacts', 'revisions', 'list', 'pets'];
    expect(await page(list, { items: open(10) })).toEqual({ every_row: shared, data: { items: short(10) } });
    // A query or --fields choose what each row has.
    expect(await page(['ws', 'list', '--query', '[*]'], open(10))).toEqual({ data: open(10) });
    expect(await page(['ws', 'list', '--fields', 'workspace_id'], open(10))).toMatchObject({
      data: { 0: { workspace_id: 'w_1' } },
    });
  });

  test.each([
    ['the same rows', rows(12).map(() => ({ id: 'w_1' }))],
    ['rows with little in common', rows(12).map((row, at) => ({ ...row, [`field_${at}`]: 1 }))],
    ['rows with lists', rows(12).map((row, at) => ({ ...row, ...(at % 2 && { labels: [at] }) }))],
    ['a list of records and strings', [...rows(12), 'x']],
  ])('not changed: %s', async (_, body) => {
    expect(await page(['ws', 'list'], body)).toEqual({ data: body });
  });

  test('a long list of dtp api has the command for its rest, unless it was a change', async () => {
    const line = `dtp api /v1/x${flag.map((one) => ` ${one}`).join('')} --query '[50:100]'`;
    expect(await page(['api', '/v1/x'], rows(60))).toMatchObject({ shown: 50, total: 60, more: line });
    expect(await page(['api', '/v1/x', '-X', 'POST'], rows(60))).not.toHaveProperty('more');
  });

  test('a page names the command for the next page', async () => {
    const body = { items: rows(2), next_page_token: "p'2" };
    const list = ['artifacts', 'revisions', 'list', 'pets'];
    const line = `dtp artifacts revisions list pets${flag.map((one) => ` ${one}`).join('')} --page-token 'p'\\''2'`;
    expect(await page(list, body)).toEqual({ data: body, more: line });
    const long = await page(list, { ...body, items: rows(60) });
    expect(long).toMatchObject({ shown: 50, more: expect.stringContaining('items[50:100]') });
    expect(long).not.toHaveProperty('total');
  });

  test('long strings are cut, with their length', async () => {
    const { data } = (await page(['ws', 'get'], { id: 'w_1', name: 'x'.repeat(3000) })) as { data: { name: string } };
    expect(data.name).toBe(`${'x'.repeat(2000)}… (3000 characters in total)`);
    const nameOf = async (name: string) => ((await page(['ws', 'get'], { name })).data as { name: string }).name;
    expect(await nameOf('x'.repeat(2000))).toBe('x'.repeat(2000));
    // A surrogate pair is one character.
    expect(await nameOf(`${'x'.repeat(1999)}😀`)).toBe(`${'x'.repeat(1999)}… (2001 characters in total)`);
    expect(await nameOf('😀'.repeat(1001))).toBe(`${'😀'.repeat(1000)}… (2002 characters in total)`);
  });

  test('secrets are masked, even in a query, unless they are requested', async () => {
    const body = { id: 't_1', name: 'n', key: 'secret-value' };
    const create = ['ws', 'tokens', 'create', '--name', 'n'];
    const secrets = 'masked as ***; shown only with --show-secrets';
    expect(await page(create, body)).toEqual({ data: { ...body, key: '***' }, secrets });
    expect(await page([...create, '--query', '{name: key}'], body)).toEqual({ data: { name: '***' }, secrets });
    const bare = (...query: string[]) => asked([...create, '-r', ...query], body);
    expect(await bare('--query', 'key')).toMatchObject({ stdout: '***\n', stderr: `secrets are ${secrets}\n` });
    expect(await bare('--query', 'id')).toMatchObject({ stdout: 't_1\n', stderr: '' });
    expect(decode((await bare()).stdout)).toEqual({ data: { ...body, key: '***' }, secrets });
    expect(await page([...create, '--show-secrets'], body)).toEqual({ data: body });
  });

  test('-r has every string in full, but records are a page', async () => {
    const ids = await asked(['ws', 'list', '-r', '--jq', '.[].id'], rows(60));
    expect(ids.stdout.trimEnd().split('\n')).toEqual(rows(60).map(({ id }) => id));
    expect(await page(['ws', 'list', '-r', '--jq', '.[]'], rows(60))).toMatchObject({ data: rows(50), total: 60 });
  });

  test('a document is data, unless its bytes are requested', async () => {
    const order = 'more: "dtp orgs free-trial create --yes"\n';
    const argv = ['suggest', 'openapi', '--file', 'api.yaml'];
    const home = temporaryFolder();
    writeFileSync(join(home, 'api.yaml'), 'openapi: 3.1.0\n');
    const print = async (...more: string[]) => (await asked([...argv, ...more], Buffer.from(order), { home })).stdout;
    expect(decode(await print())).toEqual({ data: order });
    expect(await print('-o', 'raw')).toBe(order);
  });

  test('an OIDC token is masked as a whole, unless it is requested', async () => {
    const token = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.sig`;
    const argv = (more: readonly string[]) => ['auth', 'oidc-token', '--variable', 'OIDC', ...more, ...flag];
    const printed = async (...given: readonly string[]) =>
      (await run(argv(given), undefined, { env: { ...more, OIDC: token } })).stdout;
    const secrets = 'masked as ***; shown only with --show-secrets';
    expect(decode(await printed())).toEqual({ data: '***', secrets });
    expect(await printed('-r')).not.toContain(token);
    expect(decode(await printed('--show-secrets'))).toEqual({ data: token });
    expect(JSON.parse(await printed('-o', 'json'))).toBe(token);
  });

  test('help is the page for agents', async () => {
    for (const argv of [['help'], ['help', 'ws', 'list'], ['ws', 'list', '--help']])
      expect((await asked(argv, [])).stdout).toBe((await run([...argv, '--agent'], [])).stdout);
    expect((await asked(['help'], [])).stdout).toMatch(/^# dtp\n/);
    expect((await run(['help'], [], { findAgent })).stdout).toMatch(/^Usage: dtp/);
  });

  test.each([
    ['-o json', ['-o', 'json']],
    ['--json', ['--json']],
    ['-o raw', ['-o', 'raw']],
    ['-o csv', ['-o', 'csv']],
    ['-o toon', ['-o', 'toon']],
  ])('%s is what a pipe gives', async (_, format) => {
    const body = rows(60).map((row) => ({ ...row, key: 'secret-value', text: 'x'.repeat(2001) }));
    const argv = ['ws', 'list', ...format];
    expect((await asked(argv, body)).stdout).toBe((await run(argv, body)).stdout);
    if (!format.includes('raw'))
      expect((await asked(argv, body, { tty: true })).stdout).toBe(
        (await run(argv, body, { tty: true, env: { NO_COLOR: '1' } })).stdout,
      );
  });

  test('the format of a profile or .dtp.json is for people, and a variable is for the agent', async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, '.dtp.json'), JSON.stringify({ output: 'json' }));
    expect((await asked(['ws', 'list'], rows(1), { home })).stdout).toMatch(/^data/);
    expect((await asked(['ws', 'list'], rows(1), { home, env: { DTP_OUTPUT: 'json' } })).stdout).toMatch(/^\[/);
  });

  test('errors are one line of JSON', async () => {
    const { stdout, stderr, code } = await asked(['ws', 'get'], { message: 'no', status_code: 404 }, missing);
    expect([code === 0, stdout, stderr.split('\n').length]).toEqual([false, '', 2]);
    expect(JSON.parse(stderr).error.code).toBe('not_found');
  });
});

test('--agent overrides DTP_AGENT=0, and another value is rejected', async () => {
  expect((await run(['ws', 'list', '--agent'], rows(1), { env: { DTP_AGENT: '0' } })).stdout).toMatch(/^data\[1\]/);
  expect((await run(['ws', 'list'], rows(1), { env: { DTP_AGENT: 'maybe' } })).stderr).toContain('must be 1 or 0');
});

/** `ws tokens create`: the new token with its key in every format, only its own, and never a failure once it exists. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Clock } from '../../../src/clock.ts';
import { openSend as openSocket } from '../../../src/transport/send.ts';
import { dtp, temporaryFolder, type World } from '../../support/context.ts';
import { send, served } from '../../support/embedded-service.ts';
import { type Reply, service } from '../../support/function-service.ts';
import { home } from '../../support/process.ts';
import { hasScript, terminal } from '../../support/terminal.ts';

type Token = Readonly<Record<string, unknown>>;

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
const create = ['ws', 'tokens', 'create', '--name', 'ci'];
const run = (argv: readonly string[], world: World = {}) => dtp(argv, { env, own: 'w_1', ...world });
const tokenOf = (id: string, name = 'ci'): Token => ({ id, name, key: `dtp_key_of_${id}` });
const [older, newer] = [tokenOf('t_1', 'other'), tokenOf('t_2')];
const post = 'POST /v1/workspace/w_1/tokens';
const list = 'GET /v1/workspace/w_1/tokens';

/** Answers the lists in turn, and the creation with `made`. */
const tokens = (lists: readonly (readonly Token[] | Reply)[], made: Reply = [204]) => {
  let listed = 0;
  return service(({ method }) => {
    if (method === 'POST') return made;
    const answer = lists[Math.min(listed++, lists.length - 1)] as readonly Token[] | Reply;
    return typeof answer[0] === 'number' ? (answer as Reply) : [200, answer];
  });
};

describe('with the embedded service', () => {
  let service: Awaited<ReturnType<typeof served>>;
  const { folder, remove } = home();
  beforeAll(async () => {
    service = await served();
  });
  afterAll(async () => {
    await service.close();
    remove();
  });

  const read: Readonly<Record<string, (text: string) => Token>> = {
    json: JSON.parse,
    raw: JSON.parse,
    ndjson: JSON.parse,
    yaml: parse,
    csv: (text) => rowOf(text, ','),
    tsv: (text) => rowOf(text, '\t'),
    // A terminal shows the key alone.
    table: (text) => {
      const key = /dtp_\S+/.exec(text)?.[0];
      return { key };
    },
    name: (text) => ({ id: text.trim() }),
  };
  const rowOf = (text: string, separator: string): Token => {
    const [names = [], values = []] = text.split(/\r?\n/).map((line) => line.split(separator));
    return Object.fromEntries(names.map((name, at) => [name, values[at]]));
  };

  test.each(
    Object.keys(read).flatMap((format) => [[format, 'a pipe', false] as const, [format, 'a terminal', true] as const]),
  )('-o %s in %s has the id, and a key that works', async (format, where, tty) => {
    const name = `for ${format} in ${where}`;
    const { address, key: first, workspaceId } = service;
    const own = { DTP_BASE_URL: address, DTP_API_KEY: first, DTP_WORKSPACE_ID: workspaceId };
    const openSend: World['openSend'] = async (options) => openSocket(options);
    const argv = ['ws', 'tokens', 'create', '--name', name, '-o', format, '--color', 'never'];
    const ended = await dtp(argv, { env: own, own: workspaceId, openSend, tty });
    expect(ended.code, ended.stderr).toBe(0);
    const { id, key } = read[format]?.(stripVTControlCharacters(ended.stdout)) ?? {};
    const all = await service.call('GET', `/v1/workspace/${workspaceId}/tokens`);
    const record = all.json.find((one: Token) => one.name === name);
    if (format !== 'table') expect(id).toBe(record.id);
    if (format === 'name') return expect(ended.stdout).not.toContain(record.key);
    expect(key).toBe(record.key);
    const mine = await send(address, 'GET', '/v1/user', { headers: { 'x-api-key': String(key) } });
    expect(mine.status).toBe(200);
    expect(ended.stderr).not.toContain(record.key);
  });

  test.skipIf(!hasScript)('a second token with the same name asks first on a terminal', async () => {
    const { address, key: first, workspaceId } = service;
    const own = { DTP_BASE_URL: address, DTP_API_KEY: first, DTP_WORKSPACE_ID: workspaceId };
    const count = async () => {
      const { json } = await service.call('GET', `/v1/workspace/${workspaceId}/tokens`);
      return json.filter((one: Token) => one.name === 'twin').length;
    };
    const line = 'ws tokens create --name twin';
    expect((await terminal(folder, line, { env: own })).code).toBe(0);
    const question = 'The workspace already has a token named "twin"';
    const no = await terminal(folder, line, { env: own, typed: [[question, 'n\r']] });
    expect([no.code, await count()], no.screen).toEqual([15, 1]);
    const yes = await terminal(folder, line, { env: own, typed: [['Create another one? (y/N)', 'y\r']] });
    expect([yes.code, await count()], yes.screen).toEqual([0, 2]);
    expect(yes.screen).toMatch(/dtp_\w{8}/);
  });
});

describe('two processes at once', () => {
  /** All orders of the three requests of two processes. */
  const orders = (one: number, other: number): string[] =>
    one + other === 0
      ? ['']
      : [
          ...(one > 0 ? orders(one - 1, other).map((rest) => `a${rest}`) : []),
          ...(other > 0 ? orders(one, other - 1).map((rest) => `b${rest}`) : []),
        ];

  /** Runs both against one list of tokens. Their requests are answered in this order. */
  async function race(order: string, names: Readonly<Record<'a' | 'b', string>>) {
    const made: Token[] = [];
    let left = order;
    let waiting: (() => void)[] = [];
    const turn = async (who: string) => {
      while (left[0] !== who) await new Promise<void>((done) => waiting.push(done));
    };
    const next = () => {
      left = left.slice(1);
      const all = waiting;
      waiting = [];
      for (const go of all) go();
    };
    const openSend =
      (who: 'a' | 'b'): NonNullable<World['openSend']> =>
      async () => ({
        send: async ({ method }) => {
          await turn(who);
          if (method === 'POST') made.push(tokenOf(who, names[who]));
          const text = method === 'POST' ? '' : JSON.stringify(made);
          next();
          return { status: 200, headers: {}, body: bytesOf(text) };
        },
        close: async () => undefined,
      });
    const of = (who: 'a' | 'b') =>
      run(['ws', 'tokens', 'create', '--name', names[who], '-o', 'json'], { openSend: openSend(who) });
    return Promise.all([of('a'), of('b')]);
  }

  async function* bytesOf(text: string) {
    if (text !== '') yield Buffer.from(text);
  }

  test.each(orders(3, 3))('in the order %s, none prints the key of the other', async (order) => {
    const ended = await race(order, { a: 'ci', b: 'ci' });
    for (const [at, { code, stdout, stderr }] of ended.entries()) {
      const [own, other] = at === 0 ? ['a', 'b'] : ['b', 'a'];
      expect(stdout + stderr).not.toContain(`dtp_key_of_${other}`);
      if (code === 0) expect(JSON.parse(stdout)).toEqual(tokenOf(own));
      else {
        expect([code, stdout]).toEqual([14, '']);
        expect(stderr).not.toContain('dtp_key');
        expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error.details.ids.sort()).toEqual(['a', 'b']);
      }
    }
    // At least one is ambiguous if both looked before either had created its token, and after both had.
    if (/^(ab|ba)(ab|ba)/.test(order)) expect(ended.map(({ code }) => code)).toEqual([14, 14]);
    if (order === 'aaabbb') expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  });

  test('with different names, each gets its own', async () => {
    const [a, b] = await race('abbaab', { a: 'one', b: 'two' });
    expect([JSON.parse(a.stdout).key, JSON.parse(b.stdout).key]).toEqual(['dtp_key_of_a', 'dtp_key_of_b']);
  });
});

const lost: readonly (readonly [
  name: string,
  lists: readonly (readonly Token[] | Reply)[],
  sent: readonly string[],
])[] = [
  ['the first list is forbidden', [[403, {}]], [list, post]],
  ['the first list fails', [[500, {}]], [list, post]],
  ['the first list is a record', [[200, {}]], [list, post]],
  ['the second list is forbidden', [[older], [403, {}]], [list, post, list]],
  ['the second list fails', [[older], [500, {}]], [list, post, list]],
  ['the second list is empty', [[older], [200]], [list, post, list]],
  ['the token is not listed', [[older], [older]], [list, post, list]],
  ['the token is listed without its key', [[older], [older, { id: 't_2', name: 'ci' }]], [list, post, list]],
];

describe.each(lost)('if %s', (_, lists, sent) => {
  test.each(['json', 'yaml', 'ndjson', 'csv', 'tsv', 'table', 'raw', 'name'])(
    'the command succeeds with a warning (-o %s)',
    async (format) => {
      const { openSend, asked } = tokens(lists);
      const ended = await run([...create, '-o', format], { openSend });
      expect([ended.code, asked], ended.stderr).toEqual([0, sent]);
      expect(ended.stderr).toContain('warning: the token was created, but its key could not be fetched');
      expect(ended.stderr).toContain('dtp ws tokens list -o json');
      if (format === 'json')
        expect(JSON.parse(ended.stdout)).toEqual({
          ok: true,
          operation: 'createWorkspaceToken',
          status: 204,
        });
      if (format === 'name' || format === 'table') expect(ended.stdout).toBe('');
    },
  );
});

test.each([
  [1, [list, post]],
  [2, [list, post, list]],
])('list %i that never answers is not a failure either', async (silent, sent) => {
  const asked: string[] = [];
  let hang = () => {};
  const hanging = new Promise<void>((done) => {
    hang = done;
  });
  const openSend: World['openSend'] = async () => ({
    send: ({ method, url }, { signal }) => {
      asked.push(`${method} ${new URL(url).pathname}`);
      const reply = (text: string) => ({ status: 200, headers: {}, body: piecesOf(text) });
      if (method === 'POST') return Promise.resolve(reply(''));
      if (asked.filter((one) => one === list).length < silent) return Promise.resolve(reply('[]'));
      hang();
      return new Promise((__, failed) => signal.addEventListener('abort', () => failed(signal.reason)));
    },
    close: async () => undefined,
  });
  async function* piecesOf(text: string) {
    yield Buffer.from(text);
  }
  // Only the deadline of a list passes, and only if the list does not answer.
  const sleep: Clock['sleep'] = async (ms, signal) => {
    const ended = new Promise<void>((_, over) => signal?.addEventListener('abort', over));
    await (ms === 10_000 ? Promise.race([hanging, ended]) : ended);
  };
  const ended = await run([...create, '-o', 'json'], { openSend, clock: { now: () => 0, sleep } });
  expect([ended.code, JSON.parse(ended.stdout).ok, asked], ended.stderr).toEqual([0, true, sent]);
  expect(ended.stderr).toContain('its key could not be fetched: no result within 10 s');
});

test('null is an empty list', async () => {
  const { openSend, asked } = tokens([[200, null], [newer]]);
  const ended = await run([...create, '-o', 'json'], { openSend });
  expect([JSON.parse(ended.stdout), asked, ended.stderr]).toEqual([newer, [list, post, list], '']);
});

test.each([400, 403, 500])('a %i of the creation is a failure', async (status) => {
  const { openSend, asked } = tokens([[older]], [status, {}]);
  const ended = await run([...create, '-o', 'json'], { openSend });
  expect([ended.code === 0, ended.stdout, asked]).toEqual([false, '', [list, post]]);
});

test('--no-lookup sends one request', async () => {
  const { openSend, asked } = tokens([[newer]]);
  const ended = await run([...create, '--no-lookup', '-o', 'json'], { openSend });
  expect([ended.code, JSON.parse(ended.stdout).ok, asked, ended.stderr]).toEqual([0, true, [post], '']);
  expect((await run([...create, '--no-lookup', '-o', 'name'], { openSend })).code).toBe(2);
  expect(asked).toEqual([post]);
});

test('a record in the response is the result, and the tokens are not listed again', async () => {
  const { openSend, asked } = tokens([[older]], [201, newer]);
  const ended = await run([...create, '-o', 'json'], { openSend });
  expect([ended.code, JSON.parse(ended.stdout), asked]).toEqual([0, newer, [list, post]]);
  const partly = tokens([[older], [tokenOf('t_3'), newer]], [201, { id: 't_2' }]);
  expect(JSON.parse((await run([...create, '-o', 'json'], partly)).stdout)).toEqual(newer);
});

test('elsewhere, a second token with the same name is a warning', async () => {
  for (const world of [{}, { tty: true }]) {
    const { openSend, asked } = tokens([[newer], [newer, tokenOf('t_3')]]);
    const argv = [...create, '-o', 'json', ...(world.tty ? ['--yes'] : [])];
    const ended = await run(argv, { openSend, ...world });
    expect([ended.code, JSON.parse(stripVTControlCharacters(ended.stdout)).id, asked.length]).toEqual([0, 't_3', 3]);
    expect(ended.stderr).toContain('warning: the workspace already has a token named "ci" (t_2)');
  }
  const other = tokens([[older], [older, newer]]);
  expect((await run([...create, '-o', 'json'], other)).stderr).toBe('');
});

test('the key is only in the result', async () => {
  const folder = temporaryFolder();
  const journal = join(folder, 'journal.ndjson');
  const { openSend } = tokens([[older], [older, newer]]);
  const ended = await run([...create, '-r', '--query', 'key', '--debug'], {
    openSend,
    env: { ...env, DTP_OUTPUT_FILE: journal },
  });
  expect(ended.stdout).toBe(`${newer.key}\n`);
  expect(ended.stderr + readFileSync(journal, 'utf8')).not.toContain('dtp_key');
});

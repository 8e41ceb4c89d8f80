/** Annotations: a CI runner reads exactly what was reported, and takes nothing else for a command. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { openJournal } from '../../src/output/journal.ts';
import { annotation, maskCommand, withoutCommands } from '../../src/render/annotation.ts';
import type { HttpResponse } from '../../src/request/http.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { growthOfTexts, mostGrowth } from '../support/growth.ts';
import { commandsIn } from '../support/runner.ts';

test('any title and any message round-trip', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (title, message) => {
      const line = annotation('error', `dtp ${title}`, message);
      expect(line.slice(0, -1)).not.toMatch(/[\r\n]/);
      expect(commandsIn(line)).toEqual([{ name: 'error', properties: { title: `dtp ${title}` }, message }]);
    }),
  );
});

test('known escapes, by hand', () => {
  expect(annotation('warning', 'dtp a:b,c', '50% of\r\n%0A')).toBe(
    '::warning title=dtp a%3Ab%2Cc::50%25 of%0D%0A%250A\n',
  );
  expect(maskCommand('a%b')).toBe('::add-mask::a%25b\n');
});

test('a string contains no command afterwards, and a JSON line keeps its meaning', () => {
  const hostile = fc
    .array(fc.constantFrom('::set-output name=x::y', '##[set-output name=x;]y', '\n', ' ', ':', '#', '[', 'a'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(hostile, (text) => {
      expect(commandsIn(withoutCommands(text))).toEqual([]);
      const json = withoutCommands(JSON.stringify({ error: { message: text } }));
      expect([commandsIn(json), JSON.parse(json)]).toEqual([[], { error: { message: text } }]);
    }),
  );
});

const answering = (status: number, message: string): Context['openSend'] => {
  const body = async function* () {
    yield Buffer.from(JSON.stringify({ message }));
  };
  return async () => ({
    send: async (): Promise<HttpResponse> => ({ status, headers: { 'x-note': '##[error]no' }, body: body() }),
    close: async () => undefined,
  });
};

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-12345678', GITHUB_ACTIONS: 'true' };

test('a failure is annotated once, with what to do next, under the name of its command', async () => {
  const ended = await dtp(['ws', 'get', '-w', 'w_1', '--error-format', 'text'], {
    env,
    openSend: answering(404, 'no: such, 100% gone'),
  });
  expect(ended).toMatchObject({ code: 6, stdout: '' });
  expect(ended.stderr).toContain('error: 404 from GET /v1/workspace/w_1: no: such, 100% gone\n');
  expect(commandsIn(ended.stderr)).toEqual([
    {
      name: 'error',
      properties: { title: 'dtp ws get' },
      message: '404 from GET /v1/workspace/w_1: no: such, 100% gone\nList what exists:\ntry: dtp ws list',
    },
  ]);
});

test('the JSON of a failure is on a separate line', async () => {
  const { stderr } = await dtp(['ws', 'list', '-o', 'json'], { env, openSend: answering(503, 'away') });
  const [json = '', note = '', ...rest] = stderr.split('\n');
  expect(JSON.parse(json).error).toMatchObject({ code: 'server', status: 503 });
  expect(note).toMatch(/^::error title=dtp ws list::503 from GET/);
  expect(rest).toEqual(['']);
});

test('commands from a service have no effect, even with --debug', async () => {
  const hostile = '##[set-output name=a;]b\n::set-output name=a::b\n  ::stop-commands::x';
  for (const format of ['text', 'json']) {
    const { stderr } = await dtp(['ws', 'list', '--debug', '--error-format', format], {
      env,
      openSend: answering(500, hostile),
    });
    expect(commandsIn(stderr).map(({ name }) => name)).toEqual(['error']);
  }
});

test('each warning is annotated once', async () => {
  const list = ['events', 'targets', 'list-deprecated', '-w', 'w_1', '--insecure'];
  const ended = await dtp(list, { env, openSend: answering(200, 'x') });
  expect(commandsIn(ended.stderr).map(({ name, message }) => `${name}: ${message}`)).toEqual([
    'warning: dtp events targets list-deprecated is deprecated; use dtp events targets list',
    'warning: --insecure: TLS certificates are not verified, so anyone on the network could read the credential',
  ]);

  const written = new PassThrough();
  const clock = { now: () => 0, sleep: async () => undefined };
  const journal = await openJournal({
    env,
    cwd: '/',
    home: '/',
    clock,
    date: () => new Date(0),
    stderr: written,
  });
  for (const text of ['a', 'b', 'a']) journal.warned(text);
  expect(commandsIn(String(written.read())).map(({ message }) => message)).toEqual(['a', 'b']);
});

test.each([
  ['GitLab', { GITLAB_CI: 'true', CI: 'true' }],
  ['not CI', {}],
])('%s: no annotation', async (_, more) => {
  const { GITHUB_ACTIONS: __, ...plain } = env;
  const list = ['events', 'targets', 'list-deprecated', '-w', 'w_1'];
  const ended = await dtp(list, { env: { ...plain, ...more }, openSend: answering(500, '##[error]x') });
  expect(ended.code).toBe(10);
  expect(ended.stderr).toContain('##[error]x');
  expect(ended.stderr).not.toMatch(/^::/m);
});

test.each([
  [
    'an unknown --type',
    ['--type', 'LINTIN', '--success'],
    'unknown --type "LINTIN" (did you mean "LINT"?); sending it anyway',
  ],
  ['an input without events', ['--body', '[]'], 'the input has no events; nothing was sent'],
])('a post of %s warns in a line and in an annotation', async (_, argv, text) => {
  const ended = await dtp(['events', 'post', '--profile', 'local', ...argv], { env: { GITHUB_ACTIONS: 'true' } });
  expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining(`warning: ${text}\n`)]);
  expect(commandsIn(ended.stderr)).toMatchObject([{ name: 'warning', message: text }]);
});

test.each([
  ['GitHub Actions', { GITHUB_ACTIONS: 'true' }, 1],
  ['GitLab', { GITLAB_CI: 'true' }, 0],
])('on %s, the key of dtp dev is masked before the command runs, if the runner can', async (_, env, count) => {
  let key: string | undefined;
  const ended = await dtp(['dev', '--ephemeral', '--', 'printenv'], {
    env,
    spawn: async (command) => {
      key = command.env.DTP_API_KEY;
      return 0;
    },
  });
  expect([ended.code, key], ended.stderr).toEqual([0, expect.stringMatching(/^dtp_/)]);
  expect(ended.stderr).toBe(`::add-mask::${key}\n`.repeat(count));
});

test('an annotation contains no secret that the service repeats', async () => {
  const { stderr } = await dtp(['ws', 'list'], { env, openSend: answering(401, 'not k-12345678') });
  expect(commandsIn(stderr)[0]?.message).toContain('not ***');
  expect(stderr).not.toContain('k-12345678');
});

describe('a value on stdout is not a command either', () => {
  const values = ['::set-output name=a::b', ' \u0085\u00a0::stop-commands::x', 'x\n::add-mask::y', 'a ##[error]b'];
  const shown = (value: string, line: string, more: World = {}) =>
    dtp(['ws', 'list', ...line.split(' ')], {
      env,
      openSend: async () => ({
        send: async (): Promise<HttpResponse> => ({
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: (async function* () {
            yield Buffer.from(JSON.stringify([{ id: value, name: 'n' }]));
          })(),
        }),
        close: async () => undefined,
      }),
      ...more,
    });

  test.each(values)('%j', async (value) => {
    for (const line of ['-o json', '-o ndjson', '--query [0]', '--query [0].id -o json']) {
      const { code, stdout } = await shown(value, line);
      expect([line, code, commandsIn(stdout)]).toEqual([line, 0, []]);
      expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(value).slice(1, -1));
    }
    for (const line of ['-o table', '-o csv', '-o tsv', '-o yaml', '-o name', '-r --query [].id', '-o raw']) {
      const { code, stdout, stderr } = await shown(value, line);
      expect([line, commandsIn(stdout)]).toEqual([line, []]);
      const isRefused = code === 12 && stdout === '' && stderr.includes('would run as a workflow command');
      expect([line, code === 0 || isRefused], stderr).toEqual([line, true]);
    }
    expect(await shown(value, '-r --query [].id')).toMatchObject({ code: 12, stdout: '' });
  });

  test('elsewhere, and in a file, it is unchanged', async () => {
    const { GITHUB_ACTIONS: _, ...plain } = env;
    const [value = ''] = values;
    expect(await shown(value, '-r --query [].id', { env: plain })).toMatchObject({
      code: 0,
      stdout: `${value}\n`,
    });
    const home = temporaryFolder();
    expect((await shown(value, '-r --query [].id -O out', { home })).code).toBe(0);
    expect(readFileSync(join(home, 'out'), 'utf8')).toBe(`${value}\n`);
  });
});

test('looking for commands takes linear time', async () => {
  const make = (length: number) => ['\n', ' ', '\u2028'].map((one) => one.repeat(length / 3)).join('');
  expect(await growthOfTexts(withoutCommands, make, 2 ** 20)).toBeLessThan(mostGrowth);
});

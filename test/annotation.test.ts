/** Annotations: what the runner reads out of a line is what was told, and nothing else is taken for a command. */
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openJournal } from '../src/cli/journal.ts';
import type { Context } from '../src/context.ts';
import { annotation, maskCommand, withoutCommands } from '../src/render/annotation.ts';
import type { HttpResponse } from '../src/request/http.ts';
import { dtp } from './support/context.ts';
import { commandsIn } from './support/runner.ts';

test('any title and any message come out as they went in', () => {
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

test('a text holds no command afterwards, and a JSON line still says the same', () => {
  const hostile = fc
    .array(
      fc.constantFrom('::set-output name=x::y', '##[set-output name=x;]y', '\n', ' ', ':', '#', '[', 'a'),
    )
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

test('a failure is annotated with what to do next, once, under the name of its command', async () => {
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
      message:
        '404 from GET /v1/workspace/w_1: no: such, 100% gone\nList what exists with:\ntry: dtp ws list',
    },
  ]);
});

test('the JSON of a failure stands on a line of its own beside it', async () => {
  const { stderr } = await dtp(['ws', 'list', '-o', 'json'], { env, openSend: answering(503, 'away') });
  const [json = '', note = '', ...rest] = stderr.split('\n');
  expect(JSON.parse(json).error).toMatchObject({ code: 'server', status: 503 });
  expect(note).toMatch(/^::error title=dtp ws list::503 from GET/);
  expect(rest).toEqual(['']);
});

test('a service that writes commands writes them in vain, under --debug too', async () => {
  const told = '##[set-output name=a;]b\n::set-output name=a::b\n  ::stop-commands::x';
  for (const format of ['text', 'json']) {
    const { stderr } = await dtp(['ws', 'list', '--debug', '--error-format', format], {
      env,
      openSend: answering(500, told),
    });
    expect(commandsIn(stderr).map(({ name }) => name)).toEqual(['error']);
  }
});

test('a warning is annotated, the same one once', async () => {
  const list = ['events', 'targets', 'list-deprecated', '-w', 'w_1', '--insecure'];
  const ended = await dtp(list, { env, openSend: answering(200, 'x') });
  expect(commandsIn(ended.stderr).map(({ name, message }) => `${name}: ${message}`)).toEqual([
    'warning: dtp events targets list-deprecated is deprecated; use dtp events targets list',
    'warning: --insecure: any certificate is accepted, so anyone on the way can read the credential',
  ]);

  const written = new PassThrough();
  const clock = { now: () => 0, sleep: async () => undefined };
  const journal = openJournal({ env, cwd: '/', clock, stderr: written });
  for (const text of ['a', 'b', 'a']) journal.warned(text);
  expect(commandsIn(String(written.read())).map(({ message }) => message)).toEqual(['a', 'b']);
});

test.each([
  ['GitLab', { GITLAB_CI: 'true', CI: 'true' }],
  ['no CI', {}],
])('%s: no annotation', async (_, more) => {
  const { GITHUB_ACTIONS: __, ...plain } = env;
  const list = ['events', 'targets', 'list-deprecated', '-w', 'w_1'];
  const ended = await dtp(list, { env: { ...plain, ...more }, openSend: answering(500, '##[error]x') });
  expect(ended.code).toBe(10);
  expect(ended.stderr).toContain('##[error]x');
  expect(ended.stderr).not.toMatch(/^::/m);
});

test('an annotation holds no secret that the service repeats', async () => {
  const { stderr } = await dtp(['ws', 'list'], { env, openSend: answering(401, 'not k-12345678') });
  expect(commandsIn(stderr)[0]?.message).toContain('not ***');
  expect(stderr).not.toContain('k-12345678');
});

/** Finds the reason for a failure in a body of any shape, and shows it wherever a failure is shown. */
import http from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reasonIn } from '../../src/request/reason.ts';
import { openSend } from '../../src/transport/send.ts';
import { registry, write } from '../support/artifacts.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { connectMcp } from '../support/mcp.ts';
import { listening } from '../support/sockets.ts';

describe('the reason in JSON', () => {
  test.each<readonly [name: string, body: unknown, reason: string | undefined]>([
    ['the Error record', { message: 'no such thing', status_code: 404 }, 'no such thing'],
    ['error as a string', { error: 'bad request' }, 'bad request'],
    ['error as a record', { error: { code: 400, message: 'bad name', status: 'INVALID' } }, 'bad name'],
    ['OAuth 2.0', { error: 'invalid_grant', error_description: 'The token expired.' }, 'The token expired.'],
    ['OAuth 2.0 without a description', { error: 'invalid_grant' }, 'invalid_grant'],
    ['RFC 9457', { type: 'about:blank', title: 'Forbidden', detail: 'Not yours.' }, 'Not yours.'],
    ['RFC 9457 without a detail', { type: 'about:blank', title: 'Forbidden', status: 403 }, 'Forbidden'],
    ['detail alone', { detail: 'Not found.' }, 'Not found.'],
    [
      'detail as a list of records',
      { detail: [{ loc: ['body', 'name'], msg: 'is required' }] },
      'body.name: is required',
    ],
    [
      'OCI',
      {
        errors: [
          { code: 'DENIED', message: 'no access' },
          { code: 'UNKNOWN', message: 'try later' },
        ],
      },
      'no access; try later',
    ],
    ['OCI without a message', { errors: [{ code: 'DENIED', detail: null }] }, 'DENIED'],
    ['errors as a list of strings', { errors: ['too long', 'too short'] }, 'too long; too short'],
    [
      'errors as a map of lists',
      { errors: { name: ['is taken', 'is short'], title: ['is empty'] } },
      'name: is taken; is short; title: is empty',
    ],
    ['errors as a map of strings', { errors: { message: 'is empty' } }, 'message: is empty'],
    ['a message and errors', { message: 'Not valid', errors: { name: ['is taken'] } }, 'Not valid: name: is taken'],
    ['a message that repeats its errors', { message: 'no: x', errors: [{ message: 'x' }] }, 'no: x'],
    [
      'message as a list',
      { message: ['a must be set', 'b must be set'], error: 'Bad' },
      'a must be set; b must be set',
    ],
    ['an empty message', { message: '', error: 'no' }, 'no'],
    ['a message of white space', { message: ' \n', title: 'no' }, 'no'],
    ['a message of lines', { message: 'first\r\n\tsecond  third' }, 'first second third'],
    ['a list', ['one', { message: 'two' }], 'one; two'],
    ['a string', 'no', 'no'],
    ['no reason', { status: 500, message: 5, error: null }, '{"status":500,"message":5,"error":null}'],
    ['another field', { reason: 'quota exceeded' }, '{"reason":"quota exceeded"}'],
    ['another field with a secret', { reason: 'x', token: 't-1' }, '{"reason":"x","token":"***"}'],
    ['nothing', {}, undefined],
    ['null', null, undefined],
    ['a number', 7, undefined],
    ['a long integer', 7n, undefined],
    ['true', true, undefined],
    ['names of every object', { constructor: 'x', toString: 'y' }, '{"constructor":"x","toString":"y"}'],
    ['a prototype', JSON.parse('{"__proto__":{"message":"x"}}'), '{"__proto__":{"message":"x"}}'],
    [
      'too deep',
      { error: { error: { error: { error: { error: { error: 'x' } } } } } },
      '{"error":{"error":{"error":{"error":{"error":{"error":"x"}}}}}}',
    ],
    ['under the name of a secret', { errors: { api_key: ['k-1 is wrong'], name: ['y'] } }, 'api_key: ***; name: y'],
    ['with a secret in a URL', { message: 'no: https://a.test/?token=t-1&a=1' }, 'no: https://a.test/?token=***&a=1'],
  ])('%s', (_, body, reason) => {
    expect(reasonIn(body)).toBe(reason);
  });
});

describe('the reason in text', () => {
  test.each<readonly [name: string, body: string, reason: string | undefined]>([
    ['a line', 'upstream connect error\n', 'upstream connect error'],
    ['three lines of more', 'one\n\n two\r\nthree\nfour', 'one two three'],
    ['nothing', '', undefined],
    ['white space', ' \r\n\t', undefined],
    ['bytes', 'PK\u0003\u0004\0\0', undefined],
    ['a sign that is not markup', '<nil> is not a name', '<nil> is not a name'],
    ['a comparison', '3 < 4', '3 < 4'],
    [
      'a page with a title',
      '<!DOCTYPE html>\n<html><head>\n<title>502 Bad\n Gateway</title></head><body><h1>x</h1></body></html>',
      '502 Bad Gateway',
    ],
    ['a page without a title', '<html><body><h1>No.</h1><p>Ask <b>later</b>.</p></body></html>', 'No. Ask later .'],
    ['an empty title', '<html><title> </title><p>gone</p></html>', 'gone'],
    [
      'entities',
      '<p>a &lt;b&gt; &amp;amp; &#39;c&#x27; &nbsp;&bogus;&#1114112;</p>',
      "a <b> &amp; 'c' &bogus;&#1114112;",
    ],
    ['scripts and styles', '<html><style>p > a {}</style><SCRIPT>if (1<2) "</b>"</SCRIPT><p>x</p></html>', 'x'],
    ['comments', '<!-- <title>no</title> > --><p>yes</p>', 'yes'],
    ['a tag that does not end', '<p>yes</p><a href="', 'yes'],
    ['XML', '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>No</Message></Error>', 'AccessDenied No'],
    ['only markup', '<html><head></head></html>', undefined],
  ])('%s', (_, body, reason) => {
    expect(reasonIn(body)).toBe(reason);
  });
});

describe('a long reason is shortened', () => {
  const words = Array.from({ length: 200 }, (_, n) => `word${n}`).join(' ');

  test.each<readonly [name: string, body: unknown]>([
    ['a message', { message: words }],
    ['plain text', words],
    ['a list', { errors: words.split(' ') }],
    ['a map', { errors: Object.fromEntries(words.split(' ').map((word) => [word, ['x']])) }],
    ['a page', `<p>${words}</p>`],
  ])('%s', (_, body) => {
    const reason = reasonIn(body) as string;
    expect(reason.length).toBeLessThanOrEqual(501);
    expect(reason.length).toBeGreaterThan(450);
    // Between two words.
    expect(reason).toMatch(/\bword\d+(: x)?;?…$/);
  });

  test('a long word is cut, but never in the middle of a character', () => {
    expect(reasonIn({ message: 'x'.repeat(501) })).toBe(`${'x'.repeat(500)}…`);
    expect(reasonIn({ message: 'x'.repeat(500) })).toBe('x'.repeat(500));
    expect(reasonIn({ message: `${'x'.repeat(499)}\u{1f600}` })).toBe(`${'x'.repeat(499)}…`);
  });

  // The body of an error is read up to 1 MiB. With quadratic time, this test would not finish.
  const MIB = 1024 * 1024;
  const much = (text: string) => text.repeat(MIB / text.length);
  test.each<readonly [name: string, body: unknown]>([
    ['opened tags', `</p>${much('<')}`],
    ['opened comments', `</p>${much('<!--')}`],
    ['opened scripts', `</p>${much('<script>')}`],
    ['ended tags in a script', `</p><script>${much('</')}`],
    ['opened titles', `</p>${much('<title>')}`],
    ['half entities', `</p>${much('&#1')}`],
    ['spaces', { message: much(' ') }],
    ['lines', much('\n')],
    ['question marks', { message: much('?') }],
    ['parameters', { message: much('?token=') }],
    ['empty strings', { message: Array(MIB / 4).fill('') }],
    ['empty lists', { errors: Array(MIB / 4).fill([]) }],
    ['the same letter twice', { message: much('a'), errors: [`${much('a')}b`] }],
    ['names', { errors: Object.fromEntries(Array.from({ length: MIB / 16 }, (_, n) => [`n${n}`, {}])) }],
  ])('%s', (_, body) => {
    expect((reasonIn(body) ?? '').length).toBeLessThanOrEqual(1100);
  });
});

const oci = '{"errors":[{"code":"DENIED","message":"no access"}]}';
const page = '<html><head><title>Closed today</title></head><body>…</body></html>';

async function serving(status: number, body: string, type = 'application/json') {
  const server = http.createServer((_, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  const address = await listening(server, () => server.closeAllConnections());
  const home = temporaryFolder();
  const env = { DTP_BASE_URL: `http://${address}`, DTP_API_KEY: 'k-canary-1', DTP_WORKSPACE_ID: 'w_1' };
  const run = (argv: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    dtp(argv, { home, own: 'w_1', openSend: async (options) => openSend(options), env: { ...env, ...more } });
  return { address: `http://${address}`, home, env, run };
}

describe('the reason is shown', () => {
  test('by a command, with the whole body in the details', async () => {
    for (const [body, type, reason, details] of [
      [oci, 'application/json', 'no access', JSON.parse(oci)],
      [page, 'text/html', 'Closed today', page],
      ['one\ntwo', 'text/plain', 'one two', 'one\ntwo'],
    ] as const) {
      const { run } = await serving(422, body, type);
      const { error } = JSON.parse((await run(['auth', 'user', '-o', 'json'])).stderr);
      expect(error).toMatchObject({ message: `422 from GET /v1/user: ${reason}`, details });
    }
  });

  test('without the credential, and with visible control characters', async () => {
    const { run } = await serving(500, 'k-canary-1 \u001b[2J is wrong', 'text/plain');
    const { stderr } = await run(['auth', 'user'], { DTP_ERROR_FORMAT: 'text' });
    expect(stderr.split('\n')[0]).toBe('error: 500 from GET /v1/user: *** \\u001b[2J is wrong');
  });

  test('for rejected events, and next to them in the spool', async () => {
    const { run } = await serving(422, '{"errors":{"id":["is taken"]}}');
    const ended = await run(['events', 'post', '--body', '{"id":"e_1"}'], { DTP_ERROR_FORMAT: 'text' });
    expect(ended.stderr).toContain('events: id: is taken\n');
    const [entry] = JSON.parse((await run(['events', 'queue', 'list', '-o', 'json'])).stdout);
    expect(entry.reason).toMatch(/events: id: is taken$/);
  });

  test('for a push and a pull', async () => {
    const { home, run } = await registry();
    write(join(home, 'spec'), { 'openapi.yaml': 'openapi: 3.1.0\n' });
    const openRefusing = async (options: Parameters<typeof openSend>[0]) => {
      const sender = openSend(options);
      const refusal = {
        ...{ status: 403, headers: {} },
        body: (async function* () {
          yield Buffer.from(oci);
        })(),
      };
      const send: typeof sender.send = async (request, given) =>
        request.url.includes('/oci/') && request.method !== 'HEAD' ? refusal : sender.send(request, given);
      return { ...sender, send };
    };
    const pushed = await run(['push', 'spec', '--namespace', 'pets'], { openSend: openRefusing });
    expect(pushed).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^error: 403 from POST .*: no access\n/m),
    });
    const pulled = await run(['pull', 'pets'], { openSend: openRefusing });
    expect(pulled).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^error: 403 from GET .*: no access\n/),
    });
  });

  test('for a CI token', async () => {
    const { address, run } = await serving(401, '{"error":"expired"}');
    const ci = { ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 't' };
    const ended = await run(['auth', 'oidc-token'], { ...ci, DTP_ERROR_FORMAT: 'text' });
    expect(ended.stderr).toContain('returned no OIDC token: 401 from GET /: expired');
  });

  test('for a job with --wait', async () => {
    const { run } = await serving(422, '{"detail":"no such language"}');
    const ended = await run(['code-samples', 'jobs', 'get', 'j_1', '--wait'], { DTP_ERROR_FORMAT: 'text' });
    expect([ended.code, ended.stderr]).toEqual([7, expect.stringContaining('/j_1: no such language\n')]);
  });

  test('to an agent', async () => {
    const { address, home } = await serving(422, oci);
    const server = await connectMcp(home, ['--base-url', address, 'mcp'], {
      env: { DTP_API_KEY: 'k-canary-1' },
    });
    try {
      const { isError, value } = await server.call('auth_user');
      expect([isError, value.message, value.details]).toEqual([
        true,
        '422 from GET /v1/user: no access',
        JSON.parse(oci),
      ]);
    } finally {
      await server.close();
    }
  });
});

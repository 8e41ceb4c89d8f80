/** The credential, encoded or cut, in everything that an agent reads: results, errors, logs, and all of `dtp mcp`. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { dtp, type World } from '../support/context.ts';
import { type Reply, service } from '../support/function-service.ts';

const secret = 'Canary/5eC7E7+of=the-Test~9';
const bytes = Buffer.from(secret);
const forms: Readonly<Record<string, string>> = {
  'as it is': secret,
  'in upper case': secret.toUpperCase(),
  'in lower case': secret.toLowerCase(),
  'as base64': bytes.toString('base64'),
  'as base64url': bytes.toString('base64url'),
  'as base64 after a user': Buffer.from(`me:${secret}`).toString('base64'),
  'as hex': bytes.toString('hex'),
  'percent-encoded': encodeURIComponent(secret),
  'percent-encoded in every byte': [...bytes].map((byte) => `%${byte.toString(16)}`).join(''),
};

/** The length from which a piece of the secret is masked wherever it is. */
const shortest = 12;
const piecesOf = (form: string) =>
  Array.from({ length: form.length - shortest + 1 }, (_, at) => form.toLowerCase().slice(at, at + shortest));
const pieces = new Set(
  Object.entries(forms).flatMap(([name, form]) => piecesOf(name.includes('user') ? form.slice(4) : form)),
);
const leaksIn = (text: string) =>
  piecesOf(text.length < shortest ? ' '.repeat(shortest) : text).filter((one) => pieces.has(one));

/** A form, and what is left of it if a service cuts its end or its beginning. */
const cutsOf = (form: string) =>
  Array.from({ length: form.length - shortest }, (_, at) => [
    form.slice(0, at + shortest),
    `${form.slice(0, at + shortest)}...`,
    `${form.slice(0, at + shortest)}… (9 characters in total)`,
    form.slice(at),
  ]).flat();

const recordOf = (form: string) => ({
  id: 'w_1',
  value: form,
  [form]: 'the name of a field',
  nested: { list: [form, { deep: `before ${form} after` }] },
  url: `https://a.example.test/${form}?page=${form}#${form}`,
  cuts: cutsOf(form),
});

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: secret, DTP_WORKSPACE_ID: 'w_1' };
const run = (argv: readonly string[], reply: Reply, more: World = {}) =>
  dtp(argv, { own: 'w_1', env, openSend: service(() => reply).openSend, ...more });

describe.each(Object.entries(forms))('%s', (_, form) => {
  test.each<readonly [line: string, body: unknown]>([
    ['api /v1/x --agent', recordOf(form)],
    ['api /v1/x --agent', `a string with ${form}`],
    ['api /v1/x --agent --fields value,url', recordOf(form)],
    ['ws get --agent', recordOf(form)],
    ['ws list --agent', [recordOf(form), recordOf(form)]],
    ['ws list --agent --query [].value', [recordOf(form)]],
    ['ws list --agent --query [].value -r', [recordOf(form)]],
    ['ws list --agent --jq .[].cuts', [recordOf(form)]],
    ['events search --agent', [{ ...recordOf(form), created_at: '2026-11-20T10:00:00Z' }]],
  ])('dtp %s', async (line, body) => {
    const { code, stdout, stderr } = await run(line.split(' '), [200, body]);
    expect([code, leaksIn(stdout), leaksIn(stderr)], stdout + stderr).toEqual([0, [], []]);
    expect(stdout).toContain('***');
    expect(stdout).not.toContain('[object');
  });

  test.each(['text', 'json'])('an error in %s, with its details and with --debug', async (format) => {
    const argv = ['ws', 'get', '--error-format', format];
    const body = { message: `no ${form} here`, details: recordOf(form) };
    const headers = { 'x-request-id': `r-${form}`, 'x-echo': form, [form.toLowerCase()]: '1' };
    for (const extra of [[], ['--debug'], ['--agent']]) {
      const { code, stdout, stderr } = await run([...argv, ...extra], [422, body, headers]);
      expect([code, stdout, leaksIn(stderr)], stderr).toEqual([7, '', []]);
      expect(stderr).toContain('***');
    }
  });

  test('the first 500 characters of an error', async () => {
    for (let before = 500 - form.length; before <= 500 - shortest; before++)
      for (const body of [{ message: `${'x'.repeat(before)}${form}` }, { other: `${'x'.repeat(before)}${form}` }]) {
        const { code, stderr } = await run(['ws', 'get', '--error-format', 'text'], [500, body]);
        expect([code, leaksIn(stderr)], stderr).toEqual([10, []]);
      }
  });

  test('every way through dtp mcp', async () => {
    const text = `${JSON.stringify(recordOf(form))}\n${form.slice(0, 20)}`;
    const asked: readonly (readonly [method: string, params: object])[] = [
      ...['ws_get', 'ws_list', 'events_search'].map((name) => ['tools/call', { name, arguments: {} }] as const),
      ['tools/call', { name: 'ws_list', arguments: { query: '[].value' } }],
      ['tools/call', { name: 'events_post', arguments: { body: [{ id: 'e_1' }] } }],
      ['resources/read', { uri: 'dtp://events' }],
      ['resources/read', { uri: 'dtp://artifacts/pets/v1' }],
      ['prompts/get', { name: 'review_document', arguments: { namespace: 'pets', reference: 'v1' } }],
    ];
    for (const status of [200, 422]) {
      const replies = await callMcp(asked, (url) => answerOf(url, { status, form, text }));
      for (const [at, reply] of replies.entries())
        expect([asked[at], leaksIn(JSON.stringify(reply))], JSON.stringify(reply)).toEqual([asked[at], []]);
      expect(replies.map((reply) => 'error' in reply || reply.result.isError === true)).toEqual(
        asked.map(() => status !== 200),
      );
      expect(JSON.stringify(replies).split('***').length).toBeGreaterThan(status === 200 ? 100 : asked.length);
    }
  });
});

/** The response of a service that repeats the form everywhere, also in the file of a document and in its name. */
function answerOf(url: string, { status, form, text }: { status: number; form: string; text: string }): Reply {
  const digestOf = (content: string) => `sha256:${createHash('sha256').update(content).digest('hex')}`;
  const layer = { mediaType: 'application/json', digest: digestOf(text), size: Buffer.byteLength(text) };
  const annotations = { 'org.opencontainers.image.title': `${form.replaceAll(/[^\w.-]/g, '-')}.json` };
  const config = { mediaType: 'application/vnd.oci.empty.v1+json', digest: digestOf('{}'), size: 2 };
  const type = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = { schemaVersion: 2, mediaType: type, config, layers: [{ ...layer, annotations }] };
  if (/\/(validate|preflight)$/.test(url))
    return [200, { workspace_id: 'w_1', org_slug: 'o', workspace_slug: 'w', auth_token: 'registry-token' }];
  if (status !== 200) return [status, { message: `no ${form}`, details: recordOf(form) }, { 'x-request-id': form }];
  if (url.includes('/manifests/')) return [200, Buffer.from(JSON.stringify(manifest)), { 'content-type': type }];
  if (url.includes('/blobs/')) return [200, Buffer.from(url.endsWith(layer.digest.slice(7)) ? text : '{}')];
  return [200, /\/workspaces$|events/.test(url) ? [recordOf(form)] : recordOf(form)];
}

/** Sends requests to `dtp mcp`, and returns its replies in their order. */
async function callMcp(asked: readonly (readonly [method: string, params: object])[], answer: (url: string) => Reply) {
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const frames = [
    { id: 'hello', method: 'initialize', params: hello },
    { method: 'notifications/initialized' },
    ...asked.map(([method, params], id) => ({ id, method, params })),
  ];
  const { stdout, stderr } = await dtp(['mcp', '--allow-writes', '--debug'], {
    own: 'w_1',
    env: { ...env, DTP_ORGANIZATION_SLUG: 'o', DTP_WORKSPACE_SLUG: 'w' },
    openSend: service(({ url }) => answer(url)).openSend,
    stdin: frames.map((frame) => `${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`).join(''),
  });
  expect(leaksIn(stderr), stderr).toEqual([]);
  const replies = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return asked.map((_, id) => replies.find((reply) => reply.id === id));
}

describe('what is not masked', () => {
  const form = forms['as base64'] ?? '';

  test.each([
    ['for a script', ['api', '/v1/x', '-o', 'json'], true],
    ['in a pipe', ['api', '/v1/x'], true],
    ['for a person', ['api', '/v1/x', '-o', 'table', '--all-fields'], true],
    ['in a format that an agent asks for', ['api', '/v1/x', '--agent', '-o', 'json'], true],
    ['for an agent with --show-secrets', ['api', '/v1/x', '--agent', '--show-secrets'], true],
    ['for an agent', ['api', '/v1/x', '--agent'], false],
  ])('a result %s', async (_, argv, isWhole) => {
    const { code, stdout } = await run(argv, [200, { value: form }]);
    expect([code, stdout.includes(form)]).toEqual([0, isWhole]);
  });

  test('keys, for a script that lists them', async () => {
    const tokens = [{ id: 't_1', name: 'ci', key: secret }];
    const { stdout } = await run(['ws', 'tokens', 'list', '-o', 'json'], [200, tokens]);
    expect(JSON.parse(stdout)).toEqual(tokens);
  });

  test('words that the secret has too, and other strings', async () => {
    const value = { a: 'canary', b: 'the Canary of the test', c: '5eC7E7+of=t.', d: 'A canary/5eC7, and more' };
    const { stdout } = await run(['api', '/v1/x', '--agent', '-r', '--query', '[a,b,c,d]'], [200, value]);
    expect(stdout.trim().split('\n').slice(1)).toEqual([value.b, value.c, value.d]);
  });

  test('other strings, if the credential has fewer than 8 characters', async () => {
    const { stdout } = await run(['api', '/v1/x', '--agent'], [200, { value: 'pets and more' }], {
      env: { ...env, DTP_API_KEY: 'pets' },
    });
    expect(stdout).toContain('pets and more');
  });
});

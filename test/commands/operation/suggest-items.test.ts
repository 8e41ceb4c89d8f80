/** One suggestion for each item, and other responses that the tool depends on, which must match the API document. */
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/context.ts';
import { connectMcp } from '../../support/mcp.ts';
import { openEcho } from '../../support/recording-service.ts';
import { answer, guardWire, wire } from '../../support/wire.ts';

guardWire();

const path = '/v1/suggest/items';
const sent = { prompt: 'shorter', items: ['a', 'b', 'c'] };
const ask = async (reply: unknown, argv: readonly string[]) => {
  const seen = answer('POST', path, [200, JSON.stringify(reply)]);
  const ended = await wire(['suggest', 'items', ...argv, '-o', 'json']);
  expect(seen).toHaveLength(1);
  return ended;
};
const whole = ['--body', JSON.stringify(sent)];

describe('suggestions', () => {
  test.each([
    [['x', 'y', 'z'], whole],
    [
      ['x', 'y'],
      ['--prompt', 'p', '--body', '{"items":["a","b"]}'],
    ],
    [[], ['--prompt', 'p', '-F', 'items=[]']],
    // Invalid items are left to the service to reject.
    [['x'], ['--body', '{"prompt":"p","items":"a"}']],
  ])('%j are shown (%j)', async (reply, argv) => {
    const { code, stdout, stderr } = await ask(reply, argv);
    expect([code, JSON.parse(stdout)], stderr).toEqual([0, reply]);
  });

  test.each([
    [['x', 'y'], 'sent 3 items, got 2 suggestions'],
    [[], 'sent 3 items, got 0 suggestions'],
    [['w', 'x', 'y', 'z'], 'sent 3 items, got 4 suggestions'],
    [['x', 'y', 5], 'the response is not a list of strings'],
    [['x', 'y', null], 'the response is not a list of strings'],
    [['x', 'y', { item: 'z' }], 'the response is not a list of strings'],
    [{ items: ['x', 'y', 'z'] }, 'the response is not a list of strings'],
    ['x', 'the response is not a list of strings'],
    [null, 'sent 3 items, got 0 suggestions'],
  ])('%j are not', async (reply, words) => {
    const { code, stdout, stderr } = await ask(reply, whole);
    expect([code, stdout]).toEqual([12, '']);
    expect(JSON.parse(stderr).error).toMatchObject({
      ...{ code: 'bad_response', status: 200, operation: 'suggestItems', method: 'POST', path, attempts: 1 },
      message: `200 from POST ${path}: ${words}`,
    });
  });

  test.each(['table', 'json', 'yaml', 'ndjson', 'csv', 'tsv', 'raw', 'name'])(
    'are counted with -o %s',
    async (format) => {
      answer('POST', path, [200, '["x","y"]']);
      const ended = await wire(['suggest', 'items', ...whole, '-o', format, '--error-format', 'text']);
      expect(ended).toMatchObject({ code: 12, stdout: '' });
      expect(ended.stderr).toContain('sent 3 items, got 2 suggestions');
      answer('POST', path, [200, '["x","y","z"]']);
      const good = await wire(['suggest', 'items', ...whole, '-o', format]);
      expect([good.code, good.stdout.match(/[xyz]/g)?.slice(0, 3)]).toEqual([0, ['x', 'y', 'z']]);
    },
  );

  test('also through the MCP tool', async () => {
    const echo = await openEcho(() => [200, '["x","y"]']);
    const server = await connectMcp(temporaryFolder(), ['--base-url', echo.address, 'mcp'], {
      env: { DTP_API_KEY: 'k-1' },
    });
    try {
      const { isError, value } = await server.call('suggest_items', { body: sent });
      expect([isError, value.code, value.message]).toEqual([
        true,
        'bad_response',
        `200 from POST ${path}: sent 3 items, got 2 suggestions`,
      ]);
      const two = { body: { ...sent, items: ['a', 'b'] } };
      expect(await server.call('suggest_items', two)).toMatchObject({ isError: false, value: ['x', 'y'] });
    } finally {
      await server.close();
      echo.close();
    }
  });
});

describe('an overlay', () => {
  const files = { 'openapi.yaml': 'openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0 }\npaths: {}\n' };
  const commands = [
    ['/v1/suggest/openapi', ['suggest', 'openapi', '--schema', 'openapi.yaml']],
    ['/v1/suggest/openapi_from_summary', ['suggest', 'from-summary', '--body', '{}']],
    ['/v1/suggest/openapi/pets/v1', ['suggest', 'registry', 'pets', 'v1']],
  ] as const;
  const types = [undefined, 'text/html; charset=utf-8', 'application/xhtml+xml', 'application/json', 'image/png'];

  test.each(commands.flatMap(([at, argv]) => types.map((type) => [at, type, argv] as const)))(
    'of %s is taken with the content type %s, and a web page is not',
    async (at, type, argv) => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const overlay = 'overlay: 1.0.0\n';
      answer('POST', at, [200, overlay, headers]);
      expect(await wire(argv, { files })).toMatchObject({ code: 0, stdout: overlay });
      answer('POST', at, [200, '<!doctype html><p>Log in</p>', headers]);
      expect(await wire(argv, { files })).toMatchObject({ code: 12, stdout: '' });
    },
  );
});

describe('other responses that the tool depends on', () => {
  test.each(['null', '[]', '"x"', '7'])('a credential that is described by %s is not valid', async (body) => {
    answer('GET', '/v1/auth/validate', [200, body]);
    const { code, stdout, stderr } = await wire(['auth', 'status', '-o', 'json']);
    expect([code, stdout]).toEqual([12, '']);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'bad_response', operation: 'validateApiKey' });
  });

  test.each(['{}', 'null', '{"job_id":7}', '{"job_id":""}', '["j"]'])(
    'a job that is accepted with %s cannot be waited for',
    async (body) => {
      answer('POST', '/v1/code_sample/preview/async', [202, body]);
      const argv = ['code-samples', 'jobs', 'create', '--language', 'go', '--wait'];
      expect(await wire(argv)).toMatchObject({ code: 12, stdout: '' });
    },
  );

  test.each(['{}', 'null', '{"url":7}', '["u"]'])('a report at %s cannot be downloaded', async (body) => {
    answer('GET', '/v1/reports/linting/c', [200, body]);
    expect(await wire(['reports', 'linting-url', 'c', '--download', 'r'])).toMatchObject({
      code: 12,
      stdout: '',
    });
  });

  test.each(['{}', 'null', '{"auth_token":7}', '{"auth_token":""}'])(
    'a token that is %s opens no manifest',
    async (body) => {
      answer('POST', '/v1/artifacts/preflight', [200, body]);
      const argv = ['artifacts', 'manifests', 'get', 'n', 'r', '--organization-slug', 'o', '--workspace-slug', 'w'];
      expect(await wire(argv)).toMatchObject({ code: 12, stdout: '' });
    },
  );
});

/** Names that every JavaScript object has, such as `constructor`, are ordinary names wherever they come from. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callTool, type World } from '../../src/mcp/call.ts';
import { operations } from '../../src/operations/index.ts';
import { readAll } from '../../src/request/http.ts';
import { decoded } from '../../src/transport/decode.ts';
import { dtp, type World as Surroundings, temporaryFolder } from '../support/context.ts';
import { served } from '../support/embedded-service.ts';

const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Runs a command that gets the same answer to every request. */
async function run(argv: readonly string[], text = '{"a":1}', status = 200, more: Surroundings = {}) {
  const sent: Sent[] = [];
  const answer = async function* () {
    yield Buffer.from(text);
  };
  const headers = { 'content-type': 'application/json' };
  const openSend: Surroundings['openSend'] = async () => ({
    send: async ({ url, headers: given }) => {
      sent.push({ url, headers: given });
      return { status, headers, body: answer() };
    },
    close: async () => undefined,
  });
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1' };
  return { ...(await dtp(argv, { env, openSend, ...more })), sent };
}

describe.each(names)('%s', (name) => {
  test('as a content encoding', async () => {
    const body = async function* () {
      yield Buffer.from('[]');
    };
    for (const encoding of [name, name.toUpperCase(), `${name}, gzip`])
      await expect(readAll(decoded(body(), encoding), 100)).rejects.toMatchObject({ code: 'bad_response' });
  });

  test('in a query, a header and a body of dtp api', async () => {
    const address = `https://api.example.test/v1/x?${name}=1&${name}=2`;
    for (const argv of [[`/v1/x?${name}=1&${name}=2`], ['/v1/x', '-X', 'GET', '-F', `${name}=1`, '-f', `${name}=2`]]) {
      const { code, sent, stderr } = await run(['api', ...argv]);
      expect([code, sent[0]?.url], stderr).toEqual([0, address]);
    }
    const { code, sent } = await run(['api', '/v1/x', '-H', `${name}: one`]);
    expect([code, Object.entries(sent[0]?.headers ?? {})]).toEqual([
      0,
      expect.arrayContaining([[name.toLowerCase(), 'one']]),
    ]);
    expect(await run(['api', `/v1/{${name}}`])).toMatchObject({ code: 2, sent: [] });
    expect((await run(['api', '/v1/x', '-F', `${name}=1`, '--curl'])).stdout).toContain(`{"${name}":1}`);
  });

  test('as the subject of a 404', async () => {
    for (const argv of [[`/v1/x?${name}=1`], ['/v1/x', '-H', `${name}: 1`], ['/v1/x', '-F', `${name}=1`]])
      expect((await run(['api', ...argv], `{"message":"no ${name}"}`, 404)).code).toBe(6);
  });

  test('as a field of rows', async () => {
    const rows = `[{"${name}":{"x":7,"${name}":8}}]`;
    const shown = async (...argv: string[]) => (await run(['ws', 'list', '-o', 'ndjson', ...argv], rows)).stdout;
    expect(await shown('--fields', name)).toBe(`{"${name}":{"x":7,"${name}":8}}\n`);
    expect(await shown('--fields', `${name}.x,${name}.${name}`)).toBe(`{"${name}":{"x":7,"${name}":8}}\n`);
    const none = await run(['ws', 'list', '-o', 'ndjson', '--fields', `${name},${name}.x`], '[{"a":1}]');
    expect([none.code, none.stdout]).toEqual([0, `{"${name}":{"x":null}}\n`]);
    for (const format of ['table', 'csv', 'tsv', 'yaml', 'json', 'raw', 'name'])
      expect((await run(['ws', 'list', '-o', format], `[{"id":"w","${name}":1}]`)).code, format).toBe(0);
  });

  test('as something that does not exist: exit code 2, and nothing is sent', async () => {
    for (const line of [
      name,
      `${name} list`,
      `ws ${name}`,
      `help ${name}`,
      `schema ${name}`,
      `completion ${name}`,
      `config get ${name}`,
      `config set ${name} x`,
      `config unset ${name}`,
      `config use ${name}`,
      `config delete ${name} --yes`,
      `ws list -o ${name}`,
      `ws list --error-format ${name}`,
      `ws list --timeout 5${name}`,
      `ws list --query ${name}(@)`,
      `code-samples preview --body {"${name}":1}`,
    ])
      expect(await run(line.split(' ')), line).toMatchObject({ code: 2, stdout: '', sent: [] });
    expect(await run(['__complete', name])).toMatchObject({ code: 0, stdout: '', sent: [] });
    expect(await run(['ws', 'list', '--profile', name])).toMatchObject({ code: 3, sent: [] });
    const variable = await run(['auth', 'oidc-token', '--variable', name]);
    expect([variable.code, variable.stderr]).toEqual([3, expect.stringContaining('is not set')]);
  });

  test('as a profile, and as the header of a credential', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'config'), { mode: 0o700 });
    const profile = { base_url: 'https://api.example.test', 'header.api-key': name };
    const text = `{"current":${JSON.stringify(name)},"profiles":{${JSON.stringify(name)}:${JSON.stringify(profile)}}}`;
    writeFileSync(join(home, 'config', 'config.json'), text, { mode: 0o600 });
    const { code, stdout, stderr } = await run(['ws', 'list', '--curl'], '[]', 200, {
      home,
      env: { DTP_API_KEY: 'k-1' },
    });
    expect([code, stdout], stderr).toEqual([0, expect.stringContaining(`-H "${name.toLowerCase()}: $DTP_API_KEY"`)]);
  });

  test('as an input of a tool', async () => {
    const world = { context: {}, log: { masked: (value: unknown) => value } } as unknown as World;
    const given = JSON.parse(`{"${name}":"x"}`);
    const result = await callTool(world, operations.getWorkspaces, given, { signal: new AbortController().signal });
    expect(result.content[0]?.text).toContain(`unknown input \\"${name}\\"`);
  });

  test('in a document and in a form of the embedded service', async () => {
    const service = await served();
    const document = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 't', version: '1' },
      servers: [{ url: `https://{${name}}.example.test`, variables: {} }],
      security: [JSON.parse(`{"${name}":[]}`)],
      components: { securitySchemes: {} },
      paths: {
        '/pets': {
          post: {
            operationId: 'addPet',
            parameters: [
              {
                name,
                in: 'query',
                style: name,
                collectionFormat: name,
                schema: { type: 'array', items: {} },
              },
              { name: 'q', in: 'query', required: true, schema: { type: 'string', format: name } },
              {
                name: 'r',
                in: 'query',
                required: true,
                style: name,
                explode: false,
                schema: { type: 'array', items: {} },
              },
            ],
            requestBody: {
              content: {
                'multipart/form-data': {
                  schema: { properties: {} },
                  example: JSON.parse(`{"${name}":"v"}`),
                },
              },
            },
            responses: { 200: { description: 'ok' } },
          },
        },
      },
    });
    const part = (of: string, value: string) =>
      `--b\r\nContent-Disposition: form-data; name="${of}"\r\n\r\n${value}\r\n`;
    const file = `--b\r\nContent-Disposition: form-data; name="schema_file"; filename="a.json"\r\n\r\n${document}\r\n`;
    const body = `${part(name, 'x')}${part(`${name}[]`, 'x')}${file}${part('language', 'curl')}--b--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const { status, text } = await service.call('POST', '/v1/code_sample/preview', { body, headers });
    await service.close();
    expect(status, text).toBe(200);
    expect(text).not.toMatch(/native code|\[object|function /);
    // A string of unknown format, and a form with the field.
    expect(text).toContain('q=string');
    expect(text).toContain(`${name}=v`);
  });
});

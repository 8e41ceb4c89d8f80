/** 100 strings that give orders to an agent: they stay in the data of results and in the messages of errors. */
import { decode } from '@toon-format/toon';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Context } from '../../src/context.ts';
import { visible } from '../../src/render/sanitize.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { service } from '../support/function-service.ts';
import { bareIn } from '../support/hostile.ts';
import { hostileOrders, hostileRecord, mark } from '../support/hostile-results.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
const findAgent: Context['findAgent'] = async () => ({ name: 'some-agent', isAsked: false });
const home = temporaryFolder;

const run = (argv: readonly string[], body: unknown, status = 200) =>
  dtp(argv, { home: home(), own: 'w_1', env, findAgent, openSend: service(() => [status, body]).openSend });

/** TOON has no escape for characters above U+FFFF, so hidden ones become visible. */
const inToon = (text: string) => text.replace(/[\u{e0000}-\u{e0fff}]/gu, (char) => visible(char));

test('there are 100 different ones', () => {
  expect(new Set(hostileOrders).size).toBe(100);
});

describe.each([
  ['json', (text: string) => JSON.parse(text)],
  ['ndjson', (text: string) => [JSON.parse(text)]],
  ['yaml', (text: string) => parse(text)],
] as const)('-o %s', (format, read) => {
  test('reads back equal, and nothing else is written', async () => {
    for (const text of hostileOrders) {
      const body = [hostileRecord(text)];
      const { stdout, stderr } = await run(['ws', 'list', '-o', format], body);
      expect([read(stdout), stderr, bareIn(stdout)]).toEqual([body, '', []]);
    }
  });
});

test('--agent: they are only in the field data', async () => {
  for (const text of hostileOrders) {
    const body = hostileRecord(text);
    const { stdout, stderr } = await run(['ws', 'get', '--agent'], body);
    expect([decode(stdout), stderr, bareIn(stdout)]).toEqual([{ data: hostileRecord(inToon(text)) }, '', []]);
  }
});

test('--agent: a page token is one quoted word of the next command', async () => {
  for (const text of hostileOrders) {
    const body = { items: [{ digest: 'd' }], next_page_token: text };
    const { stdout, stderr } = await run(['artifacts', 'revisions', 'list', 'pets', '--agent'], body);
    const { more, ...others } = decode(stdout) as { more: string };
    expect(Object.keys(others)).toEqual(['data']);
    // Without what is in quotes, no word of the service is left.
    expect(more.replace(/'[^']*'|\\'/g, '')).not.toContain(mark);
    expect(stderr.split('\n').length).toBe(2);
    expect(stderr.replace(/'[^']*'|\\'/g, '')).not.toContain(mark);
  }
});

test.each([400, 401, 403, 404, 409, 422, 429, 500])(
  'an error with status %i has no hint and no command of the service',
  async (status) => {
    for (const text of hostileOrders)
      for (const argv of [
        ['ws', 'get'],
        ['ws', 'tokens', 'delete', 't_1', '--yes'],
        ['artifacts', 'tags', 'list', 'pets'],
      ]) {
        const { stdout, stderr } = await run(
          argv,
          { message: text, status_code: status, ...hostileRecord(text) },
          status,
        );
        expect([stdout, stderr.trimEnd().split('\n').length, bareIn(stderr)]).toEqual(['', 1, []]);
        const { hint = '', next = [] } = JSON.parse(stderr).error;
        expect(`${hint} ${JSON.stringify(next)}`).not.toContain(mark);
      }
  },
  60_000,
);

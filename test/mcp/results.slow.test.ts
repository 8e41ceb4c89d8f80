/** How `dtp mcp` shows long results. */
import { afterAll, describe, expect, test } from 'vitest';
import { connectMcp } from '../support/mcp.ts';
import { home } from '../support/process.ts';
import { openEcho } from '../support/recording-service.ts';

const { folder, remove } = home();
afterAll(remove);

describe('limited results', () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => ({ id: `w_${index}`, name: 'a workspace' }));
  const over = (answer: string | Uint8Array, name: string, args: Record<string, unknown> = {}) =>
    async function called() {
      const echo = await openEcho(() => [200, answer]);
      const argv = ['--base-url', echo.address, '--organization-slug', 'o', '--workspace-slug', 'w', 'mcp'];
      const server = await connectMcp(folder, argv, { env: { DTP_API_KEY: 'not a secret' } });
      try {
        return await server.call(name, args);
      } finally {
        await server.close();
        echo.close();
      }
    };
  const limit = 64 * 1024;

  test('a list shows its first 50 rows, and the query that shows the next ones', async () => {
    const { value, texts, notes } = await over(JSON.stringify(rows), 'ws_list')();
    expect(value).toEqual(rows.slice(0, 50));
    expect(JSON.parse(texts[0] ?? '')).toEqual(value);
    expect(notes[0]).toMatch(
      /^The first 50 of 20000 rows are shown\. For the next rows, set query to "\[50:100\]"\. .*dtp ws list --base-url \S+$/,
    );
    const next = await over(JSON.stringify(rows), 'ws_list', { query: '[50:100]' })();
    expect([next.value, next.notes]).toEqual([rows.slice(50, 100), []]);
  });

  test('the result of a query is not cut to 50 rows, but to the whole rows that fit', async () => {
    const { value, texts, notes } = await over(JSON.stringify(rows), 'ws_list', { query: '[]' })();
    expect(value).toEqual(rows.slice(0, value.length));
    expect(value.length).toBeGreaterThan(1000);
    expect(Buffer.byteLength(texts[0] ?? '')).toBeLessThanOrEqual(limit);
    expect(notes[0]).toMatch(new RegExp(`^The first ${value.length} of 20000 rows are shown\\. Narrow the call`));
  });

  test('a query sees the whole list', async () => {
    const all = over(JSON.stringify(rows), 'ws_list', { query: '[length(@), [19999].id]' });
    expect(await all()).toMatchObject({ value: [20_000, 'w_19999'], notes: [] });
  });

  test('a page keeps its token', async () => {
    const page = JSON.stringify({ items: rows, next_page_token: 'p2' });
    const { value, notes } = await over(page, 'artifacts_revisions_list', { namespace_name: 'n' })();
    expect(value).toEqual({ items: rows.slice(0, 50), next_page_token: 'p2' });
    expect(notes[0]).toContain('set query to "items[50:100]"');
  });

  test('the rows of a record are limited too', async () => {
    const { value, notes } = await over(JSON.stringify({ users: rows }), 'ws_team_list', {
      workspace_id: 'w_1',
    })();
    expect(value).toEqual({ users: rows.slice(0, 50) });
    const { value: more } = await over(JSON.stringify({ users: rows }), 'ws_team_list', {
      workspace_id: 'w_1',
      query: /query to "([^"]+)"/.exec(notes[0] ?? '')?.[1],
    })();
    expect(more).toEqual(rows.slice(50, 100));
  });

  test.each([
    [{}, '51', 50, ['The first 50 rows are shown, and there are more. Set limit to get more']],
    [{ limit: 60 }, '60', 60, []],
    [{ query: '[].id' }, null, 500, []],
  ])('a search with %j asks for %s events, and shows %i', async (args, asked, shown, words) => {
    const limits: (string | null)[] = [];
    const echo = await openEcho(({ query }) => {
      limits.push(query.get('limit'));
      return [200, JSON.stringify(rows.slice(0, Number(query.get('limit') ?? 500)))];
    });
    const env = { DTP_API_KEY: 'not a secret', DTP_WORKSPACE_ID: 'w', DTP_BASE_URL: echo.address };
    const server = await connectMcp(folder, ['mcp'], { env });
    try {
      const { value, notes } = await server.call('events_search', args);
      expect([limits, value.length, notes]).toEqual([
        [asked],
        shown,
        words.map((word) => expect.stringContaining(word)),
      ]);
    } finally {
      await server.close();
      echo.close();
    }
  });

  test('a result is text that every client passes on, and the same value with the notes as structured content', async () => {
    const echo = await openEcho(() => [200, JSON.stringify([{ id: 'a unique mark' }])]);
    const server = await connectMcp(folder, ['--base-url', echo.address, 'mcp'], {
      env: { DTP_API_KEY: 'not a secret' },
    });
    try {
      const result = await server.client.callTool({ name: 'ws_list', arguments: {} });
      expect(result.structuredContent).toEqual({ data: [{ id: 'a unique mark' }] });
      expect(JSON.stringify(result.content).split('a unique mark')).toHaveLength(2);
      const refused = await server.client.callTool({ name: 'orgs_get', arguments: {} });
      expect(JSON.stringify(refused).split('missing input: organizationID')).toHaveLength(2);
      expect([result, refused].map((one) => one.content.map(({ type }) => type))).toEqual([['text'], ['text']]);
    } finally {
      await server.close();
      echo.close();
    }
  });

  test('asterisks that a service writes are not a secret', async () => {
    expect(await over('{"id":"***"}', 'auth_user')()).toMatchObject({ value: { id: '***' }, notes: [] });
  });

  test('long strings are cut if nothing else can be cut', async () => {
    const { value, notes } = await over(JSON.stringify({ id: 'i', spec: 'ü'.repeat(limit) }), 'schema_store_get')();
    expect(value.spec).toMatch(/^ü{2000}… \(65536 characters in total\)$/);
    expect(notes[0]).toContain('Long strings are cut.');
  });

  test('text is cut after a line, and other bytes are base64 if they are few', async () => {
    const args = { namespace_name: 'n', digest: 'd' };
    const lines = 'a line of a document\n'.repeat(10_000);
    const cut = await over(`{"auth_token":"t"}\n${lines}`, 'artifacts_blobs_get', args)();
    expect(cut).toMatchObject({ isError: true, value: { code: 'bad_response' } });
    const text = await over(lines, 'suggest_registry', { namespace_name: 'n', revision_reference: 'r' })();
    expect(text.value).toBe(lines.slice(0, 21 * Math.floor(limit / 21)));
    expect(text.notes[0]).toMatch(
      /^Only the beginning of the 210000 bytes is shown\. .* dtp suggest registry n r --base-url \S+ -O FILE$/,
    );
    const few = await over(Buffer.from([0, 255]), 'suggest_registry', {
      namespace_name: 'n',
      revision_reference: 'r',
    })();
    expect(few.value).toEqual({ base64: 'AP8=', bytes: 2 });
    const many = await over(Buffer.alloc(limit, 255), 'suggest_registry', {
      namespace_name: 'n',
      revision_reference: 'r',
    })();
    expect(many.value).toEqual({ bytes: limit });
  });
});

/** What `dtp mcp` shows of long results. */
import { afterAll, describe, expect, test } from 'vitest';
import { openEcho } from './support/echo.ts';
import { connectMcp } from './support/mcp.ts';
import { home } from './support/process.ts';

const { folder, remove } = home();
afterAll(remove);

describe('results in bounds', () => {
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

  test('a long list ends at a whole row, and says how many there are', async () => {
    const { value, texts, notes } = await over(JSON.stringify(rows), 'ws_list')();
    expect(value).toEqual(rows.slice(0, value.length));
    expect(value.length).toBeGreaterThan(1000);
    expect(JSON.parse(texts[0] ?? '')).toEqual(value);
    expect(texts[0]?.length).toBeLessThanOrEqual(limit);
    expect(notes[0]).toMatch(
      new RegExp(
        `^The first ${value.length} of 20000 rows are shown\\..*query.*dtp ws list --base-url \\S+$`,
      ),
    );
  });

  test('a query sees all of it', async () => {
    const all = over(JSON.stringify(rows), 'ws_list', { query: '[length(@), [19999].id]' });
    expect(await all()).toMatchObject({ value: [20_000, 'w_19999'], notes: [] });
  });

  test('a page keeps its token', async () => {
    const page = JSON.stringify({ items: rows, next_page_token: 'p2' });
    const { value } = await over(page, 'artifacts_revisions_list', { namespace_name: 'n' })();
    expect(value.next_page_token).toBe('p2');
    expect(value.items).toEqual(rows.slice(0, value.items.length));
  });

  test('stars that a service writes are no secret', async () => {
    expect(await over('{"id":"***"}', 'auth_user')()).toMatchObject({ value: { id: '***' }, notes: [] });
  });

  test('long texts are cut where nothing else is to be cut', async () => {
    const { value, notes } = await over(
      JSON.stringify({ id: 'i', spec: 'ü'.repeat(limit) }),
      'schema_store_get',
    )();
    expect(value.spec).toMatch(/^ü{2000}… \(65536 characters in all\)$/);
    expect(notes[0]).toContain('Long texts are cut.');
  });

  test('bytes are text up to a line, or base64 where they are few', async () => {
    const args = { namespace_name: 'n', digest: 'd' };
    const lines = 'a line of a document\n'.repeat(10_000);
    const cut = await over(`{"auth_token":"t"}\n${lines}`, 'artifacts_blobs_get', args)();
    expect(cut).toMatchObject({ isError: true, value: { code: 'bad_response' } });
    const text = await over(lines, 'suggest_registry', { namespace_name: 'n', revision_reference: 'r' })();
    expect(text.value).toBe(lines.slice(0, 21 * Math.floor(limit / 21)));
    expect(text.notes[0]).toMatch(
      /^Of 210000 bytes the first are shown\. .* dtp suggest registry n r --base-url \S+ -O FILE$/,
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

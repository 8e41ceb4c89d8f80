/** Strings from a service in prompts and spinners on a terminal: none of them acts on it. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bareIn, hostileText, infected } from '../support/hostile.ts';
import { home } from '../support/process.ts';
import { hasScript, terminal } from '../support/terminal.ts';

describe.skipIf(!hasScript)('on a terminal', () => {
  // What the prompt and spinner libraries write: colors, the cursor, its position, clearing of lines.
  const own = new RegExp(`${String.fromCharCode(27)}\\[[?\\d;]*[A-Za-z]`, 'g');
  const shownBare = (screen: string) => bareIn(screen.replaceAll(own, ''), '\n\r');
  let polls = 0;
  /** The answer after the failed polls waits for this. */
  let due: Promise<unknown> = Promise.resolve();
  const server = http.createServer((request, response) => {
    const says = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (request.url === '/v1/workspaces') says(200, [infected({ id: 'w_1', name: 'Pets', slug: 'pets' })]);
    else if (request.url?.endsWith('/namespaces')) says(200, { items: [{ id: 'n_1', name: 't\u202e1' }] });
    else if (request.url?.includes('/async/') && polls++ < 2) says(503, { message: hostileText });
    else due.then(() => says(200, infected({ id: 'a' })));
  });
  const { folder, remove } = home();
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
  afterAll(() => {
    server.close();
    remove();
  });
  const onTerminal = (
    line: string,
    typed: readonly (readonly [string, string])[] = [],
    onTyped: () => void = () => undefined,
  ) =>
    terminal(folder, line, {
      env: {
        DTP_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        DTP_API_KEY: 'k-1',
      },
      typed,
      onTyped,
    });

  test('a spinner shows what the service said', async () => {
    let seen: () => void = () => undefined;
    due = new Promise<void>((done) => {
      seen = done;
    });
    const wait = 'code-samples jobs get j_1 --wait --poll-interval 1s';
    const { code, screen } = await onTerminal(wait, [['503 from GET', '']], seen);
    expect(code, screen).toBe(0);
    expect(screen).toContain('503 from GET');
    expect(shownBare(screen)).toEqual([]);
  });

  test('a list to choose from', async () => {
    const { screen } = await onTerminal('ws tokens list', [['Which workspace?', '\u0003']]);
    expect(screen).toContain('Which workspace?');
    expect(screen).toContain('\\u001b[2J');
    expect(shownBare(screen)).toEqual([]);
  });

  test('a question quotes what was typed', async () => {
    const { code, screen } = await onTerminal(`artifacts namespaces archive "$(printf 't\\342\\200\\2561')"`, [
      ['(y/N)', 'n\r'],
    ]);
    expect([code, shownBare(screen)]).toEqual([15, []]);
    expect(screen).toContain('t\\u202e1');
  });
});

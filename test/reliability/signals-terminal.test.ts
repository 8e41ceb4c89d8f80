/** A signal during a prompt or a spinner on a terminal: the cursor and the echo are restored when the tool exits. */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { home } from '../support/process.ts';
import { seed } from '../support/random.ts';
import { codes, signalsToTest, writePreload } from '../support/stubborn-processes.ts';
import { hasScript, terminal } from '../support/terminal.ts';

describe.skipIf(!hasScript)('on a terminal', () => {
  // Only the list request gets an answer.
  const server = http.createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/v1/workspaces')
      response.end('[{"id":"w_1","name":"Pets"},{"id":"w_2","name":"Dogs"}]');
  });
  const homes: (() => void)[] = [];
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    for (const remove of homes) remove();
  });
  const asks = [
    ['a question', 'ws tokens delete t_1', '(y/N)'],
    ['a list to choose from', 'ws tokens list', 'Which workspace?'],
    ['a hidden question', 'auth login', '(hidden)'],
    ['a spinner', 'ws current', '\u001b[?25l'],
  ] as const;
  test.each(asks.flatMap((one) => signalsToTest().map((signal) => [...one, signal] as const)))(
    `%s, seed ${seed}: the cursor and the echo are restored (%s, %s, %s)`,
    async (what, line, at, signal) => {
      const { folder, remove } = home();
      homes.push(remove);
      const { env, ready } = writePreload(folder);
      const more = {
        DTP_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        ...(what === 'a question' && { DTP_WORKSPACE_ID: 'w_1' }),
        ...(what !== 'a hidden question' && { DTP_API_KEY: 'key-of-the-test' }),
      };
      // A signal follows the string in `at`, not a key.
      let shown = () => undefined as unknown;
      const there = new Promise((done) => {
        shown = () => done(undefined);
      });
      const ended = terminal(folder, `${line}; echo "code=$?"; stty -a`, {
        env: { ...more, ...env },
        typed: [[at, '']],
        onTyped: shown,
      });
      const early = ended.then((end) => Promise.reject(new Error(`exited before it asked: ${JSON.stringify(end)}`)));
      await Promise.race([there, early]);
      early.catch(() => undefined);
      process.kill(Number(readFileSync(ready, 'utf8')), signal);
      const { screen } = await ended;
      expect(screen).toContain(`code=${codes[signal]}`);
      expect(screen).toMatch(/ icanon .* echo /s);
      expect(screen.lastIndexOf('\u001b[?25h')).toBeGreaterThanOrEqual(screen.lastIndexOf('\u001b[?25l'));
    },
  );
});

/** A service for commands that run until Ctrl-C: it gives one reply after the other, and then presses Ctrl-C. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { ExitCode } from '../../src/errors.ts';
import { openSend } from '../../src/transport/send.ts';
import { hastyClock } from './clocks.ts';
import { dtp, type Ended, type World } from './context.ts';

export type Reply = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>];

/** The current time of the commands. */
export const NOW = new Date(2026, 0, 31, 14, 3, 22);

/** Runs a command with these replies. A Buffer is sent as it is. `asked` has the path and query of each request. */
export async function runUntilCtrlC(
  argv: readonly string[],
  replies: readonly Reply[],
  world: World = {},
  code = 130,
): Promise<Ended & { readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const end = new AbortController();
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const [status, body, headers] = replies[asked.length - 1] ?? [200, []];
    if (asked.length > replies.length) end.abort(new ExitCode(code));
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const ended = await dtp(argv, {
    clock: hastyClock,
    date: () => NOW,
    own: 'w_1',
    openSend: async (options) => openSend(options),
    signal: end.signal,
    ...world,
    env: {
      DTP_BASE_URL: `http://127.0.0.1:${port}`,
      DTP_API_KEY: 'k',
      DTP_WORKSPACE_ID: 'w_1',
      DTP_ERROR_FORMAT: 'text',
      ...world.env,
    },
  });
  return { ...ended, asked };
}

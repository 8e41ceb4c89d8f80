/** Commands that run until Ctrl-C, against a service that gives one reply after the other and then presses it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { ExitCode } from '../../src/errors.ts';
import { openSend } from '../../src/transport/send.ts';
import { dtp, type Ended, hastyClock, type World } from './context.ts';

export type Reply = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>];

export interface Followed extends Ended {
  /** The paths that were requested. */
  readonly asked: readonly string[];
  /** The sleeps between requests, in milliseconds. */
  readonly waits: readonly number[];
}

/** The time in these tests. */
export const NOW = new Date(2026, 0, 31, 14, 3, 22);

/** Runs a command line. After the replies, the signal that ends with `code` arrives. */
export async function followed(
  argv: readonly string[],
  replies: readonly Reply[],
  world: World = {},
  code = 130,
): Promise<Followed> {
  const [asked, waits]: [string[], number[]] = [[], []];
  const end = new AbortController();
  const server = createServer((request, response) => {
    const [status, body, headers] = replies[asked.length] ?? [200, []];
    asked.push(request.url ?? '');
    if (asked.length > replies.length) end.abort(new ExitCode(code));
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const ended = await dtp(argv, {
    clock: {
      now: hastyClock.now,
      sleep: (ms, signal) => {
        // Others are deadlines.
        if (ms < 10_000) waits.push(ms);
        return hastyClock.sleep(ms, signal);
      },
    },
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
  return { ...ended, asked, waits };
}

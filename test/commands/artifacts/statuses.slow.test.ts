/** How push and pull handle each status: every 2xx is a success, and other requests are retried as declared. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { DtpError } from '../../../src/errors.ts';
import type { HttpResponse } from '../../../src/request/http.ts';
import { openSend } from '../../../src/transport/send.ts';
import { filesOf, registry, write } from '../../support/artifacts.ts';
import { wallClock } from '../../support/clocks.ts';

const files = { 'openapi.yaml': 'openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0 }\npaths: {}\n' };

/** Sends for real and passes each response to `meddle`. Undefined leaves the response unchanged. */
function watched(meddle: (line: string, answer: HttpResponse) => HttpResponse | DtpError | undefined) {
  const sent: string[] = [];
  const open: Context['openSend'] = async (options) => {
    const sender = openSend(options);
    return {
      ...sender,
      send: async (request, given) => {
        const line = `${request.method} ${new URL(request.url).pathname}`;
        sent.push(line);
        const answer = await sender.send(request, given);
        const instead = meddle(line, answer) ?? answer;
        if (instead instanceof DtpError) throw instead;
        return instead;
      },
    };
  };
  return { open, sent };
}

/** Retry waits end at once. Deadlines of a minute and more are never reached. */
const clock = {
  now: wallClock.now,
  sleep: (ms: number, signal?: AbortSignal) => (ms >= 60_000 ? wallClock.sleep(ms, signal) : Promise.resolve()),
};

const success = [201, 202, 203, 206];

test.each(success)('a registry that answers each success with %i', async (status) => {
  const { home, run } = await registry();
  const spec = write(join(home, 'spec'), files);
  const other = watched((line, answer) =>
    line.includes('/oci/') && answer.status < 300 ? { ...answer, status } : undefined,
  );
  const pushed = await run(['push', 'spec', '--namespace', 'pets', '--tag', 'v1'], { openSend: other.open });
  expect([pushed.code, pushed.stderr]).toEqual([0, 'pushing openapi.yaml\n']);
  const pulled = await run(['pull', 'pets:v1'], { openSend: other.open });
  expect([pulled.code, pulled.stderr]).toEqual([0, '']);
  expect(filesOf(join(home, 'pets'))).toEqual(filesOf(spec));
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
const failing = (status: number): HttpResponse => ({ status, headers: {}, body: bytesOf('{}') });
const lost = new DtpError('network', 'the host closed the connection', { retryable: true });

test.each<readonly [name: string, failure: HttpResponse | DtpError, times: number]>([
  ['503', failing(503), 3],
  ['429', failing(429), 3],
  ['504', failing(504), 3],
  ['a connection that is lost', lost, 3],
  ['501', failing(501), 1],
  ['505', failing(505), 1],
  ['403', failing(403), 1],
  ['404', failing(404), 1],
])('a layer that fails with %s is requested as often as --retry 2 allows', async (_, failure, times) => {
  const { home, run } = await registry();
  write(join(home, 'spec'), files);
  expect((await run(['push', 'spec', '--namespace', 'pets', '--tag', 'v1'])).code).toBe(0);
  const { open, sent } = watched((line) => (/^GET .*\/blobs\//.test(line) ? failure : undefined));
  const ended = await run(['pull', 'pets:v1', '--retry', '2'], { openSend: open, clock });
  expect([ended.code === 0, ended.stdout]).toEqual([false, '']);
  expect(sent.filter((line) => /^GET .*\/blobs\//.test(line))).toHaveLength(times);
});

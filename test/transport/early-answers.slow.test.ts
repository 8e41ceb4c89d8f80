/** A response that reports success before the whole request was sent: nothing is acknowledged. */
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { Readable } from 'node:stream';
import { Agent, Dispatcher } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { type Body, readAll } from '../../src/request/http.ts';
import { sendOver } from '../../src/transport/send.ts';
import { write } from '../support/artifacts.ts';
import { jumpingClock } from '../support/clocks.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { served } from '../support/embedded-service.ts';
import { ndjson } from '../support/event-service.ts';
import { listening, sender, signal } from '../support/sockets.ts';

const KIB = 1024;
const PIECE = 64 * KIB;

/** More than the buffers of a connection accept. */
const LARGE = 48 * 1024 * KIB;

type Serve = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** Answers without reading the body. */
const early =
  (status: string): Serve =>
  ({ socket }) =>
    socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);

/** Answers after the body. */
const late =
  (status: number, seen: (size: number) => void = () => undefined): Serve =>
  async (request, response) => {
    let size = 0;
    for await (const chunk of request) size += chunk.length;
    seen(size);
    response.writeHead(status).end();
  };

const source = (size: number, piece: number, pieces = Math.ceil(size / piece)): Body => ({
  size,
  open: async function* () {
    for (let at = 0; at < pieces; at++) yield Buffer.alloc(Math.min(piece, size - at * piece), 'x');
    // As for a file: the end is only known later.
    await new Promise((done) => setTimeout(done, 20));
  },
});

const bodies: readonly (readonly [name: string, make: (size: number) => Body])[] = [
  ['bytes', (size) => Buffer.alloc(size, 'x')],
  ['a source of large pieces', (size) => source(size, PIECE)],
  ['a source of small pieces', (size) => source(size, 1000)],
];

const ended = async (serve: Serve, body: Body | undefined) => {
  const server = http.createServer(serve);
  const address = await listening(server, () => server.closeAllConnections());
  const request = { method: 'POST', url: `http://${address}/v1/x`, headers: {}, ...(body && { body }) };
  try {
    const { status, body: answer } = await sender()(request, { signal });
    await readAll(answer, 1e6);
    return status;
  } catch (error) {
    if (!(error instanceof DtpError)) throw error;
    const words = error.message.replace(address, 'HOST');
    return { code: error.code, retryable: error.facts.retryable, words };
  }
};

const unsent = {
  code: 'network',
  retryable: true,
  words: 'HOST responded before the whole request was sent',
};

test.each(
  bodies.flatMap(([name, make]) =>
    ['200 OK', '201 Created', '202 Accepted', '204 No Content'].map((status) => [status, name, make] as const),
  ),
)('%s before the end of %s is a network error', async (status, _, make) => {
  expect(await ended(early(status), make(LARGE))).toEqual(unsent);
});

test.each(
  bodies.flatMap(([name, make]) =>
    ['400 Bad', '401 No', '413 Too Large', '429 Wait', '500 No', '503 No'].map(
      (status) => [status, name, make] as const,
    ),
  ),
)('%s before the end of %s stays that status', async (status, _, make) => {
  expect(await ended(early(status), make(LARGE))).toBe(Number.parseInt(status, 10));
});

test.each([1, 1024, PIECE, PIECE + 1023, PIECE + 1024, 2 * PIECE + 1023, 2 * PIECE + 1024, 4 * PIECE + 7])(
  'after a response, the memory of a body of %i bytes is not read again',
  async (size) => {
    const body = randomBytes(size);
    const pieces: Uint8Array[] = [];
    class Reader extends Dispatcher {
      override request(options: Dispatcher.RequestOptions, done?: unknown): never {
        const answer = () =>
          (done as (error: null, data: unknown) => void)(null, {
            statusCode: 204,
            headers: {},
            body: Readable.from([]),
          });
        if (options.body instanceof Uint8Array) {
          pieces.push(options.body);
          answer();
        } else (options.body as Readable).on('data', (piece) => pieces.push(piece)).on('end', answer);
        return undefined as never;
      }
    }
    await sendOver(() => new Reader(), 'dtp/test')(
      { method: 'POST', url: 'http://a.example/', headers: {}, body },
      { signal },
    );
    expect(Buffer.concat(pieces)).toEqual(body);
    // The connection has written a piece of this size before undici passes the next one.
    for (const piece of pieces.slice(0, -1)) expect(piece.byteLength).toBeGreaterThanOrEqual(PIECE);
    expect(pieces.at(-1)?.buffer).not.toBe(body.buffer);
  },
);

test.each(
  bodies.flatMap(([name, make]) =>
    [1, 999, 1000, 1001, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 1024 * KIB + 7].map(
      (size) => [size, name, make] as const,
    ),
  ),
)('a response after all %i bytes of %s counts', async (size, _, make) => {
  const sizes: number[] = [];
  expect(
    await ended(
      late(204, (read) => sizes.push(read)),
      make(size),
    ),
  ).toBe(204);
  expect(sizes).toEqual([size]);
});

test.each([
  ['no body', undefined],
  ['an empty body', Buffer.alloc(0)],
  ['an empty source', source(0, PIECE)],
  ['a body of one piece', Buffer.alloc(PIECE, 'x')],
])('a response to %s counts whenever it arrives', async (_, body) => {
  expect(await ended(early('204 No Content'), body)).toBe(204);
});

/** Passes requests on, and answers those with a long body after a single piece of it. */
class Early extends Dispatcher {
  readonly #agent = new Agent();
  readonly #status: number;
  early = 0;

  constructor(status: number) {
    super();
    this.#status = status;
    onTestFinished(() => this.#agent.destroy());
  }

  override dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const length = Number((options.headers as Record<string, string>)['content-length'] ?? 0);
    if (length < 2 * PIECE) return this.#agent.dispatch(options, handler);
    this.early++;
    // undici 7 calls its handlers by their older names from `request`.
    const old = handler as unknown as Record<string, (...values: unknown[]) => void>;
    old.onConnect?.(() => undefined);
    (options.body as Readable).once('data', () => {
      (options.body as Readable).destroy();
      old.onHeaders?.(this.#status, [], () => undefined, 'Early');
      old.onComplete?.([]);
    });
    return true;
  }
}

test.each([
  ['events post', ['events', 'post', '--body', '@events.ndjson', '-w', 'w_1', '--batch-size', '9000'], 75],
  ['reports upload', ['reports', 'upload', '--type', 'linting', '--file', 'large.html'], 11],
  ['suggest openapi', ['suggest', 'openapi', '--schema', 'large.yaml'], 11],
  ['artifacts push', ['artifacts', 'push', 'spec', '--namespace', 'pets'], 11],
])('dtp %s fails if the service answers early', async (_, argv, code) => {
  const { address, key, close } = await served();
  onTestFinished(close);
  const home = temporaryFolder();
  write(home, {
    'events.ndjson': ndjson(5000),
    'large.html': 'x'.repeat(1024 * KIB),
    'large.yaml': `openapi: 3.1.0 #${'x'.repeat(1024 * KIB)}\n`,
    'spec/openapi.yaml': `openapi: 3.1.0\ninfo: { title: Big, version: 1.0.0 }\npaths: {}\n`,
    'spec/noise.bin': randomBytes(1024 * KIB),
  });
  for (const [round, status] of [200, 204].entries()) {
    const dispatcher = new Early(status);
    const send = sendOver(() => dispatcher, 'dtp/test');
    const done = await dtp(argv, {
      home,
      env: {
        DTP_BASE_URL: address,
        DTP_API_KEY: key,
        DTP_ERROR_FORMAT: 'text',
      },
      clock: jumpingClock(),
      openSend: async () => ({ send, close: async () => undefined }),
    });
    expect(done).toEqual({
      code,
      stdout: '',
      stderr: expect.stringContaining('before the whole request was sent'),
    });
    expect(dispatcher.early).toBeGreaterThan(0);
    // Nothing was acknowledged: all events of both posts are still in the queue.
    const queue = await dtp(['events', 'queue', 'list', '-o', 'json'], { home });
    const queued = (JSON.parse(queue.stdout) as { events: number }[]).map(({ events }) => events);
    expect(queued).toEqual(code === 75 ? Array(round + 1).fill(5000) : []);
  }
});

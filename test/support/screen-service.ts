/** A service with fixed responses, so that a screen is the same at every run. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { screenAnswers } from './screen-answers.ts';

export interface ScreenService {
  readonly address: string;
  /** Forgets what was sent. */
  readonly begin: () => void;
  readonly close: () => void;
}

/** The API key that is valid. */
export const validKey = 'k-1';

/** Listens on a port of five digits, so that every URL has the same width. `close` ends all connections. */
export async function screenService(): Promise<ScreenService> {
  let isLater = false;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === 'POST' && /\/(tokens|trigger_action)$/.test(request.url ?? '')) isLater = true;
    const [status, body, headers] = answerTo(request, Buffer.concat(chunks), isLater);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
  });
  for (;;) {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    if (port > 9999)
      return {
        address: `http://127.0.0.1:${port}`,
        begin: () => {
          isLater = false;
        },
        close: () => {
          server.closeAllConnections();
          server.close();
        },
      };
    await new Promise((done) => server.close(done));
  }
}

function answerTo(
  { method, url = '', headers }: IncomingMessage,
  sent: Buffer,
  isLater: boolean,
): readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>] {
  const { pathname, searchParams } = new URL(url, 'http://screen');
  if (pathname.startsWith('/v1/oci/')) return registryAnswer(method, sent);
  if (headers['x-api-key'] !== validKey) return [401, { message: 'invalid API key' }];
  const target = searchParams.get('targetName');
  const place = `${method} ${pathname}${target === null ? '' : ` of ${target}`}`;
  const [status, body] = screenAnswers(isLater)[place] ?? [404, { message: 'not found' }];
  const isFailed = searchParams.get('success') === 'false' && Array.isArray(body);
  return [status, isFailed ? body.filter(({ success }) => success === false) : body];
}

/** A registry that already has every file, and stores every manifest. */
function registryAnswer(method: string | undefined, sent: Buffer): ReturnType<typeof answerTo> {
  if (method !== 'PUT') return [200];
  const digest = `sha256:${createHash('sha256').update(sent).digest('hex')}`;
  return [201, undefined, { 'docker-content-digest': digest, location: `/v1/oci/manifests/${digest}` }];
}

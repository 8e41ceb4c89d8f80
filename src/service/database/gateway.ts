/**
 * Passes statements from the threads to a libSQL server. The driver would wait for an answer without a limit, and
 * nothing could interrupt it, so it gets one within a few seconds in any case.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { DatabaseServer } from '../data/store.ts';

/** The longest time for a statement, in milliseconds. */
export const STATEMENT_MS = 5000;

export interface Upstream {
  /** `http:` or `https:` */
  readonly url: URL;
  /** Returns the token. Called again with a token that the server has refused, because it may have expired. */
  readonly token: (refused?: string) => Promise<string | undefined>;
  /** The certificates to trust instead of the usual ones. */
  readonly ca?: readonly string[] | undefined;
  /** Called when the server stops answering, and when it answers again. */
  readonly onChange?: (isThere: boolean) => void;
}

export interface Gateway {
  /** What the threads open. */
  readonly server: DatabaseServer;
  /** Executes statements and returns, for each one, the first cell of its rows. Throws if one of them fails. */
  readonly ask: (...statements: readonly string[]) => Promise<readonly (readonly unknown[])[]>;
  readonly close: () => void;
}

interface Exchange {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

/** The result of a statement. */
interface PipelineResult {
  readonly error?: { readonly message: string };
  readonly response?: { readonly result?: { readonly rows: readonly (readonly { readonly value?: unknown }[])[] } };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

export async function openGateway({ url, token, ca, onChange }: Upstream): Promise<Gateway> {
  // Other users of this machine can reach the port.
  const secret = randomBytes(24).toString('hex');
  const { Agent, request: send } = url.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, ...(ca && { ca: [...ca] }) });

  const exchange = async ({ path, type, body }: Exchange, key: string | undefined): Promise<Answer> => {
    const headers = {
      'content-type': type,
      'content-length': body.byteLength,
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    };
    const signal = AbortSignal.timeout(STATEMENT_MS);
    const response = await new Promise<IncomingMessage>((done, failed) => {
      const target = new URL(`${url.pathname.replace(/\/$/, '')}${path}`, url);
      send(target, { agent, method: 'POST', headers, signal }, done).on('error', failed).end(body);
    });
    const { statusCode = 0, headers: answered } = response;
    return { status: statusCode, type: answered['content-type'] ?? '', body: await bytesOf(response) };
  };
  const notice = noticer(onChange);
  const forward = async (given: Exchange): Promise<Answer> => {
    try {
      const key = await token();
      const first = await exchange(given, key);
      const answer = first.status === 401 ? await exchange(given, await token(key)) : first;
      notice(answer.status !== 401 && answer.status < 500);
      return answer;
    } catch (error) {
      notice(false);
      throw error;
    }
  };

  const server = http.createServer(async (request, response) => {
    const { url: path = '/', headers } = request;
    try {
      const body = await bytesOf(request);
      if (!isEqual(headers.authorization, `Bearer ${secret}`)) return void response.writeHead(403).end();
      const answer = await forward({ path, type: headers['content-type'] ?? '', body });
      response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
    } catch {
      response.writeHead(504).end();
    }
  });
  await new Promise<void>((done, failed) => server.once('error', failed).listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return {
    server: { url: `http://127.0.0.1:${port}`, token: secret },
    ask: async (...statements) => cellsIn(await forward(pipelineOf(statements))),
    close: () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

function pipelineOf(statements: readonly string[]): Exchange {
  const requests = [...statements.map((sql) => ({ type: 'execute', stmt: { sql } })), { type: 'close' }];
  return { path: '/v2/pipeline', type: 'application/json', body: Buffer.from(JSON.stringify({ requests })) };
}

function cellsIn({ status, body }: Answer): readonly (readonly unknown[])[] {
  if (status !== 200) throw Object.assign(new Error(`the database answers with status ${status}`), { status });
  return JSON.parse(body.toString()).results.map(cellsOf);
}

function cellsOf({ error, response }: PipelineResult): readonly unknown[] {
  if (error) throw new Error(error.message);
  return response?.result?.rows.map(([cell]) => cell?.value) ?? [];
}

/** Returns a function that calls `onChange` when its argument changes. */
function noticer(onChange: Upstream['onChange']): (now: boolean) => void {
  let before: boolean | undefined;
  return (now) => {
    if (before === !now) onChange?.(now);
    before = now;
  };
}

async function bytesOf(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const isEqual = (given = '', expected: string): boolean =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));

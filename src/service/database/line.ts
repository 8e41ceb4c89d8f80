/** Sends statements to a libSQL server, and ends each exchange after some seconds. */
import http from 'node:http';
import https from 'node:https';
import { readAll } from '../../request/http.ts';

/** The longest time for a statement, and for the question whether the database answers, in milliseconds. */
const STATEMENT_MS = 5000;
export const PROBE_MS = 3000;

/** The time after which an unused connection is closed, in milliseconds. The server may close it without a warning. */
const IDLE_MS = 10_000;

export interface Upstream {
  /** `http:` or `https:` */
  readonly url: URL;
  /** Returns the token. Called again if the server has refused it, because it may have expired. */
  readonly token: (isRefused: boolean) => Promise<string | undefined>;
  /** The certificates to trust instead of the usual ones. */
  readonly ca?: readonly string[] | undefined;
}

interface Exchange {
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array;
  readonly limitMs?: number | undefined;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array;
}

/** The way to the server. Its functions throw if the server does not answer, or answers that it cannot. */
interface Line {
  readonly forward: (given: Exchange) => Promise<Answer>;
  /** Executes a statement and returns its rows. */
  readonly ask: (sql: string, limitMs?: number) => Promise<readonly unknown[]>;
  /** Ends all exchanges. */
  readonly cut: () => void;
}

export function openLine({ url, token, ca }: Upstream): Line {
  const { Agent, request: send } = url.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS, ...(ca && { ca: [...ca] }) });

  const exchange = ({ path, type, body, limitMs = STATEMENT_MS }: Exchange, key: string | undefined): Promise<Answer> =>
    new Promise((done, failed) => {
      const headers = {
        'content-type': type,
        'content-length': body.byteLength,
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      };
      const target = new URL(`${url.pathname.replace(/\/$/, '')}${path}`, url);
      const sent = send(target, { agent, method: 'POST', headers }, (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        const type = answered['content-type'] ?? '';
        readAll(response, Infinity).then((bytes = new Uint8Array()) => done({ status, type, body: bytes }), failed);
      });
      const late = setTimeout(() => sent.destroy(new Error(`no answer within ${limitMs / 1000} s`)), limitMs);
      sent
        .on('error', failed)
        .on('close', () => clearTimeout(late))
        .end(body);
    });
  const forward = async (given: Exchange): Promise<Answer> => {
    const first = await exchange(given, await token(false));
    const answer = first.status === 401 ? await exchange(given, await token(true)) : first;
    if (answer.status === 401 || answer.status >= 500) throw statusError(answer.status);
    return answer;
  };
  const ask = async (sql: string, limitMs?: number) => {
    const body = JSON.stringify({ requests: [{ type: 'execute', stmt: { sql } }, { type: 'close' }] });
    const given = { path: '/v2/pipeline', type: 'application/json', body: Buffer.from(body), limitMs };
    const answer = await forward(given);
    const [first] = answer.status === 200 ? JSON.parse(Buffer.from(answer.body).toString()).results : [];
    if (first?.type !== 'ok') throw statusError(answer.status);
    return first.response.result.rows;
  };
  return { forward, ask, cut: () => agent.destroy() };
}

const statusError = (status: number): Error =>
  Object.assign(new Error(`the database answers with status ${status}`), { status });

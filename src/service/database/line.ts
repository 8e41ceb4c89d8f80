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
  /** Returns the token. Called again with a token that the server has refused, because it may have expired. */
  readonly token: (refused?: string) => Promise<string | undefined>;
  /** The longest time for a statement, in milliseconds, if it is not the usual one. */
  readonly limitMs?: number;
  /** The certificates to trust instead of the usual ones. */
  readonly ca?: readonly string[] | undefined;
  /** Called when the server stops answering, and when it answers again. */
  readonly onChange?: (isThere: boolean) => void;
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

interface StatementResult {
  readonly error?: { readonly message: string };
  readonly response?: { readonly result?: { readonly rows: readonly (readonly { readonly value?: unknown }[])[] } };
}

/** The way to the server. Its functions throw if the server does not answer, or answers that it cannot. */
interface Line {
  readonly forward: (given: Exchange) => Promise<Answer>;
  /** Executes statements and returns, for each one, the first cell of its rows. */
  readonly ask: (statements: readonly string[], limitMs?: number) => Promise<readonly (readonly unknown[])[]>;
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
    const key = await token();
    const first = await exchange(given, key);
    const answer = first.status === 401 ? await exchange(given, await token(key)) : first;
    if (answer.status === 401 || answer.status >= 500) throw statusError(answer.status);
    return answer;
  };
  const ask: Line['ask'] = async (statements, limitMs) => {
    const requests = [...statements.map((sql) => ({ type: 'execute', stmt: { sql } })), { type: 'close' }];
    const body = Buffer.from(JSON.stringify({ requests }));
    const answer = await forward({ path: '/v2/pipeline', type: 'application/json', body, limitMs });
    if (answer.status !== 200) throw statusError(answer.status);
    return JSON.parse(Buffer.from(answer.body).toString()).results.map(cellsOf);
  };
  return { forward, ask, cut: () => agent.destroy() };
}

function cellsOf({ error, response }: StatementResult): readonly unknown[] {
  if (error) throw new Error(error.message);
  return response?.result?.rows.map(([cell]) => cell?.value) ?? [];
}

const statusError = (status: number): Error =>
  Object.assign(new Error(`the database answers with status ${status}`), { status });

/** Sends the statements of the threads to a libSQL server, and ends each exchange after some seconds. */
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../caught.ts';
import { batchText, type HranaAnswer, readAnswer, succeeded } from '../data/hrana.ts';
import { openLink, sharedNumber } from '../data/link.ts';
import { statusFault } from '../data/remote-fault.ts';

/** The longest time for a statement, and for the question whether the database answers, in milliseconds. */
const STATEMENT_MS = 5000;
const PROBE_MS = 3000;

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
  /** Called, perhaps several times, with the reason why the server does not answer, and without one when it does. */
  readonly onChange?: (problem?: string) => void;
}

export type Gateway = ReturnType<typeof openGateway>;

export function openGateway({ url, token, limitMs = STATEMENT_MS, ca, onChange }: Upstream) {
  const { Agent, request: open } = url.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS, ...(ca && { ca: [...ca] }) });
  const target = new URL(`${url.pathname.replace(/\/$/, '')}/v2/pipeline`, url);

  const exchange = (body: string, ms: number, key: string | undefined): Promise<HranaAnswer> =>
    new Promise((done, failed) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      };
      const sent = open(target, { agent, method: 'POST', headers }, (response) => {
        text(response).then((answer) => done({ status: response.statusCode ?? 0, text: answer }), failed);
      });
      const late = setTimeout(() => sent.destroy(new Error(`no answer within ${ms / 1000} s`)), ms);
      sent
        .on('error', failed)
        .on('close', () => clearTimeout(late))
        .end(body);
    });
  /** Throws if the server does not answer, or answers that it cannot. */
  const send = async (body: string, ms: number): Promise<HranaAnswer> => {
    const key = await token();
    const first = await exchange(body, ms, key);
    const answer = first.status === 401 ? await exchange(body, ms, await token(key)) : first;
    if (answer.status === 401 || answer.status >= 500) throw statusFault(answer.status);
    return answer;
  };
  const probe = async () => readAnswer(await send(batchText('SELECT 1'), PROBE_MS));
  const circuit = openCircuit(probe, () => agent.destroy(), onChange);
  const sendUnlessAway = (body: string) => circuit.unlessAway(() => send(body, limitMs));
  const turn = sharedNumber();
  return {
    /** Returns what a thread needs to open its store. */
    link: () => openLink(turn, (body) => sendUnlessAway(body).catch(() => undefined)),
    /** Executes statements and returns, for each one, the first cell of its rows. Throws if one of them fails. */
    ask: async (...statements: readonly string[]): Promise<readonly (readonly unknown[])[]> => {
      const { outcomes } = readAnswer(await sendUnlessAway(batchText(...statements)));
      return statements.map((_, at) => succeeded(outcomes[at]).rows.map((row) => Object.values(row)[0]));
    },
    close: () => {
      circuit.close();
      agent.destroy();
    },
  };
}

/** The time after which a statement without an answer is a reason to try the database, in milliseconds. */
const SUSPICION_MS = 1000;

/** The time between two attempts to reach the database, in milliseconds. */
const EVERY_MS = 500;

/**
 * A circuit breaker: while the database does not answer, statements fail at once instead of one after the other. `probe`
 * throws if it does not answer. `cut` ends the exchanges that are waiting for an answer.
 */
function openCircuit(probe: () => Promise<unknown>, cut: () => void, onChange: Upstream['onChange']) {
  let isAway = false;
  let isTrying = false;
  let isClosed = false;
  const tryOut = async () => {
    if (isTrying) return;
    isTrying = true;
    while (!isClosed) {
      const problem = await probe().then(() => undefined, messageOf);
      isAway = problem !== undefined;
      if (!isClosed) onChange?.(problem);
      if (!isAway) break;
      cut();
      await sleep(EVERY_MS, undefined, { ref: false });
    }
    isTrying = false;
  };
  return {
    /** Calls `exchange`. Throws without a call while the database is known not to answer. */
    unlessAway: async <T>(exchange: () => Promise<T>): Promise<T> => {
      if (isAway) throw new Error('the database did not answer before');
      const suspicion = setTimeout(tryOut, SUSPICION_MS);
      try {
        return await exchange();
      } catch (error) {
        void tryOut();
        throw error;
      } finally {
        clearTimeout(suspicion);
      }
    },
    close: () => {
      isClosed = true;
    },
  };
}

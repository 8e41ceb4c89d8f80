/**
 * Passes statements from the threads to a libSQL server. The driver would wait for an answer without a limit, and
 * nothing could interrupt it, so it gets one within a few seconds in any case.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import { readAll } from '../../request/http.ts';
import type { DatabaseServer } from '../data/store.ts';
import { openTurn } from '../data/turn.ts';
import { openCircuit } from './circuit.ts';
import { openLine, PROBE_MS, type Upstream } from './line.ts';

export interface Gateway {
  /** What the threads open. */
  readonly server: Required<DatabaseServer>;
  /** Executes statements and returns, for each one, the first cell of its rows. Throws if one of them fails. */
  readonly ask: (...statements: readonly string[]) => Promise<readonly (readonly unknown[])[]>;
  readonly close: () => void;
}

export async function openGateway(upstream: Upstream): Promise<Gateway> {
  // Other users of this machine can reach the port.
  const secret = randomBytes(24).toString('hex');
  const line = openLine(upstream);
  const circuit = openCircuit({
    probe: () => line.ask(['SELECT 1'], PROBE_MS),
    cut: line.cut,
    onChange: upstream.onChange,
  });

  const server = http.createServer(async (request, response) => {
    const { url: path = '/', headers } = request;
    try {
      const body = (await readAll(request, Infinity)) ?? new Uint8Array();
      if (!isEqual(headers.authorization, `Bearer ${secret}`)) return void response.writeHead(403).end();
      const type = headers['content-type'] ?? '';
      const answer = await circuit.unlessAway(() => line.forward({ path, type, body, limitMs: upstream.limitMs }));
      response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
    } catch {
      response.writeHead(504).end();
    }
  });
  // The driver does not expect that its connection ends.
  server.keepAliveTimeout = 0;
  await new Promise<void>((done, failed) => server.once('error', failed).listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return {
    server: { url: `http://127.0.0.1:${port}`, token: secret, turn: openTurn() },
    ask: (...statements) => circuit.unlessAway(() => line.ask(statements)),
    close: () => {
      circuit.close();
      server.close();
      server.closeAllConnections();
      line.cut();
    },
  };
}

const isEqual = (given = '', expected: string): boolean =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));

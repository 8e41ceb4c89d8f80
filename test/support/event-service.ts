/** A service in this process that accepts events. */
import type { Context } from '../../src/context.ts';
import { DtpError } from '../../src/errors.ts';
import { jumpingClock } from './clocks.ts';
import { dtp, type Ended, type World } from './context.ts';

/** A status, with or without headers. */
export type FakeStatus = number | { readonly status: number; readonly headers: Readonly<Record<string, string>> };

/** The answer to a batch (the first has number 1): a status, or the error that the network throws. */
export type Answer = (body: string, call: number, signal: AbortSignal) => FakeStatus | Error | Promise<FakeStatus>;

export const refusal = new DtpError('network', 'the host refused the connection', { retryable: true });

export interface Event {
  readonly id: string;
  readonly execution_id: string;
  readonly n: number;
}

export interface Receiver {
  readonly openSend: Context['openSend'];
  /** The bodies of all attempts. */
  readonly bodies: readonly string[];
  /** Events that were acknowledged, in order. */
  readonly events: () => readonly Event[];
}

export function receiver(answer: Answer = () => 200): Receiver {
  const bodies: string[] = [];
  const taken: Event[] = [];
  const openSend: Context['openSend'] = async () => ({
    send: async (request, { signal }) => {
      const body = Buffer.from(request.body as Uint8Array).toString();
      const reply = await answer(body, bodies.push(body), signal);
      if (reply instanceof Error) throw reply;
      const { status, headers } = typeof reply === 'number' ? { status: reply, headers: {} } : reply;
      if (status < 300) taken.push(...JSON.parse(body));
      return { status, headers: { 'content-type': 'application/json', ...headers }, body: said(status) };
    },
    close: async () => undefined,
  });
  return { openSend, bodies, events: () => taken };
}

async function* said(status: number): AsyncGenerator<Uint8Array> {
  if (status >= 300) yield Buffer.from(`{"message":"said ${status}"}`);
}

/** `dtp events …` with a credential, a workspace and a clock that jumps. */
export const events = (argv: readonly string[], world: World): Promise<Ended> =>
  dtp(['events', ...argv], {
    clock: jumpingClock(),
    ...world,
    env: {
      DTP_BASE_URL: 'https://api.example.test',
      DTP_API_KEY: 'k-1',
      DTP_WORKSPACE_ID: 'w_1',
      DTP_ERROR_FORMAT: 'text',
      ...world.env,
    },
  });

/** Lines of events, each with an id. The events of one execution are numbered in order. */
export const ndjson = (count: number, executions = 1, prefix = 'e'): string =>
  Array.from({ length: count }, (_, n) => {
    const event: Event = { id: `${prefix}_${n}`, execution_id: `x_${n % executions}`, n };
    return `${JSON.stringify(event)}\n`;
  }).join('');

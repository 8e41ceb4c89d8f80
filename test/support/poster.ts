/** Clients that post events until each one is acknowledged, and what became of their requests. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request without an answer, because the connection has ended, has the status 0. */
export interface Answered {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
  /** In milliseconds. */
  readonly time: number;
}

export interface Sent {
  readonly method?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Sends a request, and waits for its answer without a limit. */
export function ask(url: string, { method = 'GET', key, body, signal }: Sent = {}): Promise<Answered> {
  const start = performance.now();
  const headers = { ...(key && { 'x-api-key': key }), 'content-type': 'application/json' };
  return new Promise((done) => {
    const end = (status = 0, text = '', retryAfter?: string) =>
      done({ status, retryAfter, text, time: performance.now() - start });
    const outgoing = request(url, { method, headers, agent: false, ...(signal && { signal }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => end());
      response.on('end', () =>
        end(response.statusCode, Buffer.concat(chunks).toString(), response.headers['retry-after']),
      );
    });
    outgoing.on('error', () => end());
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The events of a batch, which are the same each time. Each batch has its own execution id. */
export const batchOf = (name: string, size: number) =>
  Array.from({ length: size }, (_, at) => ({
    id: `${name}-${at}`,
    execution_id: name,
    interaction_type: 'CI_EXEC',
    created_at: new Date(1.7e12 + at).toISOString(),
    success: at % 3 !== 0,
    filler: `${name} ${at} `.repeat(8),
  }));

interface Service {
  readonly addresses: readonly string[];
  readonly key: string;
  readonly workspace_id: string;
}

export interface Poster {
  /** The names of the batches that were acknowledged. */
  readonly acknowledged: Set<string>;
  /** The answers other than a 204. */
  readonly failed: Answered[];
  /** The longest time of an answer, in milliseconds. */
  readonly longest: () => number;
  /** Ends when all batches are acknowledged. */
  readonly done: Promise<unknown>;
}

interface Load {
  readonly clients: number;
  /** For each client. */
  readonly batches: number;
  readonly size: number;
  readonly random: () => number;
}

/** Each client sends a batch again, to any of the services, until it is acknowledged. */
export function startPosting(service: Service, { clients, batches, size, random }: Load): Poster {
  const acknowledged = new Set<string>();
  const failed: Answered[] = [];
  let longest = 0;
  const post = async (name: string) => {
    const body = batchOf(name, size);
    while (true) {
      const address = service.addresses[Math.floor(random() * service.addresses.length)];
      const url = `${address}/v1/workspace/${service.workspace_id}/events`;
      const answer = await ask(url, { method: 'POST', key: service.key, body });
      longest = Math.max(longest, answer.time);
      if (answer.status === 204) return void acknowledged.add(name);
      failed.push(answer);
      await sleep(100 + random() * 200);
    }
  };
  const client = async (at: number) => {
    for (let number = 0; number < batches; number++) await post(`client-${at}-${number}`);
  };
  const done = Promise.all(Array.from({ length: clients }, (_, at) => client(at)));
  return { acknowledged, failed, longest: () => longest, done };
}

/** Returns what is wrong with the events of the batches that a service has. */
export async function wrongEvents(service: Service, names: Iterable<string>, size: number): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const name of names) {
    const url = `${service.addresses[0]}/v1/workspace/${service.workspace_id}/events?execution_id=${name}`;
    const { status, text } = await ask(url, { key: service.key });
    const stored = status === 200 ? (JSON.parse(text) as { readonly id: string; workspace_id?: string }[]) : [];
    const own = new Map(stored.map(({ workspace_id, ...event }) => [event.id, event]));
    const right = batchOf(name, size).filter((event) => same(own.get(event.id), event));
    if (right.length !== size || stored.length !== size)
      wrong.push(`${name}: status ${status}, ${stored.length} events, ${right.length} as they were sent`);
  }
  return wrong;
}

const same = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other);
const sorted = (record: unknown): string => JSON.stringify(Object.entries(record ?? {}).sort());

/** Faults on demand, for people who test their scripts: refusals, delays and connections that are cut. */
import { operations } from '../../operations/index.ts';
import type { HttpResponse, Send } from '../../request/http.ts';
import { route, splitAddress } from './router.ts';

/** When a connection is cut: before the work, after it (the work is done and nobody is told), or within the answer. */
export const moments = ['before-request', 'after-request', 'within-answer'] as const;
type Moment = (typeof moments)[number];

export interface Fault {
  /** An operation's id, or `*` for each. */
  readonly operation: string;
  readonly what: { readonly status: number } | { readonly drop: Moment };
  /** How often it happens; Infinity for always. */
  readonly times: number;
  /** From 0 to 1: how likely it happens each time. */
  readonly chance: number;
}

export interface FaultOptions {
  readonly faults: readonly Fault[];
  /** Milliseconds before each answer. */
  readonly latencyMs: number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number;
}

/** Thrown for a connection that is to be cut. */
export class Dropped extends Error {}

/**
 * `postWorkspaceEvents=503x2` (the first two), `*=503@20%` (each time with a chance of 20 %), and with `drop`
 * `uploadReport=after-request`. Throws an Error that says what would be right.
 */
export function parseFault(text: string, kind: 'fail' | 'drop'): Fault {
  const found = /^([^=]+)=([\w-]+?)(?:x(\d+))?(?:@(\d+(?:\.\d+)?)%)?$/.exec(text);
  const example = kind === 'fail' ? 'postWorkspaceEvents=503x2' : 'uploadReport=after-request';
  if (!found) throw new Error(`"${text}" is no fault; one is ${example}`);
  const [, operation = '', value = '', times, chance] = found;
  if (operation !== '*' && !Object.hasOwn(operations, operation))
    throw new Error(`there is no operation "${operation}"`);
  if (Number(times) === 0 || Number(chance) === 0) throw new Error(`"${text}" would never happen`);
  return {
    operation,
    what: kind === 'fail' ? { status: statusOf(value) } : { drop: momentOf(value) },
    times: times === undefined ? Number.POSITIVE_INFINITY : Number(times),
    chance: chance === undefined ? 1 : Number(chance) / 100,
  };
}

function statusOf(text: string): number {
  if (/^[45]\d\d$/.test(text)) return Number(text);
  throw new Error(`"${text}" is no status from 400 to 599`);
}

function momentOf(text: string): Moment {
  const moment = moments.find((one) => one === text);
  if (moment) return moment;
  throw new Error(`"${text}" is no moment; there are ${moments.join(', ')}`);
}

/** `send` with the faults; each counts its own times. */
export function withFaults(send: Send, { faults, latencyMs, sleep, random }: FaultOptions): Send {
  const left = faults.map(({ times }) => times);
  const happens = (id: string | undefined): Fault | undefined => {
    const at = faults.findIndex(
      (fault, index) =>
        (fault.operation === '*' || fault.operation === id) &&
        (left[index] ?? 0) > 0 &&
        random() < fault.chance,
    );
    if (at >= 0) left[at] = (left[at] ?? 0) - 1;
    return faults[at];
  };
  return async (request, options) => {
    if (latencyMs > 0) await sleep(latencyMs, options.signal);
    const fault = happens(idOf(request.method, request.url));
    if (!fault) return send(request, options);
    if ('status' in fault.what) return refusal(fault.what.status);
    if (fault.what.drop === 'before-request') throw new Dropped();
    const response = await send(request, options);
    if (fault.what.drop === 'after-request') throw new Dropped();
    return { ...response, body: cut(response.body) };
  };
}

/** What ordinary OCI clients ask for under `/v2/` are the operations under `/v1/oci/v2/`. */
function idOf(method: string, url: string): string | undefined {
  try {
    return route(method, splitAddress(url).path.replace(/^\/v2\//, '/v1/oci/v2/'))?.operation.id;
  } catch {
    return undefined;
  }
}

function refusal(status: number): HttpResponse {
  const body = Buffer.from(JSON.stringify({ message: 'this fault was asked for', status_code: status }));
  return {
    status,
    headers: { 'content-type': 'application/json', 'content-length': String(body.byteLength) },
    body: (async function* () {
      yield body;
    })(),
  };
}

/** Half of the first piece, then the end of the connection. */
async function* cut(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    yield chunk.subarray(0, Math.floor(chunk.byteLength / 2));
    break;
  }
  throw new Dropped();
}

/** Injects error statuses, delays and dropped connections, so that people can test their scripts. */
import { attempt } from '../../caught.ts';
import { operations } from '../../operations/index.ts';
import type { Send } from '../../request/http.ts';
import { errorResponse } from '../handler.ts';
import { route, splitUrl } from './router.ts';

/** When a connection can be dropped: before or after the request is handled, or within the response. */
export const moments = ['before-request', 'after-request', 'within-answer'] as const;
type Moment = (typeof moments)[number];

export interface Fault {
  /** An operation's id, or `*` for all operations. */
  readonly operation: string;
  readonly what: { readonly status: number } | { readonly drop: Moment } | { readonly run: 'failure' };
  /** The number of times that the fault happens. Infinity means that there is no limit. */
  readonly times: number;
  /** The probability of the fault for each request, from 0 to 1. */
  readonly chance: number;
}

export interface FaultOptions {
  readonly faults: readonly Fault[];
  /** The delay before each response, in milliseconds. */
  readonly latencyMs: number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns a number from 0 to 1, excluding 1. */
  readonly random: () => number;
}

/** The request header with the error for a run. If a request with this header triggers a run, the run fails. */
export const RUN_FAILURE_HEADER = 'dtp-injected-failure';

/** Thrown to make the server drop the connection. */
export class Dropped extends Error {}

/**
 * Parses `postWorkspaceEvents=503x2` (the first two requests), `*=503@20%` (20% of all requests) and, with `drop`,
 * `uploadReport=after-request`. With `codehostTriggerAction=failure`, the action is triggered but its run fails. Throws
 * an Error if the fault is invalid.
 */
export function parseFault(text: string, kind: 'fail' | 'drop'): Fault {
  const found = /^([^=]+)=([\w-]+?)(?:x(\d+))?(?:@(\d+(?:\.\d+)?)%)?$/.exec(text);
  const example = kind === 'fail' ? 'postWorkspaceEvents=503x2' : 'uploadReport=after-request';
  if (!found) throw new Error(`invalid fault "${text}", expected a form such as ${example}`);
  const [, operation = '', value = '', times, chance] = found;
  if (operation !== '*' && !Object.hasOwn(operations, operation)) throw new Error(`unknown operation "${operation}"`);
  if (Number(times) === 0 || Number(chance) === 0) throw new Error(`the fault "${text}" would never happen`);
  return {
    operation,
    what: kind === 'drop' ? { drop: momentOf(value) } : failureOf(operation, value),
    times: times === undefined ? Number.POSITIVE_INFINITY : Number(times),
    chance: chance === undefined ? 1 : Number(chance) / 100,
  };
}

/** Returns an error status, or a failed run. Only the operation that triggers an action can start a run that fails. */
function failureOf(operation: string, text: string): Fault['what'] {
  if (text === 'failure' && operation === 'codehostTriggerAction') return { run: 'failure' };
  if (/^[45]\d\d$/.test(text)) return { status: Number(text) };
  throw new Error(`invalid status "${text}", expected 400 to 599`);
}

function momentOf(text: string): Moment {
  const moment = moments.find((one) => one === text);
  if (moment) return moment;
  throw new Error(`invalid value "${text}", expected one of ${moments.join(', ')}`);
}

/** Returns a `send` that injects the faults. Each fault has a separate count. */
export function withFaults(send: Send, { faults, latencyMs, sleep, random }: FaultOptions): Send {
  const left = faults.map(({ times }) => times);
  const happens = (id: string | undefined): Fault | undefined => {
    const at = faults.findIndex(
      (fault, index) =>
        (fault.operation === '*' || fault.operation === id) && (left[index] ?? 0) > 0 && random() < fault.chance,
    );
    if (at >= 0) left[at] = (left[at] ?? 0) - 1;
    return faults[at];
  };
  return async (request, options) => {
    if (latencyMs > 0) await sleep(latencyMs, options.signal);
    const fault = happens(operationIdOf(request.method, request.url));
    if (!fault) return send(request, options);
    if ('status' in fault.what) return errorResponse(fault.what.status, 'injected fault');
    if ('run' in fault.what)
      return send({ ...request, headers: { ...request.headers, [RUN_FAILURE_HEADER]: 'injected failure' } }, options);
    if (fault.what.drop === 'before-request') throw new Dropped();
    const response = await send(request, options);
    if (fault.what.drop === 'after-request') throw new Dropped();
    return { ...response, body: cut(response.body) };
  };
}

/** Returns the id of the operation that a request calls, if any. OCI clients call `/v1/oci/v2/` under `/v2/`. */
export const operationIdOf = (method: string, url: string): string | undefined =>
  attempt(() => route(method, splitUrl(url).path.replace(/^\/v2\//, '/v1/oci/v2/'))?.operation.id, undefined);

async function* cut(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    yield chunk.subarray(0, Math.floor(chunk.byteLength / 2));
    break;
  }
  throw new Dropped();
}

/** Retries on a simulated clock, the decoder, and answers that are split anywhere. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { DtpError, type ErrorCode, ExitCode, exitCodeOf, exitCodes } from '../../src/errors.ts';
import { operations } from '../../src/operations/index.ts';
import { defaultRetryPolicy } from '../../src/operations/retry-rules.ts';
import { type HttpRequest, type HttpResponse, readAll, type Send } from '../../src/request/http.ts';
import { codeOf, readResponse } from '../../src/request/read.ts';
import { decoded } from '../../src/transport/decode.ts';
import { networkError } from '../../src/transport/failures.ts';
import { retryAfterMs, withAskedWait, withRetry } from '../../src/transport/retry.ts';
import { bytes, cuts, json, pieces, property, streamOf, text } from '../support/property.ts';
import { randomOf } from '../support/random.ts';

/** The result of an attempt, after this number of milliseconds. */
interface Turn {
  readonly status: number | 'lost' | 'broken' | 'ours';
  readonly tookMs: number;
  readonly retryAfter?: number | undefined;
}

const turn: fc.Arbitrary<Turn> = fc.record({
  status: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(408, 500, 502, 503, 'lost' as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(200, 400, 401, 404, 429, 501, 504, 'broken' as const, 'ours' as const),
    },
  ),
  tookMs: fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 30_000 })),
  retryAfter: fc.option(fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 100 })), { nil: undefined, freq: 4 }),
});

/** What the API document says is retried. */
const isRetried = ({ status, retryAfter }: Turn) =>
  [408, 500, 502, 503, 'lost'].includes(status) || (status === 429 && retryAfter !== undefined);

const request: HttpRequest = {
  method: 'POST',
  url: 'https://a.test/x',
  headers: {},
  body: Buffer.from('[{"id":1}]'),
};

const failures = {
  lost: () => new DtpError('network', 'closed', { retryable: true }),
  broken: () => new DtpError('network', 'no secure connection', { retryable: false }),
  ours: () => new TypeError('a fault of ours'),
};

/**
 * Runs a retry over `turns`, the last one repeated, and returns when each attempt started and how long it
 * waited.
 */
async function run(turns: readonly Turn[], start: number) {
  let time = 1_000_000;
  const began: { readonly at: number; readonly body: string }[] = [];
  const waits: number[] = [];
  const clock: Clock = {
    now: () => time,
    sleep: async (ms) => {
      waits.push(ms);
      time += ms;
    },
  };
  const answering: Send = async ({ body }): Promise<HttpResponse> => {
    const { status, tookMs, retryAfter } = turns[Math.min(began.length, turns.length - 1)] as Turn;
    began.push({ at: time - 1_000_000, body: Buffer.from(body as Uint8Array).toString() });
    time += tookMs;
    if (typeof status === 'string') throw failures[status]();
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    return { status, headers, body: streamOf([Buffer.from('x')]) };
  };
  const send = withRetry(
    withAskedWait(answering, () => new Date(time)),
    defaultRetryPolicy,
    { clock, random: randomOf(start) },
  );
  const ended = await send(request, { signal: new AbortController().signal }).then(
    (response) => ({ status: response.status as Turn['status'], attempts: response.attempts }),
    (error: unknown) => ({
      status: (Object.keys(failures) as (keyof typeof failures)[]).find(
        (name) => failures[name]().message === (error as Error).message,
      ),
      attempts: (error as DtpError).facts?.attempts,
    }),
  );
  return { began, waits, ended };
}

/** The shortest and the longest wait in milliseconds after the failure of request `index`: min(1333, 100·1.5ⁿ)·[1, 1.5]. */
function waitsAfter(index: number): readonly [least: number, most: number] {
  const interval = Math.min(1333, 100 * 1.5 ** index);
  return [interval, 1.5 * interval];
}

property(
  'a retry respects its schedule, its budget and its list, and sends the same bytes each time',
  [fc.array(turn, { minLength: 1, maxLength: 30 }), fc.nat()],
  async (turns, start) => {
    const { began, waits, ended } = await run(turns, start);
    const at = (index: number) => turns[Math.min(index, turns.length - 1)] as Turn;
    expect(began[0]?.at).toBe(0);
    expect(new Set(began.map(({ body }) => body))).toEqual(new Set(['[{"id":1}]']));
    expect(waits.length).toBe(began.length - 1);
    for (const [index, wait] of waits.entries()) {
      expect(isRetried(at(index))).toBe(true);
      const [least, most] = waitsAfter(index);
      const asked = typeof at(index).status === 'number' ? (at(index).retryAfter ?? 0) * 1000 : 0;
      if (asked > most) expect(wait).toBe(asked);
      else {
        expect(wait).toBeGreaterThanOrEqual(Math.max(asked, least));
        expect(wait).toBeLessThanOrEqual(most);
      }
      // No wait was started that exceeds the budget.
      expect((began[index]?.at as number) + at(index).tookMs + wait).toBeLessThanOrEqual(60_000);
    }
    const last = at(began.length - 1);
    expect(ended.status).toBe(last.status);
    if (last.status !== 'ours') expect(ended.attempts).toBe(began.length);
    // It stopped for a reason: nothing to retry, or not enough time for the shortest wait.
    const end = (began.at(-1)?.at as number) + last.tookMs;
    const [, most] = waitsAfter(began.length - 1);
    const asked = typeof last.status === 'number' ? (last.retryAfter ?? 0) * 1000 : 0;
    if (isRetried(last)) expect(end + Math.max(asked, most)).toBeGreaterThan(60_000);
  },
);

property(
  'Retry-After is read as seconds or as a date, and any other value is ignored',
  [fc.nat({ max: 100_000 }), text],
  (seconds, other) => {
    const now = Date.UTC(2026, 0, 31, 12);
    const wait = (header: string) => retryAfterMs({ 'retry-after': header }, now);
    expect(wait(String(seconds))).toBe(seconds * 1000);
    expect(wait(new Date(now + seconds * 1000).toUTCString())).toBe(seconds * 1000);
    expect(wait(new Date(now - seconds * 1000).toUTCString())).toBe(0);
    expect(wait(other) ?? 0).toBeGreaterThanOrEqual(0);
    expect(retryAfterMs({}, now)).toBeUndefined();
  },
);

const zips = { gzip: gzipSync, 'x-gzip': gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;
const zip = fc.constantFrom(...(Object.keys(zips) as (keyof typeof zips)[]));

property(
  'an encoded body is decoded once, however it is split',
  [bytes, zip, cuts],
  async (whole, name, at) => {
    const body = decoded(streamOf(pieces(zips[name](whole), at)), name.toUpperCase());
    expect(Buffer.from((await readAll(body, 2 ** 20)) ?? [])).toEqual(Buffer.from(whole));
  },
  200,
);

property(
  'an encoded body that is cut off or damaged is a bad response, never partial data',
  [bytes, zip, fc.nat({ max: 9999 })],
  async (whole, name, share) => {
    const packed = zips[name](whole);
    const cut = packed.subarray(0, Math.floor((packed.byteLength * share) / 10_000));
    const read = readAll(decoded(streamOf([cut]), name), 2 ** 20);
    await expect(read).rejects.toMatchObject({ code: 'bad_response' });
  },
  200,
);

const answered = (chunks: readonly Uint8Array[], status = 200): HttpResponse => ({
  status,
  headers: {},
  body: streamOf(chunks),
});

/** An integer that a number would round is read as a bigint, if JSON writes it as an integer. */
const exact = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, one) =>
    Number.isInteger(one) && !Number.isSafeInteger(one) && /^-?\d+$/.test(String(one)) ? BigInt(String(one)) : one,
  );

property('an answer is read the same wherever its bytes are split', [json, text, cuts], async (value, words, at) => {
  const whole = Buffer.from(JSON.stringify(value));
  const read = await readResponse(operations.getWorkspace, answered(pieces(whole, at)), request);
  expect(read).toEqual({ kind: 'json', status: 200, value: exact(value) });
  const plain = await readResponse(
    { ...operations.getWorkspace, result: 'text' },
    // An empty answer is an error.
    answered(pieces(Buffer.from(`${words}x`), at)),
    request,
  );
  // A byte order mark is not part of a string.
  expect(plain).toMatchObject({ text: `${words.replace(/^\ufeff/, '')}x` });
});

property(
  'invalid JSON is a bad response, and a failure keeps its code whatever its body',
  [bytes, fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(401, 403, 404, 410, 429))],
  async (body, status) => {
    const error = await readResponse(operations.getWorkspace, answered([body], status), request).then(
      () => undefined,
      (failed: unknown) => failed,
    );
    if (error === undefined) return expect(status >= 200 && status < 300).toBe(true);
    expect(error).toBeInstanceOf(DtpError);
    const codes: Readonly<Record<number, ErrorCode>> = {
      401: 'auth',
      403: 'forbidden',
      404: 'not_found',
      410: 'not_found',
      429: 'rate_limited',
    };
    const expected = status < 400 ? 'bad_response' : (codes[status] ?? (status < 500 ? 'rejected' : 'server'));
    expect((error as DtpError).code).toBe(expected);
    if (status >= 300) expect(codeOf(status)).toBe(expected);
  },
);

const thrown = fc.oneof(
  fc.constantFrom(...(Object.keys(exitCodes) as ErrorCode[])).map((code) => new DtpError(code, 'x')),
  fc.constantFrom(0, 3, 130).map((code) => new ExitCode(code)),
  fc.string().map((message) => new Error(message)),
  fc
    .constantFrom('ECONNRESET', 'EPIPE', 'HPE_INVALID', 'UND_ERR_SOCKET', 'ERR_SSL_X', 'ENOSPC', 'X')
    .map((code) => Object.assign(new Error('x'), { code })),
  fc.anything(),
);

property('any error has a documented exit code, also network errors', [thrown], (error) => {
  const documented = [...Object.values<number>(exitCodes)];
  const code = exitCodeOf(error);
  expect(error instanceof ExitCode ? code === error.code : documented.includes(code)).toBe(true);
  const exitCode = exitCodeOf(networkError(error, new URL('https://a.test/')));
  expect(documented.includes(exitCode) || error instanceof ExitCode).toBe(true);
});

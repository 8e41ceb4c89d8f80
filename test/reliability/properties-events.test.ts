/**
 * Events in and out, and lists in pages: nothing twice, nothing lost, nothing out of order, wherever the bytes
 * are split.
 */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import type { Piece } from '../../src/commands/events/texts.ts';
import { windowsOf } from '../../src/commands/events/windows.ts';
import { pagesOf } from '../../src/commands/operation/pages.ts';
import { DtpError } from '../../src/errors.ts';
import type { EventBytes } from '../../src/flows/body.ts';
import { deliver } from '../../src/flows/deliver.ts';
import { parseDocument } from '../../src/input/files.ts';
import { anyText, cuts, jsonObject, pieces, property, streamOf } from '../support/property.ts';
import { textPiecesOf } from '../support/text-pieces.ts';

async function all<T>(source: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const some of source) found.push(...some);
  return found;
}

const piecesIn = (chunks: readonly Uint8Array[]): Promise<readonly Piece[]> =>
  all(textPiecesOf(streamOf(chunks), '--body', (text) => parseDocument(text, '--body')));

/** The forms in which events may be written. */
const forms = {
  lines: (events: readonly object[]) => events.map((one) => `${JSON.stringify(one)}\n`).join(''),
  'lines, with an unfinished last one': (events: readonly object[]) =>
    events.map((one) => JSON.stringify(one)).join('\n'),
  'lines with CRLF': (events: readonly object[]) =>
    `\ufeff${events.map((one) => ` ${JSON.stringify(one)} \r\n\r\n`).join('')}`,
  array: (events: readonly object[]) => JSON.stringify(events),
  'array over lines': (events: readonly object[]) => `\n ${JSON.stringify(events, undefined, 2)} \n`,
} as const;
type Form = keyof typeof forms;

property(
  'events read the same in any form, compressed or not, wherever the bytes are split',
  [
    fc.array(jsonObject, { minLength: 1, maxLength: 6 }),
    fc.constantFrom(...(Object.keys(forms) as Form[])),
    fc.boolean(),
    cuts,
  ],
  async (events, form, packed, at) => {
    const text = Buffer.from(forms[form](events));
    const found = await piecesIn(pieces(packed ? gzipSync(text) : text, at));
    expect(found.map(({ bytes }) => JSON.parse(bytes.toString()))).toEqual(events);
    // As JSON strings: a number keeps its digits.
    if (form === 'lines')
      expect(found.map(({ bytes }) => bytes.toString())).toEqual(events.map((one) => JSON.stringify(one)));
  },
);

const garbage = fc
  .array(fc.oneof(anyText, fc.constantFrom('{', '}', '[', ']', ',', '"', '\\', '\n', '{"a":1}', '{"a":1}\n')))
  .map((parts) => Buffer.from(parts.join('')));

/** The result of reading, or the error. */
const outcome = (chunks: readonly Uint8Array[]): Promise<unknown> =>
  piecesIn(chunks).then(
    (found) => found.map(({ bytes, ...place }) => ({ ...place, text: bytes.toString('latin1') })),
    (error: unknown) => {
      if (!(error instanceof DtpError)) throw error;
      return `${error.code}: ${error.message}`;
    },
  );

property(
  'input that is not a list of events is read or rejected the same, wherever the bytes are split',
  [garbage, cuts],
  async (text, at) => {
    expect(await outcome(pieces(text, at))).toEqual(await outcome([text]));
  },
);

property(
  'windows contain each event once, in order, and only the last event may exceed the size limit',
  [
    fc.array(fc.array(jsonObject, { maxLength: 4 }), { maxLength: 5 }),
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 60 }),
  ],
  async (chunks, size, most) => {
    let line = 0;
    const given = chunks.map((some) =>
      some.map((one): Piece => ({ bytes: Buffer.from(JSON.stringify(one)), line: ++line })),
    );
    const place = { at: '' };
    const options = {
      label: '--body',
      size,
      bytes: most,
      filling: undefined,
      fields: undefined,
      skip: undefined,
      check: false,
    };
    const windows: (readonly EventBytes[])[] = [];
    for await (const window of windowsOf(streamOf(given), place, options)) windows.push(window);
    expect(windows.flat().map(({ bytes }) => String(bytes))).toEqual(chunks.flat().map((one) => JSON.stringify(one)));
    for (const window of windows) {
      expect(window.length).toBeLessThanOrEqual(size);
      const before = window.slice(0, -1).reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
      expect(before).toBeLessThan(most);
    }
    expect(place.at).toBe(line === 0 ? '' : `line ${line}`);
  },
);

const stillClock: Clock = { now: () => 0, sleep: async () => undefined };

property(
  'each event is in exactly one batch, those of an execution in order, and no batch is too large',
  [
    fc.array(fc.tuple(fc.constantFrom('', 'a', 'b', 'c', 'd'), fc.nat({ max: 40 })), { maxLength: 40 }),
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 20, max: 200 }),
    fc.integer({ min: 1, max: 4 }),
  ],
  async (given, batchSize, batchBytes, concurrency) => {
    const events = given.map(([execution, padding], id): EventBytes & { readonly id: number } => ({
      id,
      execution,
      bytes: Buffer.from(JSON.stringify({ id, execution, x: 'x'.repeat(padding) })),
    }));
    const sent: { readonly id: number; readonly execution: string }[] = [];
    const delivery = await deliver(streamOf([events.slice(0, 7), events.slice(7)]), {
      keep: undefined,
      send: async (body) => {
        const batch: { id: number; execution: string }[] = JSON.parse(Buffer.from(body).toString());
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length).toBeLessThanOrEqual(batchSize);
        if (batch.length > 1) expect(body.byteLength).toBeLessThanOrEqual(batchBytes);
        await new Promise((done) => setImmediate(done));
        sent.push(...batch);
        return 1;
      },
      batchSize,
      batchBytes,
      concurrency,
      clock: stillClock,
      random: () => 0.5,
      signal: new AbortController().signal,
      tell: () => undefined,
    });
    expect(sent.map(({ id }) => id).sort((a, b) => a - b)).toEqual(events.map(({ id }) => id));
    for (const execution of new Set(given.map(([name]) => name))) {
      const ids = (list: typeof sent) => list.filter((one) => one.execution === execution).map(({ id }) => id);
      expect(ids(sent)).toEqual(ids(events));
    }
    expect(delivery.tally).toMatchObject({
      accepted: events.length,
      delivered: events.length,
      pending: 0,
      rejected: 0,
    });
    expect([delivery.left, delivery.ended, delivery.failure]).toEqual([0, undefined, undefined]);
  },
);

property(
  'pages make up the whole list, a limit is its start, and a repeated page is an error',
  [
    fc.array(fc.array(fc.nat(), { maxLength: 4 }), { minLength: 1, maxLength: 8 }),
    fc.option(fc.integer({ min: 1, max: 20 })),
    fc.option(fc.nat({ max: 6 })),
  ],
  async (lists, limit, back) => {
    const token = (at: number) => (at === 0 ? undefined : `t${at}`);
    const requestedPages: (string | undefined)[] = [];
    const read = all(
      (async function* () {
        const ask = async (at: string | undefined) => {
          requestedPages.push(at);
          if (requestedPages.length > 20) throw new Error('pages are requested forever');
          const page = at === undefined ? 0 : Number(at.slice(1));
          const isLast = page === lists.length - 1;
          // The last page leads back, if any does.
          const next = isLast ? (back === null ? undefined : `t${Math.min(back + 1, page)}`) : token(page + 1);
          return { rows: lists[page] as number[], next };
        };
        for await (const { rows } of pagesOf(ask, undefined, limit ?? Number.POSITIVE_INFINITY)) yield rows;
      })(),
    );
    const whole = lists.flat();
    const isLed = back !== null && lists.length > 1;
    const isAll = limit === null || whole.length < limit;
    if (isLed && isAll) await expect(read).rejects.toMatchObject({ code: 'bad_response' });
    else if (!isLed && back === null) expect(await read).toEqual(limit === null ? whole : whole.slice(0, limit));
    else await read.catch((error: unknown) => expect(error).toMatchObject({ code: 'bad_response' }));
    // No page is requested twice, except the first, which has no name.
    const named = requestedPages.filter((one) => one !== undefined);
    expect(new Set(named).size).toBe(named.length);
  },
);

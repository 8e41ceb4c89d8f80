/**
 * Reading events by their bytes compared with parsing them: the same events, the same errors with the same places, and
 * the same bytes to send.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FillValues } from '../../../src/commands/events/fill.ts';
import { type EventScan, fieldBits, scanEvent } from '../../../src/commands/events/scan.ts';
import { groupsOf } from '../../../src/commands/events/texts.ts';
import { type WindowOptions, windowsOf } from '../../../src/commands/events/windows.ts';
import { DtpError } from '../../../src/errors.ts';
import { splitEvents } from '../../../src/flows/body.ts';
import { anyText, cuts, json, pieces, property, streamOf } from '../../support/property.ts';
import { textPiecesOf } from '../../support/text-pieces.ts';

const found: EventScan = { fields: 0, start: 0, end: 0 };
const names = Object.keys(fieldBits) as (keyof typeof fieldBits)[];

/** Whether the scan takes a whole line. */
function isScanned(line: Buffer): boolean {
  const bytes = Buffer.concat([line, Buffer.from('\n{"id":1}\n')]);
  return scanEvent(bytes, 0, found) === line.length;
}

/** What a scanned line must agree with. */
function checkScan(line: Buffer): void {
  const event = JSON.parse(line.toString());
  expect(typeof event === 'object' && event !== null && !Array.isArray(event)).toBe(true);
  expect(names.filter((name) => found.fields & fieldBits[name])).toEqual(
    names.filter((name) => Object.hasOwn(event, name)),
  );
  const execution = found.start === 0 ? undefined : line.toString('latin1', found.start, found.end);
  expect(execution).toBe(event.execution_id);
}

/** Pieces of JSON, and what looks like it. */
const token = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', '"', '\\', ' ', '\t', '\r', '\n', '\u000b', '\u0000', '\u001f', '\u007f'],
  ...'0 00 - -0 -1 +1 1. .5 1.5 1e5 1E+5 1e- 1e999 12345678901234567891'.split(' '),
  ...'true tru false null nul NaN Infinity \\u \\ud800 \\u12 \\u00e9 \\x \\"'.split(' '),
  ...'"a" "a": "a":1, "id": "id":1 "execution_id":"x" "execution_id":null "__proto__":{}'.split(' '),
  ...['é', '\ufeff', '\ud7ff', '👩‍💻', '//', "'", '"\\u0069d":1', '"execution_id":"\\u0078"', '"execution_id":"é"'],
);

/** A JSON object with some fields of an event, whose values may be anything. Names may be repeated. */
const event = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.oneof(fc.constantFrom(...names, ...names, 'success', 'x', '__proto__'), anyText),
        fc.oneof(fc.constantFrom('run-1', 'run-2', ''), anyText, json),
      ),
      { maxLength: 8 },
    ),
    fc.constantFrom('', ' ', '\t \r'),
  )
  .map(([fields, space]) => {
    const text = fields.map(([name, value]) => `${JSON.stringify(name)}${space}:${space}${JSON.stringify(value)}`);
    return `{${space}${text.join(`${space},${space}`)}${space}}`;
  });

/** An event with some of its characters replaced. */
const mutated = fc
  .tuple(event, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), token), { maxLength: 3 }))
  .map(([text, changes]) =>
    changes.reduce((now, [at, length, by]) => {
      const place = at % (now.length + 1);
      return now.slice(0, place) + by + now.slice(place + length);
    }, text),
  );

const line = fc.oneof(
  event,
  mutated,
  mutated,
  fc.array(token).map((all) => all.join('')),
);

property(
  'a scanned line is a JSON object with exactly the fields that were found',
  [
    fc.oneof(
      line.map((text) => Buffer.from(text)),
      fc.tuple(line, fc.nat(), fc.nat({ max: 255 })).map(broken),
    ),
  ],
  (bytes) => {
    const isText = Buffer.from(bytes.toString()).equals(bytes);
    if (isText && !bytes.includes('\n') && isScanned(bytes)) checkScan(bytes);
  },
  3000,
);

/** A line with any byte in any place. */
function broken([text, at, byte]: readonly [string, number, number]): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 0) bytes[at % bytes.length] = byte;
  return bytes;
}

const full =
  '"id":"1","workspace_id":"w","execution_id":"x","created_at":"2026-01-31T12:00:00.000Z","local_started_at":"2026-01-31T12:00:00Z"';

/** Otherwise the comparison above could pass because nothing is scanned. */
test.each([
  ['nothing else', ''],
  ['a string in any script', ',"error":"é 漢 👩‍💻 \u007f"'],
  ['every escape', ',"error":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud800"'],
  ['numbers', ',"n":[0,-0,1,-12,1.5,-0.25,1e5,1E+5,2e-7,12345678901234567891]'],
  ['literals', ',"a":true,"b":false,"c":null'],
  ['empty and nested values', ',"a":{},"b":[],"c":{"d":[{"e":[1,{"f":""}]}]}'],
  ['white space', ' , "a" : [ 1 , 2 ]\t,\r"b" : { "c" : 3 } '],
])('an event with %s is scanned', (_, more) => {
  const text = Buffer.from(`{${full}${more}}`);
  expect(isScanned(text)).toBe(true);
  checkScan(text);
});

test.each([
  ...'00 01 - -01 +1 1. .5 1e 1e+ 1.e5 0x1f tru truE nul NaN undefined'.split(' '),
  ...[
    "'a'",
    '"',
    '"a',
    '"\\x"',
    '"\\u12"',
    '"\\u12g4"',
    '"\u0001"',
    '"\t"',
    '[',
    '[1',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[1:2]',
  ],
  ...[
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    '{"a":1 "b":2}',
    '{"a",1}',
    '{]',
    '[}',
    '',
    '1,',
    '1}',
    '1 2',
    '// 1',
  ],
])('an event with the invalid value %s is parsed, to report it', (value) => {
  const text = Buffer.from(`{${full},"a":${value}}`);
  expect(() => JSON.parse(text.toString())).toThrow(SyntaxError);
  expect(isScanned(text)).toBe(false);
});

test('an event that is nested deeper than a scan goes is parsed', () => {
  const nested = (depth: number) => Buffer.from(`{"id":1,"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  expect([isScanned(nested(32)), isScanned(nested(33))]).toEqual([true, false]);
});

const filling: FillValues = {
  workspace: 'w',
  execution: 'own',
  now: () => ({ ms: 1_769_860_800_000, text: '2026-01-31T12:00:00.000Z' }),
  id: () => 'i',
};

/** Chunks that are only valid until the next one is requested, like those of a file. */
async function* passing(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    const copy = Buffer.from(chunk);
    yield copy;
    copy.fill('#');
  }
}

/** Every event that was read, and the error at the end. */
async function outcome(bytes: Buffer, splits: readonly number[], options: WindowOptions, isCut: boolean) {
  const place = { at: '' };
  const read = isCut ? textPiecesOf : groupsOf;
  const windows: unknown[] = [];
  const skipped: string[] = [];
  const skip = options.skip && ((fault: DtpError) => skipped.push(fault.message));
  let error: unknown;
  try {
    const chunks = pieces(bytes, splits);
    const groups = read(isCut ? streamOf(chunks) : passing(chunks), '--body', () => []);
    for await (const window of windowsOf(groups, place, { ...options, skip }))
      windows.push(
        window.flatMap((one) =>
          splitEvents(one).map((text) => `${one.execution} ${Buffer.from(text).toString('latin1')}`),
        ),
      );
  } catch (caught) {
    if (!(caught instanceof DtpError)) throw caught;
    error = `${caught.message} ${caught.facts.hint}`;
  }
  return { windows, place: place.at, skipped, error };
}

property(
  'lines are read the same by scanning as by parsing: windows, places, skipped events and errors',
  [
    fc.array(
      fc.oneof(
        fc.constant(`{${full}}`),
        line,
        fc.constantFrom('', ' ', `{${full}}\r`, '{"id":1}', '{"id":1,"execution_id":""}'),
      ),
      {
        maxLength: 12,
      },
    ),
    fc.boolean(),
    cuts,
    fc.record({
      size: fc.integer({ min: 1, max: 5 }),
      bytes: fc.integer({ min: 1, max: 2000 }),
      isFilled: fc.boolean(),
      isSkipped: fc.boolean(),
      check: fc.boolean(),
      breakAt: fc.option(fc.nat()),
    }),
  ],
  async (lines, isEnded, splits, { isFilled, isSkipped, breakAt, ...limits }) => {
    // The first line decides the format.
    const bytes = Buffer.from([`{${full}}`, ...lines].join('\n') + (isEnded ? '\n' : ''));
    if (breakAt !== null) bytes[full.length + 3 + (breakAt % (bytes.length - full.length - 2))] = 0xff;
    const options: WindowOptions = {
      label: '--body',
      ...limits,
      filling: isFilled ? filling : undefined,
      fields: undefined,
      skip: isSkipped ? () => undefined : undefined,
    };
    const scanned = await outcome(bytes, splits, options, false);
    expect(scanned).toEqual(await outcome(bytes, splits, options, true));
  },
  1000,
);

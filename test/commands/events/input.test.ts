/** How the input of `dtp events post` becomes events: every format, split anywhere, and with filled-in fields. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { executionOf, type FillValues, fillEvent, uuid7 } from '../../../src/commands/events/fill.ts';
import { eventPositionOf } from '../../../src/commands/events/texts.ts';
import { type WindowOptions, windowsOf } from '../../../src/commands/events/windows.ts';
import { parseDocument } from '../../../src/input/files.ts';
import { textPiecesOf } from '../../support/text-pieces.ts';

const bytesOf = (text: string | Uint8Array) => Buffer.from(text);

async function* inChunks(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const collect = async <T>(all: AsyncIterable<readonly T[]>): Promise<T[]> => {
  const items: T[] = [];
  for await (const some of all) items.push(...some);
  return items;
};

/** Each event as `place: text`, or the only error. */
async function read(...chunks: readonly Uint8Array[]): Promise<readonly string[]> {
  try {
    const pieces = textPiecesOf(inChunks(...chunks), '--body', (text) => parseDocument(text, '--body'));
    return (await collect(pieces)).map((piece) => `${eventPositionOf(piece)}: ${piece.bytes}`);
  } catch (error) {
    return [String(error)];
  }
}

const bom = '\ufeff';
const inputs: readonly (readonly [name: string, input: string | Uint8Array, expected: readonly string[]])[] = [
  ['nothing', '', []],
  ['empty lines', '\n \r\n\n', []],
  ['a line', '{"a":1}\n', ['line 1: {"a":1}']],
  ['a line without a newline at the end', '{"a":1}', ['line 1: {"a":1}']],
  ['a byte order mark', `${bom}{"a":1}`, ['line 1: {"a":1}']],
  ['Windows line endings', '{"a":1}\r\n{"b":2}\r\n', ['line 1: {"a":1}', 'line 2: {"b":2}']],
  ['blank lines between lines', '\n{"a":1}\n\n\n{"b":2}', ['line 2: {"a":1}', 'line 5: {"b":2}']],
  ['four-byte characters', '{"a":"ü€😀"}\n{"b":2}\n', ['line 1: {"a":"ü€😀"}', 'line 2: {"b":2}']],
  ['a line separator in a string', '{"a":"\u2028"}\n{}\n', ['line 1: {"a":"\u2028"}', 'line 2: {}']],
  ['an invalid line after a valid one', '{"a":1}\nxx\n{}', ['line 1: {"a":1}', 'line 2: xx', 'line 3: {}']],
  ['an invalid line before a valid one', 'xx\n{"a":1}\n', ['line 1: xx', 'line 2: {"a":1}']],
  ['two invalid lines before a valid one', 'x\n{"a":\n{"a":1}\n', ['line 1: x', 'line 2: {"a":', 'line 3: {"a":1}']],
  ['nested objects on several lines', '{\n "all": [\n  {"a":1}\n ]\n}\n', ['event 1: {\n "all": [\n  {"a":1}\n ]\n}']],
  ['digits', '{"a":12345678901234567890.10}', ['line 1: {"a":12345678901234567890.10}']],
  ['an empty array', ' [ ] \n', []],
  ['an array', '[{"a":1},{"b":2}]', ['element 1 (line 1): {"a":1}', 'element 2 (line 1): {"b":2}']],
  [
    'an array on several lines',
    `${bom}[\n  {"a":\n1},\n\n  5,{"b":2}\n]\n`,
    ['element 1 (line 2): {"a":\n1}', 'element 2 (line 5): 5', 'element 3 (line 5): {"b":2}'],
  ],
  [
    'brackets and quotes in strings',
    '[{"a":"]},[{\\"\\\\"},{"b":[[{"c":"\\u005d"}],[]]}]',
    ['element 1 (line 1): {"a":"]},[{\\"\\\\"}', 'element 2 (line 1): {"b":[[{"c":"\\u005d"}],[]]}'],
  ],
  ['an extra comma', '[{},]', ['element 1 (line 1): {}', 'element 2 (line 1): ']],
  ['an array that is cut off', '[{},{"a":', ['DtpError: --body: the array ends inside element 2']],
  ['an array with more data after it', '[{}]\n{}', ['DtpError: --body: line 2: unexpected data after the array']],
  [
    'an array with the wrong closing bracket',
    '[{"a":1}}',
    ['DtpError: --body: line 1: the array does not end with a ]'],
  ],
  [
    'an object on several lines',
    '{\n "n": 12345678901234567890.10\n}\n',
    ['event 1: {\n "n": 12345678901234567890.10\n}'],
  ],
  ['YAML', 'a: 1\nb: [x]\n', ['event 1: {"a":1,"b":["x"]}']],
  ['a list of YAML', '- a: 1\n- b: 2\n', ['event 1: {"a":1}', 'event 2: {"b":2}']],
  ['words', 'hello\n', ['DtpError: --body is not valid JSON or YAML: a single word is not a document']],
  ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), ['DtpError: --body is not UTF-8 text']],
  ['UTF-8 that is cut off', new Uint8Array([0x7b, 0xe2, 0x82]), ['DtpError: --body is not UTF-8 text']],
  ['compressed lines', gzipSync('{"a":1}\n{}\n'), ['line 1: {"a":1}', 'line 2: {}']],
  [
    'two compressed files in one',
    Buffer.concat([gzipSync('{"a":1}\n'), gzipSync('{"b":2}')]),
    ['line 1: {"a":1}', 'line 2: {"b":2}'],
  ],
  ['a compressed array', gzipSync('[{}]'), ['element 1 (line 1): {}']],
  [
    'compressed and incomplete',
    gzipSync('{"a":1}').subarray(0, 20),
    ['DtpError: --body: the gzip data is damaged or incomplete'],
  ],
];

describe('the events are the same wherever the input is split', () => {
  test.each(inputs)('%s', async (_, input, expected) => {
    const bytes = bytesOf(input);
    expect(await read(bytes)).toEqual(expected);
    for (let at = 0; at <= bytes.length; at++)
      expect(await read(bytes.subarray(0, at), bytes.subarray(at)), `cut at ${at}`).toEqual(expected);
    const single = Array.from(bytes, (byte) => new Uint8Array([byte]));
    expect(await read(...single), 'byte by byte').toEqual(expected);
  });
});

test('a damaged byte of a compressed file is reported', async () => {
  const bytes = gzipSync('{"a":1}\n'.repeat(100));
  bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 1;
  expect(await read(bytes)).toEqual(['DtpError: --body: the gzip data is damaged or incomplete']);
});

test('an array on one line is not held in memory as a whole', async () => {
  const pieces = textPiecesOf(
    (async function* () {
      yield bytesOf(' ');
      yield bytesOf('[{"a":1},');
      throw new Error('read on');
    })(),
    '--body',
    () => undefined,
  );
  expect((await pieces.next()).value).toEqual([{ bytes: bytesOf('{"a":1}'), line: 1, element: 1 }]);
});

test.each([
  ['a line', '{"a":1}\n', 'line 2 is longer'],
  ['an element', '[{},', '--body: element 2 is longer'],
  ['a first line', '', '--body is longer'],
])('%s of more than 64 MiB is refused', async (_, before, words) => {
  const chunk = bytesOf(`{"a":"${'x'.repeat(4 * 1024 * 1024)}`);
  const told = await read(bytesOf(before), ...Array.from({ length: 17 }, () => chunk));
  expect(told.join()).toContain(words);
});

const NOW = '2026-01-02T03:04:05.678Z';
const filling: FillValues = {
  workspace: 'w',
  execution: 'x',
  now: () => ({ ms: Date.parse(NOW), text: NOW }),
  id: () => 'fresh',
};

async function windows(lines: readonly string[], more: Partial<WindowOptions> = {}) {
  const place = { at: '' };
  const seen: { texts: readonly string[]; at: string }[] = [];
  const pieces = inPieces(lines);
  const options = {
    label: '--body',
    size: 2,
    bytes: 1e6,
    filling: undefined,
    fields: undefined,
    check: false,
  };
  let fault = '';
  try {
    for await (const some of windowsOf(pieces, place, { ...options, skip: undefined, ...more }))
      seen.push({ texts: some.map(({ bytes }) => String(bytes)), at: place.at });
  } catch (error) {
    fault = (error as Error).message;
  }
  return { seen, fault, at: place.at };
}

/** Three at a time, so that windows and pieces have different boundaries. */
async function* inPieces(lines: readonly string[]) {
  const all = lines.map((text, at) => ({ bytes: Buffer.from(text), line: at + 1 }));
  for (let at = 0; at < all.length; at += 3) yield all.slice(at, at + 3);
}

test('events are yielded one window at a time, and the place is known', async () => {
  expect(await windows(['{"a":1}', '{"a":2}', '{"a":3}'])).toEqual({
    seen: [
      { texts: ['{"a":1}', '{"a":2}'], at: 'line 2' },
      { texts: ['{"a":3}'], at: 'line 3' },
    ],
    fault: '',
    at: 'line 3',
  });
  expect((await windows(['{"a":1}', '{"a":2}', '{"a":3}'], { bytes: 5 })).seen).toHaveLength(3);
});

const deep = `{"a":${'['.repeat(600)}${']'.repeat(600)}}`;
test.each([
  ['xx', '--body: line 4 is not JSON: Unexpected token \'x\', "xx" is not valid JSON'],
  ['5', '--body: line 4 is 5, not a JSON object'],
  ['null', '--body: line 4 is null, not a JSON object'],
  ['[1]', '--body: line 4 is an array, not a JSON object'],
  [deep, '--body: line 4 is nested deeper than 500 levels'],
])('a window with an invalid event yields nothing: %s', async (bad, words) => {
  const good = ['{"a":1}', '{"a":2}', '{"a":3}'];
  expect(await windows([...good, bad, '{"a":5}'])).toEqual({
    seen: [{ texts: ['{"a":1}', '{"a":2}'], at: 'line 2' }],
    fault: words,
    at: 'line 2',
  });
  const faults: string[] = [];
  const skipped = await windows([...good, bad, '{"a":5}', bad], {
    skip: ({ message }) => faults.push(message),
  });
  expect(skipped.seen.map(({ texts }) => texts)).toEqual([
    ['{"a":1}', '{"a":2}'],
    ['{"a":3}', '{"a":5}'],
  ]);
  expect([faults, skipped.at]).toEqual([[words, words.replace('line 4', 'line 6')], 'line 6']);
});

test('flags set fields in each event, which then must be exact', async () => {
  const fields = { success: true };
  expect((await windows(['{"a":1,"success":false}'], { fields })).seen[0]?.texts).toEqual(['{"a":1,"success":true}']);
  expect((await windows(['{"a":12345678901234567890}'], { fields })).fault).toContain('cannot be represented exactly');
});

const all = `"id":"fresh","workspace_id":"w","execution_id":"x","created_at":"${NOW}","local_started_at":"${NOW}"`;
test.each([
  ['{}', `{${all}}`],
  ['{ }', `{${all} }`],
  ['{"n": 1.10, "big":12345678901234567890}', `{${all},"n": 1.10, "big":12345678901234567890}`],
  ['{"id":"mine"}', `{${all.replace('"id":"fresh",', '')},"id":"mine"}`],
  ['{"id":null,"workspace_id":5}', `{${all.slice(all.indexOf('"execution_id"'))},"id":null,"workspace_id":5}`],
  [`{${all.replaceAll(NOW, 'then')}}`, `{${all.replaceAll(NOW, 'then')}}`],
])('%s is filled in, and given fields are not changed', (text, expected) => {
  const result = fillEvent(Buffer.from(text), JSON.parse(text), filling).toString();
  expect(result).toBe(expected);
  expect(JSON.parse(result)).toMatchObject(JSON.parse(text));
});

test('the lane comes from the execution id of the event, or else from ours', async () => {
  const seen: string[] = [];
  const pieces = inPieces(['{}', '{"execution_id":"mine"}', '{"execution_id":7}']);
  const options = {
    label: '',
    size: 9,
    bytes: 1e6,
    filling,
    fields: undefined,
    skip: undefined,
    check: false,
  };
  for await (const some of windowsOf(pieces, { at: '' }, options)) seen.push(...some.map(({ execution }) => execution));
  expect(seen).toEqual(['x', 'mine', '']);
});

test('a version 7 UUID: the time, then random bits', () => {
  const uuid4 = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d';
  expect(uuid7(Date.UTC(2026, 0, 31, 12), uuid4)).toBe('019c13ec-9e00-7bad-9bdd-2b0d7b3dcb6d');
  expect(uuid7(1, uuid4)).toBe('00000000-0001-7bad-9bdd-2b0d7b3dcb6d');
  expect(uuid7(2, uuid4) > uuid7(1, uuid4)).toBe(true);
});

test.each([
  [{ DTP_EXECUTION_ID: 'mine', GITHUB_RUN_ID: '5' }, 'mine'],
  [{ GITHUB_RUN_ID: '5', GITHUB_RUN_ATTEMPT: '2' }, 'github-5-2'],
  [{ GITHUB_RUN_ID: '5', GITHUB_RUN_ATTEMPT: '' }, 'github-5'],
  [{ CI_PIPELINE_ID: '7', CI_JOB_ID: '8' }, 'gitlab-7-8'],
  [{ BUILDKITE_BUILD_ID: 'b', BUILDKITE_RETRY_COUNT: '0' }, 'buildkite-b-0'],
  [{ BUILD_TAG: 'jenkins-a-1' }, 'jenkins-jenkins-a-1'],
  [{ DTP_EXECUTION_ID: '', CI: 'true' }, '00000000-0001-7000-8000-000000000000'],
])('the execution of %j is %s', (env, expected) => {
  expect(executionOf({ env, date: () => new Date(1), uuid: () => '00000000-0000-4000-8000-000000000000' })).toBe(
    expected,
  );
});

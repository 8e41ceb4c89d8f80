/** Input whose chunks are overwritten after they were read, as those of a file: in any format, the same events are sent. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { groupsOf } from '../../../src/commands/events/texts.ts';
import { windowsOf } from '../../../src/commands/events/windows.ts';
import { deliver } from '../../../src/flows/deliver.ts';

/** The chunks use the same two buffers, and a buffer is overwritten when the next chunk is requested. */
async function* passing(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  const buffers = [Buffer.alloc(size), Buffer.alloc(size)];
  for (let [at, turn] = [0, 0]; at < bytes.length; at += size, turn++) {
    const buffer = buffers[turn % 2] as Buffer;
    const length = bytes.copy(buffer, 0, at, at + size);
    yield buffer.subarray(0, length);
    for (const one of buffers) one.fill('#');
  }
}

const events = Array.from({ length: 40 }, (_, at) => ({
  ...{
    id: `e-${at}`,
    workspace_id: 'w',
    execution_id: `run-${at >> 3}`,
    created_at: 't',
    local_started_at: 't',
  },
  ...(at % 5 === 0 ? { pad: 'x'.repeat(at * 7) } : {}),
}));
const lines = events.map((event) => JSON.stringify(event));
const formats = {
  lines: lines.join('\n'),
  'lines with CRLF': `${lines.join('\r\n')}\r\n`,
  'lines after a byte order mark': `\ufeff${lines.join('\n')}\n`,
  'an array': `[${lines.join(',\n')}]\n`,
  'a pretty-printed array': JSON.stringify(events, null, 2),
};
const inputs = Object.entries(formats).flatMap(([name, text]): [string, Buffer][] => [
  [name, Buffer.from(text)],
  [`${name}, compressed`, gzipSync(text)],
]);

const turn = () => new Promise((done) => setImmediate(done));

/** The events that are sent, in order. Each body is only read after a while. */
async function sent(bytes: Buffer, size: number, batchSize: number): Promise<unknown[]> {
  const found: unknown[] = [];
  const groups = groupsOf(passing(bytes, size), '--body', () => undefined);
  const limits = { batchSize, batchBytes: 4000 };
  const windows = windowsOf(
    groups,
    { at: '' },
    {
      ...{
        label: '--body',
        size: batchSize,
        bytes: limits.batchBytes,
        filling: undefined,
        fields: undefined,
      },
      ...{ skip: undefined, check: true },
    },
  );
  const { ended } = await deliver(windows, {
    ...limits,
    keep: undefined,
    send: async (body) => {
      for (let turns = 0; turns < 5; turns++) await turn();
      found.push(...JSON.parse(Buffer.from(body).toString()));
      return 1;
    },
    ...{ concurrency: 1, clock: { now: () => 0, sleep: async () => undefined }, random: () => 0.5 },
    ...{ signal: new AbortController().signal, tell: () => undefined },
  });
  expect(ended).toBe(undefined);
  return found;
}

test.each(inputs)('%s', async (_, bytes) => {
  for (const size of [1, 3, 64, 500, 4096])
    for (const batch of [1, 7, 500]) expect(await sent(bytes, size, batch)).toEqual(events);
});

test('one object over several lines', async () => {
  const text = Buffer.from(JSON.stringify(events[5], null, 2));
  for (const size of [1, 3, 64]) expect(await sent(text, size, 500)).toEqual([events[5]]);
});

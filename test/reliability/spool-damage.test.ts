/** Queued batches that are damaged on the disk. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deliver } from '../../src/flows/deliver.ts';
import type { Keep } from '../../src/store/spool.ts';
import { readBody, writeRecord } from '../../src/store/spool-record.ts';
import { startProcess } from '../support/disk.ts';
import { destination, onDisk, optionsOf, World, windowsOf } from '../support/spool-world.ts';

test('a batch that is damaged while it waits is set aside, and not counted twice', async () => {
  const world = new World();
  onTestFinished(() => rmSync(world.root, { recursive: true, force: true }));
  const process = startProcess(world.root);
  const spool = world.spoolOf(process);
  const answered = new Set<string>();
  const send = world.sendOf(process, ['fail', 'accept'], answered);
  const events = ['a', 'b', 'c'].map((id) => ({
    bytes: Buffer.from(JSON.stringify({ id })),
    execution: 'e',
  }));
  for (const { bytes } of events) world.posted.set(JSON.parse(String(bytes)).id, String(bytes));
  const work = (keep: Keep) => {
    let isDamaged = false;
    const kept: Keep = async (...batch) => {
      const [first] = onDisk(world.folder);
      if (first && !isDamaged) writeFileSync(first.path, 'x');
      isDamaged ||= first !== undefined;
      return keep(...batch);
    };
    return deliver(windowsOf(events), { ...optionsOf(world, 3000), keep: kept, send, batchSize: 1 });
  };
  const ended = await process.run(() => spool.open(destination, 2 ** 30, work));
  const { tally, left } = ended?.result ?? {};
  // The third may have been queued before the damage was noticed.
  const delivered = 3 - Number(left);
  expect(tally).toMatchObject({ accepted: delivered, delivered, pending: 0, rejected: 0 });
  expect([1, 2]).toContain(left);
  expect(onDisk(world.folder).map(({ state }) => state)).toEqual(['corrupt']);
});

test('a changed bit anywhere in a queued batch is noticed', async () => {
  const world = new World();
  onTestFinished(() => rmSync(world.root, { recursive: true, force: true }));
  const path = join(world.root, 'record');
  const head = { ...destination, events: 1, created_at: '2025-01-01T00:00:00.000Z' };
  await writeRecord(path, head, Buffer.from('[{"id":"a"}]'));
  const bytes = readFileSync(path);
  for (let bit = 0; bit < bytes.byteLength * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    writeFileSync(path, changed);
    expect(await readBody(path), `bit ${bit}: ${changed}`).toBeUndefined();
  }
});

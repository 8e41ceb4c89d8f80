/** A million events of a service are read to the end in little memory. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/service/data/store.ts';
import { firstKey, seed } from '../../src/service/tenancy/seed.ts';
import { addEvents } from '../support/large-data.ts';
import { countedOutput } from '../support/peak-memory.ts';
import { home, type Served, serve, start } from '../support/process.ts';

const COUNT = 1_000_000;
const { folder, remove } = home();
let service: Served;
beforeAll(async () => {
  const store = openStore(join(folder, 'data', 'service.db'));
  seed(store, new Date());
  addEvents(store, firstKey(store).workspaceId, { count: COUNT, size: 10, run: 'all' });
  store.close();
  service = await serve(folder);
}, 120_000);
afterAll(async () => {
  process.kill(service.pid, 'SIGKILL');
  await service.ended;
  remove();
});

test.each([
  ['json', '"id":', COUNT],
  ['ndjson', '\n', COUNT],
  ['csv', '\n', COUNT + 1],
  ['name', '\n', COUNT],
])(
  'events search in %s has all of them, over the whole time, in at most 150 MB',
  { timeout: 300_000 },
  async (format, mark, count) => {
    const env = { DTP_BASE_URL: service.address, DTP_API_KEY: service.key, DTP_WORKSPACE_ID: service.workspace_id };
    for (const flags of [['--since', '2020-01-01'], []]) {
      const found = await countedOutput(start(folder, ['events', 'search', '-o', format, ...flags], { env }), mark);
      expect([found.code, found.count, found.err]).toEqual([0, count, '']);
      expect(found.peak).toBeLessThan(150);
    }
  },
);

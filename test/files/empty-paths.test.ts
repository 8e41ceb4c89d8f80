/** An empty path, such as that of a variable that is not set, names nothing: neither a file nor the current folder. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hostileFolder } from '../support/hostile-folder.ts';
import { run } from '../support/hostile-run.ts';
import { filesReadLocally, filesSent, filesWritten, folders } from '../support/path-table.ts';

const all = Object.entries({ ...filesSent, ...filesReadLocally, ...filesWritten, ...folders });

// An empty variable is one that is not set.
describe.each(all.filter(([name]) => !name.startsWith('DTP_')))('%s', (_, use) => {
  test('is refused before anything is sent or written', async () => {
    const folder = await hostileFolder();
    const before = readdirSync(folder.cwd);
    const { code, stderr, sent } = await run(folder, use(''));
    expect([2, 3], stderr).toContain(code);
    expect([sent.trim(), readdirSync(folder.cwd)]).toEqual(['', before]);
  });
});

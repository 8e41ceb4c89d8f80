/** `dtp data` moves the data between a file and a database server, and both services then answer alike. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { served } from '../../support/embedded-service.ts';
import { fillService } from '../../support/filled-service.ts';
import { dtp, home, serve } from '../../support/process.ts';
import { hasSqld, openSqld } from '../../support/sqld.ts';

const { folder, remove } = home();
afterAll(remove);

mkdirSync(join(folder, 'data'));
const filled = await served(join(folder, 'data', 'service.db'));
await fillService(filled);
await filled.close();

const run = async (...argv: string[]) => {
  const { code, stdout, stderr } = await dtp(folder, argv);
  return { code, stdout, stderr };
};

test('an export is a new file for its owner only, compressed if its name says so', async () => {
  const file = join(folder, 'backup.jsonl');
  expect(await run('data', 'export', file)).toMatchObject({ code: 0, stderr: '' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await run('data', 'export', `${file}.gz`)).toMatchObject({ code: 0 });
  expect(gunzipSync(readFileSync(`${file}.gz`)).equals(readFileSync(file))).toBe(true);
  expect((await run('data', 'export', '-')).stdout).toBe(readFileSync(file, 'utf8'));
  const again = await run('data', 'export', file);
  expect([again.code, again.stderr.includes('already exists')]).toEqual([2, true]);
  expect((await run('data', 'export', join(folder, 'none'), '--data', join(folder, 'none'))).code).toBe(2);
  expect(existsSync(join(folder, 'none'))).toBe(false);
});

test('an import fills an empty folder, and refuses a cut file and one with data', async () => {
  const file = join(folder, 'backup.jsonl.gz');
  const cut = join(folder, 'cut.jsonl.gz');
  writeFileSync(cut, readFileSync(file).subarray(0, 2000));
  const into = ['--data', join(folder, 'copy')];
  const refused = await run('data', 'import', cut, ...into);
  expect([refused.code, refused.stderr.includes('cannot be unpacked')]).toEqual([2, true]);
  expect(await run('data', 'import', file, ...into)).toMatchObject({ code: 0 });
  expect((await run('data', 'export', '-', ...into)).stdout).toBe(gunzipSync(readFileSync(file)).toString());
  const twice = await run('data', 'import', file, ...into);
  expect([twice.code, twice.stderr.includes('there is already data')]).toEqual([2, true]);
});

test.runIf(hasSqld)('a server gets the data, serves it, and gives it back', async () => {
  const sqld = await openSqld();
  try {
    const file = join(folder, 'backup.jsonl');
    const on = ['--database', sqld.url];
    const cut = await dtp(folder, ['data', 'import', '-', ...on], { stdin: readFileSync(file, 'utf8').slice(0, -20) });
    expect([cut.code, cut.stderr.includes('the file is damaged')]).toEqual([2, true]);
    expect(await run('data', 'import', file, ...on)).toMatchObject({ code: 0, stderr: '' });
    expect((await run('data', 'export', '-', ...on)).stdout).toBe(readFileSync(file, 'utf8'));
    const twice = await run('data', 'import', file, ...on);
    expect([twice.code, twice.stderr.includes('there is already data')]).toEqual([2, true]);
    const service = await serve(folder, on);
    const key = filled.key;
    const listed = await fetch(`${service.address}/v1/artifacts/namespaces`, { headers: { 'x-api-key': key } });
    expect([listed.status, (await listed.text()).includes('"pets"')]).toEqual([200, true]);
    // Also while the service runs.
    const back = join(folder, 'back.jsonl.gz');
    expect((await run('data', 'export', back, ...on)).code).toBe(0);
    await service.stop();
    expect((await run('data', 'import', back, '--data', join(folder, 'back'))).code).toBe(0);
    await sqld.kill();
    const gone = await run('data', 'export', join(folder, 'gone'), ...on);
    expect([gone.code, existsSync(join(folder, 'gone'))]).toEqual([11, false]);
  } finally {
    await sqld.remove();
  }
});

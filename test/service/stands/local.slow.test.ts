/** How the commands of `--profile local` end if the data or the input is larger than the memory. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEvents, documentOf, MIB } from '../../support/large-data.ts';
import { start } from '../../support/process.ts';
import { heap, type Tenants, twoTenants } from '../../support/watched-service.ts';

let tenants: Tenants;
beforeAll(() => {
  tenants = twoTenants((store, workspace) => addEvents(store, workspace, { count: 9700, size: 60_000, run: 'all' }));
  writeFileSync(join(tenants.folder, 'openapi.json'), documentOf('x'.repeat(1000)));
  writeFileSync(join(tenants.folder, 'large.txt'), 'x'.repeat(15 * MIB));
});
afterAll(() => tenants?.remove());

/** Runs a command of the embedded service. Its output is counted, because it is too large for a string. */
function run(argv: readonly string[]) {
  const child = start(tenants.folder, ['--profile', 'local', ...argv], { env: { ...heap, DTP_ERROR_FORMAT: 'text' } });
  child.stdin.end();
  let [size, errors] = [0, ''];
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.byteLength;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  return new Promise<{ code: number | null; signal: string | null; size: number; errors: string }>((done) =>
    child.once('close', (code, signal) => done({ code, signal, size, errors })),
  );
}

/** The exit codes of a command that cannot give the whole answer. */
const reasons = [2, 7, 10, 12, 14];

const all = '/v1/workspace/{workspace_id}/events';
const repeated = Array.from({ length: 100 }, () => ['-F', 'operation_ids[]=@large.txt']).flat();

test.each<readonly [name: string, ...argv: string[]]>([
  ['a list of 580 MiB as JSON', 'events', 'search', '-o', 'json'],
  ['a list of 580 MiB as NDJSON', 'events', 'search', '-o', 'ndjson'],
  ['a list of 580 MiB as CSV', 'events', 'search', '-o', 'csv'],
  ['a list of 580 MiB as YAML', 'events', 'search', '-o', 'yaml'],
  ['a list of 580 MiB that a query counts', 'events', 'search', '--query', 'length(@)'],
  ['a list of 580 MiB by its path', 'api', all],
  ['a form of 100 parts of 15 MiB', 'code-samples', 'preview', 'openapi.json', '--language', 'curl', ...repeated],
])('%s is printed whole, or the command says why it is not', async (_, ...argv) => {
  const { code, signal, size, errors } = await run(argv);
  expect({ signal, errors }).toEqual({ signal: null, errors: expect.not.stringContaining('FATAL ERROR') });
  if (code === 0 && argv[0] !== 'code-samples') expect(argv.includes('--query') || size > 580e6).toBe(true);
  else
    expect([code, errors]).toEqual([
      expect.toSatisfy((one) => reasons.includes(one)),
      expect.stringMatching(/^error: \S/m),
    ]);
});

test('a part of the list is printed, so the command works', async () => {
  const { code, size, errors } = await run(['events', 'search', '--limit', '20', '-o', 'ndjson']);
  expect([code, size > 1_200_000], errors).toEqual([0, true]);
});

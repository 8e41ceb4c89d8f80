/** The README's tasks on Windows, as whole processes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { filesOf } from '../support/artifacts.ts';
import { dtp, home, serve } from '../support/process.ts';

const { folder, remove } = home();
const cwd = join(folder, 'petstore');
afterAll(remove);

/** Runs a command with the embedded service. It must succeed. Returns its output. */
async function run(line: string, place = cwd): Promise<string> {
  const env = { DTP_PROFILE: 'local', DTP_ERROR_FORMAT: 'text' };
  const { code, stdout, stderr } = await dtp(folder, line.split(' '), { cwd: place, env });
  expect(code, `${line}: ${stderr}`).toBe(0);
  return stdout;
}
const names = async (line: string) => (JSON.parse(await run(line)) as { name: string }[]).map(({ name }) => name);

test('samples', async () => {
  await run('init --sample', folder);
  expect(Object.keys(filesOf(cwd))).toContain(join('paths', 'pets.yaml'));
});

test('look around', async () => {
  expect(await names('ws list')).toEqual(['Default']);
  expect(await run('whoami -o json')).toContain('workspace');
});

test('post and search events', async () => {
  await run('events post --body @events.ndjson');
  expect(JSON.parse(await run('events search --execution-id run-77'))).toHaveLength(3);
  expect(await run('events search --no-success --since 1h -r --query [].error')).toBe('3 errors in openapi.yaml\n');
});

test('push and pull a document', async () => {
  await run('artifacts push openapi.yaml petstore:v1');
  await run('artifacts tags add petstore:v1 --tag stable');
  await run('artifacts pull petstore:stable -O copy');
  const pulled = filesOf(join(cwd, 'copy'));
  expect(Object.keys(pulled)).toHaveLength(4);
  const own = filesOf(cwd);
  for (const [name, digest] of Object.entries(pulled)) expect([name, own[name]]).toEqual([name, digest]);
});

test('code samples', async () => {
  const line = 'code-samples preview openapi.yaml --language curl --operation-ids listPets';
  expect(JSON.parse(await run(line)).snippets).toMatchObject([{ operationId: 'listPets', language: 'curl' }]);
});

test('a report', async () => {
  expect(JSON.parse(await run('reports upload lint.html --type linting')).url).toMatch(/^local:\/reports\/linting\//);
});

test('tokens', async () => {
  expect(await run('ws tokens create --name ci -r --query key')).toMatch(/^dtp_[0-9a-f]{64}\n$/);
  expect(await names('ws tokens list')).toContain('ci');
  await run('ws tokens delete ci --yes');
  expect(await names('ws tokens list')).not.toContain('ci');
});

test('a run', async () => {
  await run('codehost access link --codehost-org acme');
  await run('codehost configure target -R acme/petstore');
  const trigger = 'codehost actions trigger -R acme/petstore --lock-id petstore-ts --wait';
  expect(JSON.parse(await run(trigger))).toMatchObject({ run_status: 'completed' });
});

test('a program with a service, and its exit code', async () => {
  // A name without an extension, as in `dtp dev -- npm test`.
  writeFileSync(join(cwd, 'tell.cmd'), '@echo %DTP_BASE_URL% %DTP_API_KEY%\r\n@exit 3\r\n');
  const { code, stdout } = await dtp(folder, ['dev', '--ephemeral', '--', 'tell'], { cwd });
  expect([code, stdout]).toEqual([3, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ dtp_[0-9a-f]{64}\r\n$/)]);
});

test('a service, a login with its key from a file, and a request', async () => {
  const service = await serve(folder);
  const argv = ['login', '--profile', 'work', '--base-url', service.address, '--with-token'];
  expect(await dtp(folder, argv, { stdin: `${service.key}\r\n` })).toMatchObject({ code: 0 });
  const { stdout } = await dtp(folder, ['ws', 'current', '--profile', 'work']);
  expect(JSON.parse(stdout).workspace.id).toBe(service.workspace_id);
  expect(readFileSync(join(folder, 'config/config.json'), 'utf8')).toContain(service.key);
  await service.stop();
});

/**
 * Every operation as a whole process against `dtp serve` or a team's service, over a real socket; each result follows
 * from an earlier command.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { story } from '../story/index.ts';
import { petstore } from '../story/petstore.ts';
import { dtp, home, type Start } from '../support/process.ts';
import { push } from '../support/push.ts';
import { faults } from '../support/record-shape.ts';
import { isTeam, openService } from '../support/team.ts';

const { folder, remove } = home();
let service: Awaited<ReturnType<typeof openService>>;

beforeAll(async () => {
  service = await openService(folder);
  writeFileSync(join(folder, 'petstore.yaml'), petstore);
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  remove();
});

const run = (argv: readonly string[], options: Start = {}) =>
  dtp(folder, [...argv, '-o', 'json'], {
    ...options,
    env: {
      DTP_BASE_URL: service.address,
      DTP_API_KEY: service.key,
      DTP_WORKSPACE_ID: service.workspace_id,
      CI: 'true',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      HTTP_PROXY: 'http://127.0.0.1:9',
      ...options.env,
    },
  });

const state: Record<string, string> = {};

for (const step of story) {
  test(step.says, async () => {
    if (step.push) {
      state.digest = await push(service, `${state.org_slug}/${state.workspace_slug}/pets`, petstore);
      return;
    }
    const argv = step.argv?.(state, service) ?? [];
    if (step.writes) writeFileSync(join(folder, step.writes.name), step.writes.text(state));
    let ended = await run(argv, { env: step.env?.(state) ?? {} });
    while (step.waits && ended.code === 8) ended = await run(argv);
    expect(ended.code, ended.stderr).toBe(step.code ?? 0);
    if (step.code) {
      expect(ended.stdout).toBe('');
      expect(JSON.parse(ended.stderr).error.operation).toBe(step.id);
      return;
    }
    const value: unknown = JSON.parse(ended.stdout);
    if (step.record) expect(faults(step.record, value)).toEqual([]);
    else if (step.empty) expect(value).toMatchObject({ ok: true, operation: step.id });
    await step.check?.(value as never, state, service);
  });
}

test('the story covers every operation', () => {
  const covered = new Set(story.filter((step) => !step.code).map((step) => step.id));
  expect(Object.keys(operations).filter((id) => !covered.has(id))).toEqual([]);
});

test('the help of a command says what the embedded service does instead', async () => {
  const help = async (...argv: string[]) => (await dtp(folder, [...argv, '--help'])).stdout;
  expect(await help('suggest', 'items')).toContain(
    'so -w has no effect\nWith the embedded service: fixed rules replace the language model\nGlobal flags:',
  );
  expect(await help('ws', 'list')).not.toContain('The embedded service');
  expect(await help('serve')).toContain('dtp-simplified');
});

test.skipIf(isTeam)('the embedded service in process gives the same answers, and stores its data', async () => {
  const local = (argv: readonly string[]) => dtp(folder, ['--profile', 'local', ...argv, '-o', 'json']);
  const before = JSON.parse((await local(['ws', 'tokens', 'list'])).stdout) as unknown[];
  expect(await local(['ws', 'tokens', 'create', '--name', 'in process'])).toMatchObject({ code: 0 });
  const after = JSON.parse((await local(['ws', 'tokens', 'list'])).stdout) as { name: string }[];
  expect(after).toHaveLength(before.length + 1);
  expect(after.map(({ name }) => name)).toContain('in process');
});

test('an invalid store is reported, and left unchanged', async () => {
  const data = join(folder, 'broken');
  mkdirSync(data);
  writeFileSync(join(data, 'service.db'), 'no database, and long enough to be looked at');
  const ended = await dtp(folder, ['--profile', 'local', 'ws', 'list'], { env: { DTP_DATA_DIR: data } });
  expect(ended).toMatchObject({ code: 3, stdout: '' });
  expect(ended.stderr).toContain('service.db');
  expect(readFileSync(join(data, 'service.db'), 'utf8')).toContain('no database');
});

test('a checksum is the one that a client computes', () => {
  expect(state.checksum).toBe(createHash('md5').update('<title>lint</title>').digest('hex'));
});

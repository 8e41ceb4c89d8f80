/** A command without a base URL or without a credential: a terminal asks for them, and runs the command again. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSend } from '../../src/transport/send.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { type Served, served } from '../support/embedded-service.ts';

let service: Served;
beforeAll(async () => {
  service = await served();
});
afterAll(() => service.close());

const run = (home: string, line: string, { env, ...world }: World = {}) =>
  dtp(line.split(' '), {
    home,
    cwd: home,
    tty: true,
    openSend: async (options) => openSend(options),
    ...world,
    env: { TERM: 'dumb', DTP_ERROR_FORMAT: 'text', ...env },
  });

const stored = (home: string) => JSON.parse(readFileSync(join(home, 'config', 'config.json'), 'utf8'));

test.each(['ws list', 'events search --limit 1'])('%s: the embedded service', async (line) => {
  const home = temporaryFolder();
  const { code, stderr } = await run(home, line, { typed: [['What should dtp use?', '2']] });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('no base URL is configured');
  expect(stored(home).current).toBe('local');
  expect((await run(home, line, { typed: [] })).code).toBe(0);
});

test('a service: its base URL and a credential, and the flags of the command stay those of the command', async () => {
  const home = temporaryFolder();
  const { code, stdout, stderr } = await run(home, 'ws list -r --query [].id', {
    typed: [
      ['What should dtp use?', '1'],
      ['Base URL', service.address],
      ['Credential for', service.key],
    ],
  });
  expect([code, stdout.trim()], stderr).toEqual([0, service.workspaceId]);
  expect(stored(home).profiles.default.base_url).toBe(service.address);
});

test('a missing credential', async () => {
  const home = temporaryFolder();
  const { code, stderr } = await run(home, 'ws list', {
    env: { DTP_BASE_URL: service.address },
    typed: [['Credential for', service.key]],
  });
  expect(code, stderr).toBe(0);
  expect(stored(home).profiles.default.credential).toBe(service.key);
});

test.each<[string, string, World, number]>([
  ['in a pipe', 'ws list', { tty: false }, 3],
  ['without input', 'ws list --no-input', {}, 3],
  ['in CI', 'ws list', { env: { CI: 'true' } }, 3],
  ['for a dry run', 'ws list --dry-run', {}, 3],
  ['without a credential, in a pipe', 'ws list --base-url http://127.0.0.1:9', { tty: false }, 4],
])('%s, the error stays as it is', async (_, line, world, code) => {
  const home = temporaryFolder();
  const ended = await run(home, line, { ...world, typed: [] });
  expect(ended.code, ended.stderr).toBe(code);
  expect(ended.stderr).toMatch(/^error: no (base URL is configured|credential for )/);
  expect(existsSync(join(home, 'config'))).toBe(false);
});

test('nothing is asked before the base URL', async () => {
  const { stderr } = await run(temporaryFolder(), 'ws create', { typed: [['What should dtp use?', '']] });
  expect(stderr).not.toContain('Name (');
});

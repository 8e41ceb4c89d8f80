/**
 * A home folder on a read-only or full disk: commands that only read work, and commands that write say why they
 * cannot.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { remember } from '../support/known-workspaces.ts';
import { dtp, home, type Served, serve } from '../support/process.ts';

const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');

/** Only the process that makes a mount, and its children, can see it. */
const apart = ['--mount', '--map-root-user', '--user'];
const mayMount =
  spawnSync('unshare', [...apart, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' }).status === 0;
if (!mayMount) process.stdout.write('skipped: this user may not mount a disk with unshare\n');

const reading: readonly string[] = [
  '--version',
  'help',
  'help environment',
  'schema ws',
  'completion bash',
  '__complete ws',
  'config path',
  'config list',
  'config get workspace',
  'config explain',
  'auth status',
  'auth access',
  'ws current',
  'ws list',
  'ws list --dry-run',
  'api /v1/workspace',
  'artifacts namespaces list',
  'events targets list',
  'events queue list',
];

const writing = [
  'config set workspace w_2',
  'auth logout',
  'auth move --to keychain',
  'events post --body @event.json',
  'ws list --base-url local:',
] as const;

interface Ran {
  readonly command: string;
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe.runIf(mayMount)('a disk', () => {
  const { folder, remove } = home();
  let service: Served;
  beforeAll(async () => {
    service = await serve(folder, ['--ephemeral']);
    const made = join(folder, 'made');
    mkdirSync(join(made, '.config/dtp'), { recursive: true, mode: 0o700 });
    const { address, key, workspace_id: workspace } = service;
    const profile = { base_url: address, credential: key, credential_origin: address, workspace };
    writeFileSync(join(made, '.config/dtp/config.json'), JSON.stringify({ profiles: { default: profile } }), {
      mode: 0o600,
    });
    writeFileSync(join(made, 'event.json'), '{"id":"e_1"}');
    const env = {
      DTP_STATE_DIR: join(made, '.local/state/dtp'),
      DTP_BASE_URL: 'http://127.0.0.1:9',
      DTP_API_KEY: 'k-1',
      DTP_WORKSPACE_ID: 'w_1',
      // The small disk has no room for compiled code.
      NODE_DISABLE_COMPILE_CACHE: '1',
    };
    await remember(env.DTP_STATE_DIR, env.DTP_BASE_URL, env.DTP_API_KEY, env.DTP_WORKSPACE_ID);
    const queued = await dtp(made, ['events', 'post', '--body', '@event.json', '--timeout', '1s'], { env });
    expect(queued.code, queued.stderr).not.toBe(0);
  });
  afterAll(async () => {
    await service.stop();
    remove();
  });

  /**
   * Runs the commands one after another, with a copy of the home folder on a small disk after running `close` on
   * it.
   */
  async function runAll(close: string): Promise<readonly Ran[]> {
    const at = join(folder, 'disk');
    mkdirSync(at, { recursive: true });
    const runs = `
      const { spawnSync } = require('node:child_process');
      const all = ${JSON.stringify([...reading, ...writing])}.map((command) => {
        const { status, stdout, stderr } = spawnSync(
          process.execPath,
          [${JSON.stringify(bin)}, ...command.split(' ')],
          { encoding: 'utf8', cwd: process.env.HOME },
        );
        return { command, status, stdout, stderr };
      });
      console.log(JSON.stringify(all));
    `;
    const script = `mount -t tmpfs -o size=256k tmpfs "$0" && cp -a "$1/." "$0" && { ${close}; } && exec "$2" -e "$3"`;
    const child = spawn('unshare', [...apart, 'sh', '-c', script, at, join(folder, 'made'), process.execPath, runs], {
      env: { PATH: process.env.PATH, HOME: at, DTP_ERROR_FORMAT: 'text' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [out] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return JSON.parse(out);
  }

  test.each([
    ['that is read-only', 'mount -o remount,ro tmpfs "$0"', /the disk is read-only|EROFS/],
    [
      'that is full',
      '{ head -c 300k /dev/zero > "$0/fill"; } 2>/dev/null || true',
      /no space left on the disk|disk is full/,
    ],
  ])('%s', async (_, close, why) => {
    const all = await runAll(close);
    const ended = (some: readonly string[]) => all.filter(({ command }) => some.includes(command));
    expect(ended(reading).map(({ command, status, stderr }) => [command, status, stderr.split('\n')[0]])).toEqual(
      reading.map((command) => [command, 0, expect.not.stringMatching(/^(error|warning)/)]),
    );
    const spool = all.find(({ command }) => command === 'events queue list');
    expect(JSON.parse(spool?.stdout ?? '')).toMatchObject([{ state: 'pending', events: 1 }]);
    for (const { command, status, stdout, stderr } of ended(writing)) {
      expect([command, status === 0, stdout], stderr).toEqual([command, false, '']);
      expect(stderr, command).toMatch(/^error: /m);
      expect(stderr, command).toMatch(why);
      expect(stderr, command).not.toMatch(/^\s+at /m);
    }
  });
});

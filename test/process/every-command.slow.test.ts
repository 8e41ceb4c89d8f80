/**
 * Every command of the tree as a CI step runs it: stdout parses, nothing prompts, nothing animates, nothing
 * hangs.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { openProbe } from '../../src/transport/probe.ts';
import { openSend } from '../../src/transport/send.ts';
import { rootCommand, runnableBelow } from '../../src/tree/tree.ts';
import { story } from '../story/index.ts';
import { petstore } from '../story/petstore.ts';
import { dtp, type Ended, type World } from '../support/context.ts';
import { type Served, served } from '../support/embedded-service.ts';
import { home } from '../support/process.ts';
import { push } from '../support/push.ts';

const dead = 'http://127.0.0.1:9';
const proxies = { HTTPS_PROXY: dead, HTTP_PROXY: dead, https_proxy: dead, http_proxy: dead };

/** A runner may give its steps a terminal with no user in front of it. */
describe.each([
  ['without a terminal', false],
  ['on a terminal of the runner', true],
])('%s', (_, tty) => {
  const { folder, remove } = home();
  let service: Served;
  const state: Record<string, string> = {};

  beforeAll(async () => {
    service = await served();
    writeFileSync(join(folder, 'petstore.yaml'), petstore);
  });
  afterAll(async () => {
    await service.close();
    remove();
  });

  const run = async (argv: readonly string[], { env = {}, ...world }: World = {}): Promise<Ended> => {
    // What follows -- belongs to another tree.
    const at = argv.includes('--') ? argv.indexOf('--') : argv.length;
    const ended = await dtp([...argv.slice(0, at), '-o', 'json', ...argv.slice(at)], {
      home: folder,
      tty,
      openSend: async (options) => openSend(options),
      openProbe: async () => openProbe(),
      ...world,
      env: {
        CI: 'true',
        TERM: 'xterm',
        // On a terminal it would be a table.
        DTP_ERROR_FORMAT: 'json',
        ...proxies,
        DTP_BASE_URL: service.address,
        DTP_API_KEY: service.key,
        DTP_WORKSPACE_ID: service.workspaceId,
        ...env,
      },
    });
    const control = String.fromCharCode(27);
    expect((ended.stdout + ended.stderr).includes(control), 'color or progress display').toBe(false);
    // An unanswered prompt exits with 15, or is on stderr.
    expect(ended.code).not.toBe(15);
    expect(ended.stderr).not.toMatch(/\[y\/N\]|Type ".*" to confirm:|\(hidden\)/);
    return ended;
  };

  /** `result`: whether a failure prints one too. */
  const parses = ({ code, stdout, stderr }: Ended, result = false) => {
    if (code === 0 || result) expect(() => JSON.parse(stdout), stdout + stderr).not.toThrow();
    else expect(stdout).toBe('');
    if (code !== 0) expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toHaveProperty('error');
  };

  test('every operation, in the order of the story', async () => {
    const covered = new Set<string | undefined>();
    for (const step of story) {
      if (step.push) {
        state.digest = await push(service, `${state.org_slug}/${state.workspace_slug}/pets`, petstore);
        continue;
      }
      const argv = step.argv?.(state, service) ?? [];
      if (step.writes) writeFileSync(join(folder, step.writes.name), step.writes.text(state));
      const env = step.env?.(state) ?? {};
      if (argv.includes('--yes')) {
        const asked = await run(
          argv.filter((word) => word !== '--yes'),
          { env },
        );
        parses(asked);
        const { message, next } = JSON.parse(asked.stderr).error;
        expect([asked.code, message, next]).toEqual([2, expect.stringMatching(/; pass --yes$/), undefined]);
      }
      let ended = await run(argv, { env });
      while (step.waits && ended.code === 8) {
        // The service's clock stands still.
        service.wait(1000);
        ended = await run(argv, { env });
      }
      expect(ended.code, `${step.says}: ${ended.stderr}`).toBe(step.code ?? 0);
      parses(ended);
      if (ended.code === 0) await step.check?.(JSON.parse(ended.stdout) as never, state, service);
      covered.add(step.id);
    }
    expect(Object.keys(operations).filter((id) => !covered.has(id))).toEqual([]);
  });

  /** The arguments of the local commands; the others get no arguments. */
  const given = (): Readonly<Record<string, { readonly argv: readonly string[] } & World>> => ({
    api: { argv: ['/v1/user'] },
    'auth login': { argv: ['--with-token', '--base-url', service.address], stdin: service.key },
    'auth move': { argv: ['--to', 'file'] },
    'auth oidc-token': { argv: ['--variable', 'ID_TOKEN'], env: { ID_TOKEN: 'eyJ.eyJ.x' } },
    'config set': { argv: ['workspace', 'w_2'] },
    'config get': { argv: ['workspace'] },
    'config unset': { argv: ['workspace'] },
    'config use': { argv: ['local'] },
    // Created by the login, and no longer current.
    'config delete': { argv: ['default', '--yes'] },
    'artifacts push': { argv: ['petstore.yaml', '--namespace', 'mine'] },
    'artifacts pull': { argv: ['mine', '-O', 'pulled'] },
    'events queue drop': { argv: ['--all', '--yes'] },
    serve: { argv: ['--ephemeral'], signal: AbortSignal.abort() },
    dev: { argv: ['--ephemeral', '--', 'true'], spawn: async () => 0 },
  });

  /** Their stdout is a script or another program's output, whatever the format. */
  const others = ['help', 'completion', 'dev', 'mcp'];

  test('every local command', async () => {
    const names = leaves().filter((name) => !operationNames.has(name));
    expect(names.length).toBeGreaterThan(15);
    // A profile is created before it is changed or left.
    const order = ['auth login', 'config set', 'artifacts push'];
    const late = ['config unset', 'auth logout', 'config use', 'config delete'];
    const rank = (name: string) => (order.includes(name) ? 0 : late.includes(name) ? 2 : 1);
    for (const name of [...names].sort((a, b) => rank(a) - rank(b))) {
      const { argv = [], ...world } = given()[name] ?? {};
      const ended = await run([...name.split(' '), ...argv], world);
      if (name in given()) expect(ended.code, `${name}: ${ended.stderr}`).toBe(0);
      if (!others.includes(name.split(' ')[0] ?? '')) parses(ended, name === 'doctor');
    }
  });

  test('every command without arguments fails at once, or needs none', async () => {
    for (const name of leaves()) {
      const signal = AbortSignal.abort();
      const ended = await run(name.split(' '), name === 'serve' ? { signal } : {});
      expect(ended.code, name).not.toBe(1);
      if (!others.includes(name)) parses(ended, name === 'doctor');
    }
  });
});

/** The words of each command without subcommands. */
const leaves = (): readonly string[] => runnableBelow(rootCommand).map(({ words }) => words.join(' '));

const operationNames = new Set(Object.values(operations).map(({ command }) => command.join(' ')));

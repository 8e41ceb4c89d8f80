/** A folder of dtp in a repository may have been committed by somebody else. Links there lead nowhere. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unsettingLine } from '../../src/shell.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { service } from '../support/function-service.ts';
import { dtp as whole } from '../support/process.ts';

const base = 'https://api.example.test';
const list = ['ws', 'list', '-o', 'json'];

/** A repository, and a folder outside of it. */
function places() {
  const [home, outside] = [temporaryFolder(), temporaryFolder()];
  const repository = join(home, 'work', 'repository');
  mkdirSync(join(repository, '.git'), { recursive: true });
  mkdirSync(join(repository, 'src'));
  return { home, outside, repository };
}

function store(folder: string, profile: object = {}) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stored = { base_url: base, credential: 'canary-k3y-1', credential_origin: base, ...profile };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ profiles: { default: stored } }), {
    mode: 0o600,
  });
}

async function run(argv: readonly string[], world: World & { readonly env: Record<string, string> }) {
  const { openSend, asked } = service(() => [200, []]);
  const ended = await dtp(argv, { openSend, ...world, env: { DTP_ERROR_FORMAT: 'json', ...world.env } });
  const line = ended.stderr.split('\n').find((one) => one.startsWith('{"error"'));
  return { ...ended, sent: asked.length, error: line === undefined ? undefined : JSON.parse(line).error };
}

interface Where {
  readonly variable: 'DTP_CONFIG_DIR' | 'XDG_CONFIG_HOME';
  readonly value: (place: ReturnType<typeof places>) => string;
  readonly folder: (place: ReturnType<typeof places>) => string;
  readonly cwd?: (place: ReturnType<typeof places>) => string;
}

const inside: Readonly<Record<string, Where>> = {
  'an absolute path in the repository': {
    variable: 'DTP_CONFIG_DIR',
    value: ({ repository }) => join(repository, 'cfg'),
    folder: ({ repository }) => join(repository, 'cfg'),
  },
  'an absolute path, from a subfolder': {
    variable: 'DTP_CONFIG_DIR',
    value: ({ repository }) => join(repository, 'cfg'),
    folder: ({ repository }) => join(repository, 'cfg'),
    cwd: ({ repository }) => join(repository, 'src'),
  },
  'a link from outside': {
    variable: 'DTP_CONFIG_DIR',
    value: ({ outside, repository }) => {
      symlinkSync(join(repository, 'cfg'), join(outside, 'link'));
      return join(outside, 'link');
    },
    folder: ({ repository }) => join(repository, 'cfg'),
  },
  'an XDG variable': {
    variable: 'XDG_CONFIG_HOME',
    value: ({ repository }) => repository,
    folder: ({ repository }) => join(repository, 'dtp'),
  },
};

function worldOf({ variable, value, folder, cwd = ({ repository }) => repository }: Where, profile?: object) {
  const place = places();
  store(folder(place), profile);
  // An empty DTP_CONFIG_DIR counts as not set.
  return {
    home: place.home,
    cwd: cwd(place),
    env: { DTP_CONFIG_DIR: '', [variable]: value(place) },
    place,
  };
}

describe.each(Object.entries(inside))('a configuration at %s', (_, where) => {
  const { variable } = where;

  test('selects no service and sends no credential', async () => {
    const world = worldOf(where);
    const refused = await run(list, world);
    expect([refused.code, refused.stdout, refused.sent]).toEqual([3, '', 0]);
    expect(refused.error.message).toMatch(/^base_url comes from .*config\.json, whose folder is in (\/|C:)/);
    expect(refused.error.hint).toContain(`set ${variable} to a folder outside of it`);
    expect(refused.error.next).toEqual([{ command: unsettingLine([variable]) }]);
    const named = await run([...list, '--base-url', base], world);
    expect([named.code, named.error.message.split(' comes')[0], named.sent]).toEqual([3, 'the credential', 0]);
  });

  test('runs no command', async () => {
    const ran: string[] = [];
    const exec = async (command: string) => {
      ran.push(command);
      return 'k-123456';
    };
    const world = worldOf(where, { credential: undefined, credential_command: 'touch owned' });
    const { code, sent } = await run([...list, '--base-url', base], { ...world, exec });
    expect([code, sent, ran]).toEqual([3, 0, []]);
  });

  test('is not written to by a login, because it would not be used', async () => {
    const { code, error } = await run(['auth', 'login', '--with-token', '--base-url', base], {
      ...worldOf(where),
      stdin: 'k-123456\n',
    });
    expect([code, error.message]).toEqual([3, expect.stringContaining('nothing is stored in')]);
    expect(error.hint).toMatch(`Set ${variable} to a folder outside of it`);
  });

  test('trusts no .dtp.json', async () => {
    const world = worldOf(where);
    writeFileSync(join(world.cwd, '.dtp.json'), JSON.stringify({ base_url: base }));
    const { code, error } = await run(['config', 'trust', '--yes'], world);
    expect([code, error.message]).toEqual([3, expect.stringContaining(`nothing is trusted while ${variable} is in `)]);
  });

  test('is overridden by variables', async () => {
    const { env, ...world } = worldOf(where);
    const both = { DTP_BASE_URL: base, DTP_API_KEY: 'k-123456' };
    expect(await run(list, { ...world, env: { ...env, ...both } })).toMatchObject({ code: 0, sent: 1 });
  });
});

test.each([
  ['in a repository', '../cfg', 'src'],
  ['without a repository', 'cfg', '.'],
])('a relative path %s decides nothing', async (_, path, below) => {
  const { home, outside, repository } = places();
  const cwd = below === '.' ? outside : join(repository, below);
  store(join(cwd, path));
  const env = { DTP_CONFIG_DIR: path, DTP_ERROR_FORMAT: 'json' };
  const { code, stderr } = await whole(home, list, { cwd, env });
  expect([code, JSON.parse(stderr).error.next]).toEqual([3, [{ command: unsettingLine(['DTP_CONFIG_DIR']) }]]);
});

describe('a configuration is used', () => {
  test.each<[string, (place: ReturnType<typeof places>) => { home?: string; folder: string; cwd: string }]>([
    ['outside of the repository', ({ outside, repository }) => ({ folder: outside, cwd: repository })],
    [
      'in a repository that is not the current one',
      ({ repository, outside }) => ({
        folder: join(repository, 'cfg'),
        cwd: outside,
      }),
    ],
    [
      'in the current folder, if it is not in a repository',
      ({ outside }) => ({
        folder: join(outside, 'cfg'),
        cwd: outside,
      }),
    ],
    [
      'in a home folder that is in a repository',
      ({ repository }) => ({
        home: join(repository, 'home'),
        folder: join(repository, 'home', 'cfg'),
        cwd: repository,
      }),
    ],
    [
      'in a home folder that is a repository',
      ({ home }) => {
        mkdirSync(join(home, '.git'));
        return { folder: join(home, 'cfg'), cwd: home };
      },
    ],
  ])('%s', async (_, of) => {
    const place = places();
    const { folder, ...world } = of(place);
    store(folder);
    const ended = await run(list, { home: place.home, ...world, env: { DTP_CONFIG_DIR: folder } });
    expect(ended).toMatchObject({ code: 0, sent: 1 });
  });
});

test.each([
  ['XDG_CONFIG_HOME', '.config'],
  ['DTP_CONFIG_DIR', '.config/dtp'],
])('the default folder is used in a repository too, even if %s names it', async (variable, path) => {
  const { home } = places();
  mkdirSync(join(home, '.config', '.git'), { recursive: true });
  store(join(home, '.config', 'dtp'));
  const env = { DTP_CONFIG_DIR: '', [variable]: join(home, path) };
  expect(await run(list, { home, cwd: join(home, '.config'), env })).toMatchObject({ code: 0, sent: 1 });
});

describe.each(['DTP_CONFIG_DIR', 'DTP_STATE_DIR', 'DTP_DATA_DIR'])('%s', (variable) => {
  const commands = [
    ['ws', 'list', '--profile', 'local'],
    ['config', 'set', 'output', 'yaml'],
    ['events', 'queue', 'list'],
    ['doctor'],
  ];

  test.each(commands)('does not lead out of the repository: %s %s %s', async (...argv) => {
    const { home, outside, repository } = places();
    symlinkSync(outside, join(repository, 'own'));
    for (const path of ['own', join(repository, 'own'), join(repository, 'own', 'below')]) {
      const world = { home, cwd: repository, env: { [variable]: path } };
      const { code, error, sent } = await run(argv, world);
      expect([path, code, sent, readdirSync(outside)]).toEqual([path, 2, 0, []]);
      expect(error.message).toMatch(`${variable}: `);
      expect(error.message).toContain(`because the link ${join(repository, 'own')} leads to ${outside}`);
    }
  });

  test('may be a link to another disk anywhere else', async () => {
    const { home, outside } = places();
    symlinkSync(outside, join(home, 'own'));
    const { code } = await run(['ws', 'list', '--profile', 'local'], {
      home,
      cwd: home,
      env: { [variable]: join(home, 'own') },
    });
    expect(code).toBe(0);
  });
});

test.each(['service.db', 'service.db-wal', 'service.db-shm', 'service.db-journal'])(
  'a committed link at %s leads nowhere',
  async (name) => {
    const { home, outside, repository } = places();
    mkdirSync(join(repository, 'd'));
    symlinkSync(join(outside, 'v.db'), join(repository, 'd', name));
    const world = { home, cwd: repository };
    const typed = await run(['dev', '--data', 'd', '--', 'true'], { ...world, env: {} });
    const set = await run(['ws', 'list', '--profile', 'local'], {
      ...world,
      env: { DTP_DATA_DIR: join(repository, 'd') },
    });
    for (const { code, error } of [typed, set])
      expect([code, error.message]).toEqual([2, expect.stringMatching(/because the link .* leads to nothing$/)]);
    expect(readdirSync(outside)).toEqual([]);
  },
);

test('a committed URL is not opened', async () => {
  const { home, repository } = places();
  const state = join(repository, 'state');
  mkdirSync(state, { mode: 0o700 });
  const link = { kind: 'report', url: 'https://evil.example.test/', base_url: base, profile: 'default' };
  writeFileSync(join(state, 'last-link.json'), JSON.stringify(link), { mode: 0o600 });
  const open = (env: Record<string, string>, cwd: string) => run(['open', '--print'], { home, cwd, env });
  expect((await open({ DTP_STATE_DIR: state }, repository)).code).toBe(6);
  expect((await open({ DTP_STATE_DIR: state }, home)).stdout).toBe('https://evil.example.test/\n');
});

/** A configuration that other users could have written runs no command, sends no credential, and selects no service. */
import { execSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { service } from '../support/function-service.ts';
import { dtp as dtpProcess } from '../support/process.ts';

const base = 'https://api.example.test';
const env = { DTP_ERROR_FORMAT: 'json' };
const me = process.geteuid?.();
const list = ['ws', 'list', '-o', 'json'];

const full = {
  base_url: base,
  credential: 'canary-k3y-1',
  credential_origin: base,
  workspace: 'w_1',
};

/** A home with a profile. */
function configured(profile: object = full) {
  const home = temporaryFolder();
  const config = join(home, 'config');
  const file = join(config, 'config.json');
  mkdirSync(config, { mode: 0o700 });
  writeFileSync(file, JSON.stringify({ profiles: { default: profile } }), { mode: 0o600 });
  return { home, config, file };
}

/** Runs a command and returns its error, if any, and the number of sent. */
async function run(home: string, argv: readonly string[], more: World = {}) {
  const { openSend, asked } = service(() => [200, []]);
  const ended = await dtp(argv, { home, openSend, ...more, env: { ...env, ...more.env } });
  const line = ended.stderr.split('\n').find((one) => one.startsWith('{"error"'));
  return { ...ended, sent: asked.length, error: line === undefined ? undefined : JSON.parse(line).error };
}

type Place = ReturnType<typeof configured>;
const exposures: readonly (readonly [string, (place: Place) => void, boolean])[] = [
  ['a file that others can write', ({ file }) => chmodSync(file, 0o602), false],
  ['a file that the group can write', ({ file }) => chmodSync(file, 0o660), false],
  ['a folder that others can write', ({ config }) => chmodSync(config, 0o777), false],
  ['a folder that the group can write', ({ config }) => chmodSync(config, 0o770), false],
  [
    'the target of a link',
    ({ home, file }) => {
      renameSync(file, join(home, 'mine.json'));
      chmodSync(join(home, 'mine.json'), 0o666);
      symlinkSync(join(home, 'mine.json'), file);
    },
    false,
  ],
  ["another user's file", ({ file }) => chownSync(file, 1234, 1234), true],
  ["another user's folder", ({ config }) => chownSync(config, 1234, 1234), true],
  [
    'all of them',
    ({ config, file }) => {
      for (const path of [file, config]) {
        chownSync(path, 1234, 1234);
        chmodSync(path, 0o777);
      }
    },
    true,
  ],
];
const possible = me === undefined ? [] : exposures.filter(([, , needsRoot]) => !needsRoot || me === 0);

describe.each(possible)('%s', (_, expose) => {
  test('the URL is refused, and the command in the error corrects it', async () => {
    const place = configured();
    expose(place);
    const before = readFileSync(place.file);
    const first = await run(place.home, list);
    expect([first.code, first.stdout, first.sent]).toEqual([3, '', 0]);
    expect(first.error.message).toMatch(
      /^base_url comes from .*config\.json, (which|whose folder) (can be changed by other users \(mode 0\d{3}\)|belongs to another user \(uid 1234\))$/,
    );
    expect(first.error.hint).toContain('--base-url or DTP_BASE_URL');
    expect(readFileSync(place.file)).toEqual(before);
    for (const { command } of first.error.next) execSync(command);
    expect(await run(place.home, list)).toMatchObject({ code: 0, sent: 1 });
  });

  test('flags and variables override it', async () => {
    const place = configured();
    expose(place);
    const flags = await run(place.home, [...list, '--base-url', base]);
    expect([flags.code, flags.error.message.split(' comes')[0], flags.sent]).toEqual([3, 'the credential', 0]);
    const both = { DTP_BASE_URL: base, DTP_API_KEY: 'k-123456' };
    expect(await run(place.home, list, { env: both })).toMatchObject({ code: 0, sent: 1 });
    expect(await run(place.home, [...list, '--profile', 'local'])).toMatchObject({ code: 0 });
  });

  test('no command of it runs', async () => {
    const ran: string[] = [];
    const exec = async (command: string) => {
      ran.push(command);
      return 'k-123456';
    };
    const place = configured({ base_url: base, credential_command: 'touch owned', credential_origin: base });
    expect(await run(place.home, list, { exec })).toMatchObject({ code: 0 });
    expect(ran.splice(0)).toEqual(['touch owned']);
    expose(place);
    const refused = await run(place.home, [...list, '--base-url', base], { exec });
    expect([refused.code, refused.error.message.split(' comes')[0], refused.sent, ran]).toEqual([
      3,
      'credential_command',
      0,
      [],
    ]);
  });

  test('the keychain is not asked', async () => {
    const tasks: string[] = [];
    const keychain = async ({ task }: { readonly task: string }) => {
      tasks.push(task);
      return 'k-123456';
    };
    const place = configured({ base_url: base, credential_store: 'keychain', credential_origin: base });
    expect(await run(place.home, list, { keychain })).toMatchObject({ code: 0 });
    expect(tasks.splice(0)).toEqual(['get']);
    expose(place);
    for (const argv of [list, ['auth', 'logout'], ['auth', 'move', '--to', 'file']])
      expect((await run(place.home, [...argv, '--base-url', base], { keychain })).code).toBe(3);
    expect(tasks).toEqual([]);
  });

  test('its certificates are not trusted', async () => {
    const place = configured({ ca_cert: '/nowhere.pem' });
    expose(place);
    const more = { env: { DTP_BASE_URL: base, DTP_API_KEY: 'k-123456' } };
    const { code, error, sent } = await run(place.home, list, more);
    expect([code, error.message.split(' comes')[0], sent]).toEqual([3, 'ca_cert', 0]);
  });

  test.each([
    ['config', 'set', 'output', 'yaml'],
    ['config', 'unset', 'workspace'],
    ['config', 'use', 'default'],
    ['auth', 'login', '--with-token', '--base-url', base],
    ['auth', 'logout'],
    ['ws', 'use', 'w_1'],
  ])('"%s %s" does not make it trusted', async (...argv) => {
    const place = configured();
    expose(place);
    const before = readFileSync(place.file);
    const { code, stdout, sent } = await run(place.home, argv, { stdin: 'k-123456\n' });
    expect([code, stdout, sent]).toEqual([3, '', 0]);
    expect(readFileSync(place.file)).toEqual(before);
    expect((await run(place.home, list)).code).toBe(3);
  });

  test('other settings are used, with a warning, and the permissions stay', async () => {
    const place = configured({ workspace: 'w_1' });
    expose(place);
    const mode = statSync(place.file).mode;
    const { code, stdout, stderr } = await run(place.home, ['config', 'get', 'workspace', '-r']);
    expect([code, stdout, statSync(place.file).mode]).toEqual([0, 'w_1\n', mode]);
    expect(stderr).toMatch(
      /^warning: URLs, certificates and credentials in .* are not used\. To use them, check the content/,
    );
  });

  test('doctor and "config explain" say so', async () => {
    const place = configured();
    expose(place);
    const { code, stdout } = await run(place.home, ['doctor', '-o', 'json']);
    const found = JSON.parse(stdout).find((one: { check: string }) => one.check === 'configuration');
    expect([code, found.status, found.message]).toEqual([3, 'fail', expect.stringContaining('not used for URLs')]);
    const explained = await run(place.home, ['config', 'explain', '-o', 'json']);
    expect(explained.stdout).toMatch(/config\.json, (which|whose folder) (can be|belongs)/);
    execSync(found.mend);
    expect(await run(place.home, list)).toMatchObject({ code: 0 });
  });
});

describe.skipIf(me === undefined)('accepted', () => {
  test('a file that others can only read, which is then restricted', async () => {
    const place = configured();
    chmodSync(place.file, 0o644);
    chmodSync(place.config, 0o755);
    expect(await run(place.home, list)).toMatchObject({ code: 0, sent: 1 });
    expect(statSync(place.file).mode & 0o777).toBe(0o600);
  });

  test.runIf(me === 0)('files of root', async () => {
    const place = configured();
    expect(await run(place.home, list, { uid: 1234 })).toMatchObject({ code: 0, sent: 1 });
  });

  test('a file in a sticky folder such as /tmp, and a folder in it', async () => {
    const place = configured();
    chmodSync(place.config, 0o1777);
    expect(await run(place.home, list)).toMatchObject({ code: 0, sent: 1 });
    const below = configured();
    chmodSync(below.home, 0o1777);
    expect(await run(below.home, list)).toMatchObject({ code: 0, sent: 1 });
  });

  test('everything on Windows', async () => {
    const place = configured();
    chmodSync(place.file, 0o666);
    const runtime = { version: 'v20.18.1', platform: 'win32' };
    expect(await run(place.home, list, { runtime })).toMatchObject({ code: 0, sent: 1 });
  });

  test('a login into a folder of the tool that others can write, which is then restricted', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'config'));
    chmodSync(join(home, 'config'), 0o777);
    const set = ['config', 'set', 'base_url', base];
    expect(await run(home, set)).toMatchObject({ code: 0 });
    expect(statSync(join(home, 'config')).mode & 0o777).toBe(0o700);
  });
});

test.skipIf(me === undefined)('nothing is stored in a shared folder, because it would not be used', async () => {
  const home = temporaryFolder();
  const config = join(home, 'config');
  mkdirSync(config);
  writeFileSync(join(config, 'letter.txt'), 'mine');
  chmodSync(config, 0o777);
  const set = ['config', 'set', 'base_url', base];
  const { code, error } = await run(home, set);
  expect([code, error.next]).toEqual([3, [{ command: `chmod go-w ${config}` }]]);
  expect(existsSync(join(config, 'config.json'))).toBe(false);
  expect(statSync(config).mode & 0o777).toBe(0o777);
  chmodSync(config, 0o755);
  expect(await run(home, set)).toMatchObject({ code: 0 });
});

describe.skipIf(me !== 0)('root, if chown would take the files from the user who called sudo', () => {
  const without = 'run dtp without sudo.';
  const owned = (profile: object = full) => {
    const place = configured(profile);
    mkdirSync(join(place.home, 'state'), { mode: 0o700 });
    for (const path of [place.file, place.config, join(place.home, 'state')]) chownSync(path, 1234, 1234);
    return place;
  };
  const doctorIn = ({ stdout }: { stdout: string }) =>
    JSON.parse(stdout).find((one: { check: string }) => one.check === 'configuration').fix;

  test.each<[readonly string[], string, Record<string, string>?]>([
    [list, 'base_url'],
    [[...list, '--base-url', base], 'the credential'],
    [['config', 'set', 'output', 'yaml'], 'nothing is stored'],
    [['events', 'queue', 'flush'], 'the folder of the queue', { DTP_BASE_URL: base, DTP_API_KEY: 'k-123456' }],
  ])('sudo: %j suggests to run without it', async (argv, words, variables = {}) => {
    const { home } = owned();
    const { code, error, sent } = await run(home, argv, { sudoUid: 1234, env: variables });
    expect([code, error.message.slice(0, words.length), error.next, sent]).toEqual([3, words, [], 0]);
    expect(error.hint).toMatch(new RegExp(`${without}$`, 'i'));
  });

  test('sudo: doctor, and the warning of a command that uses other settings', async () => {
    const { home } = owned();
    expect(doctorIn(await run(home, ['doctor', '-o', 'json'], { sudoUid: 1234 }))).toBe(without);
    const other = owned({ workspace: 'w_1' }).home;
    const { code, stderr } = await run(other, ['config', 'get', 'workspace', '-r'], { sudoUid: 1234 });
    expect([code, stderr]).toEqual([0, expect.stringContaining(`To use them, ${without}\n`)]);
  });

  test('the whole process, with the variable that sudo sets', async () => {
    const { home } = owned();
    const doctor = (variables: Record<string, string>) =>
      dtpProcess(home, ['doctor', '-o', 'json'], { env: variables });
    expect(doctorIn(await doctor({ SUDO_UID: '1234' }))).toBe(without);
    for (const variables of [{}, { SUDO_UID: '4321' }]) expect(doctorIn(await doctor(variables))).toMatch(/^chown 0 /);
  });
});

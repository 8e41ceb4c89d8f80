/** As root in the home folder of another user, as with `sudo -E`, nothing of that user decides what root overwrites. */
import {
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dtp, home as newHome, type Served, serve } from '../support/process.ts';

const OTHER = 1234;
const isRoot = process.geteuid?.() === 0;
if (!isRoot) process.stderr.write('skipped: the home folder of another user, because this is not root\n');

const server = newHome();
let service: Served;
beforeAll(async () => {
  if (isRoot) service = await serve(server.folder, ['--ephemeral']);
});
afterAll(async () => {
  await service?.stop();
  server.remove();
});

/** The folders of the tool, and those that shells search for completions. */
const folders = ['.config/dtp', '.local/state/dtp', '.local/share/dtp', '.local/share/zsh/site-functions'] as const;

interface Place {
  readonly home: string;
  /** A folder of root, which the other user wants to change. */
  readonly victim: string;
}

/** A home folder, and next to it a folder with settings, where commands run. */
function places(owner: number): Place & { remove: () => void } {
  const parent = mkdtempSync(join(tmpdir(), 'dtp-other-'));
  const [home, victim] = [join(parent, 'home'), join(parent, 'victim')];
  for (const one of [home, victim]) mkdirSync(one, { mode: 0o755 });
  chownSync(parent, owner, owner);
  chownSync(home, owner, owner);
  mkdirSync(join(parent, 'work'));
  writeFileSync(join(parent, 'work/.dtp.json'), '{"base_url":"https://api.example.test"}');
  return { home, victim, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

/** Creates the missing folders on the way to a path, for an owner. */
function make(home: string, path: string, owner: number) {
  let at = home;
  for (const part of path.split('/')) {
    at = join(at, part);
    if (existsSync(at)) continue;
    mkdirSync(at, { mode: 0o700 });
    chownSync(at, owner, owner);
  }
}

function link(home: string, path: string, to: string, owner: number) {
  if (path.includes('/')) make(home, dirname(path), owner);
  symlinkSync(to, join(home, path));
  lchownSync(join(home, path), owner, owner);
}

/** What the owner of the home folder may have laid in place of one of the folders. */
const layouts: Readonly<Record<string, (place: Place, folder: string, owner: number) => void>> = {
  'a link': ({ home, victim }, folder, owner) => link(home, folder, victim, owner),
  'a link to nothing': ({ home, victim }, folder, owner) => link(home, folder, join(victim, 'new'), owner),
  'a folder above that is a link': ({ home, victim }, folder, owner) => link(home, dirname(folder), victim, owner),
  'a folder': ({ home }, folder, owner) => make(home, folder, owner),
};

/** Those of them in which the owner of all folders can write. */
const working = Object.entries(layouts).filter(([name]) => name !== 'a link to nothing');

/** Commands that write to each folder. */
const writing = ({ home }: Place): Readonly<Record<(typeof folders)[number], readonly (readonly string[])[]>> => ({
  '.config/dtp': [
    ['config', 'set', 'timeout', '60'],
    ['auth', 'login', '--with-token', '--base-url', service.address],
    ['config', 'trust', '--yes'],
  ],
  '.local/state/dtp': [
    ['events', 'post', '--body', JSON.stringify({ id: home })],
    ['events', 'queue', 'flush'],
  ],
  '.local/share/dtp': [['--profile', 'local', 'ws', 'list']],
  '.local/share/zsh/site-functions': [['completion', 'zsh', '--install']],
});

const run = ({ home }: Place, argv: readonly string[], uid?: number) => {
  const env = { HOME: home, DTP_CONFIG_DIR: '', DTP_DATA_DIR: '', DTP_STATE_DIR: '', DTP_ERROR_FORMAT: 'text' };
  const login = { DTP_BASE_URL: service.address, DTP_API_KEY: service.key, DTP_WORKSPACE_ID: service.workspace_id };
  const own = argv.includes('local') || argv.includes('login') ? {} : login;
  const cwd = join(home, '../work');
  return dtp(home, argv, { cwd, env: { ...env, ...own }, stdin: service.key, ...(uid !== undefined && { uid }) });
};

/** Everything in a folder, with its owner. */
const contentOf = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map((name) => `${name} ${lstatSync(join(folder, String(name))).uid}`)
    .sort();

/** Commands that work without writing. Those that cache something do not report that they cannot. */
const reading = [['--version'], ['config', 'path'], ['config', 'list'], ['ws', 'list'], ['events', 'queue', 'list']];

describe.skipIf(!isRoot).each(folders)('%s in the home folder of another user', (folder) => {
  test.each(Object.entries(layouts))('is %s: root writes nothing there, and reads', async (_, lay) => {
    const place = places(OTHER);
    lay(place, folder, OTHER);
    const content = () => [contentOf(place.victim), contentOf(join(place.home, dirname(folder)))];
    const before = content();
    for (const argv of writing(place)[folder]) {
      const { code, stderr } = await run(place, argv);
      expect([argv.join(' '), code, stderr]).toEqual([argv.join(' '), 3, expect.stringContaining('another user')]);
    }
    for (const argv of reading) expect([argv.join(' '), (await run(place, argv)).code]).toEqual([argv.join(' '), 0]);
    expect(content()).toEqual(before);
    place.remove();
  });

  test.each(working)('is %s: its owner can write', async (_, lay) => {
    const place = places(OTHER);
    chownSync(place.victim, OTHER, OTHER);
    lay(place, folder, OTHER);
    await expectWritten(place, folder, OTHER);
  });

  test('is missing: root can write', () => expectWritten(places(OTHER), folder));
});

describe.skipIf(!isRoot).each(folders)('%s in the home folder of root', (folder) => {
  test.each(working)('may be %s of root', async (_, lay) => {
    const place = places(0);
    lay(place, folder, 0);
    await expectWritten(place, folder);
  });
});

test.skipIf(!isRoot)('a config.json of root that is a link stays one', async () => {
  const place = places(0);
  make(place.home, '.config/dtp', 0);
  const dotfiles = join(place.victim, 'config.json');
  writeFileSync(dotfiles, '{"profiles":{}}', { mode: 0o600 });
  link(place.home, '.config/dtp/config.json', dotfiles, 0);
  expect((await run(place, ['config', 'set', 'timeout', '60'])).code).toBe(0);
  expect(lstatSync(join(place.home, '.config/dtp/config.json')).isSymbolicLink()).toBe(true);
  expect(readFileSync(dotfiles, 'utf8')).toContain('60');
  place.remove();
});

/** Every command that writes to the folder exits with 0. */
async function expectWritten(place: ReturnType<typeof places>, folder: (typeof folders)[number], uid?: number) {
  for (const argv of writing(place)[folder]) {
    const { code, stderr } = await run(place, argv, uid);
    expect([argv.join(' '), code, stderr]).toEqual([argv.join(' '), 0, expect.any(String)]);
  }
  place.remove();
}

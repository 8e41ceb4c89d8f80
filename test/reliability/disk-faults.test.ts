/**
 * Each disk call fails in turn: the old content stays, or the new content is complete, and the next run is not
 * blocked.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import type { LockHolder } from '../../src/store/lock.ts';
import { openProfiles } from '../../src/store/profiles.ts';
import { document, write } from '../support/artifacts.ts';
import { dtp, type Ended, temporaryFolder } from '../support/context.ts';
import { filesUnder } from '../support/disk.ts';
import { eachFault, type FaultCase, isRemoval } from '../support/disk-faults.ts';

/** A run after all the others have ended. */
const next: LockHolder = {
  now: () => 0,
  sleep: () => Promise.reject(new Error('a lock blocks this run')),
  pid: 1,
  isAlive: () => false,
  beganAt: () => undefined,
};

/** A failed command prints a sentence with the path and one of our codes, and no result. */
function expectTold({ code, stdout, stderr }: Ended, root: string, what: string): void {
  if (code === 0) return;
  expect(stdout, what).toBe('');
  expect([1, 2, 3], `${what}: ${stderr}`).toContain(code);
  expect(stderr, what).toMatch(/^error: /m);
  expect(stderr, what).toContain(root);
  expect(stderr, what).not.toMatch(/^ {4}at |\b(EIO|ENOSPC|EACCES)\b|undefined|\[object/m);
}

const env = { DTP_ERROR_FORMAT: 'text' };

const printCount = (what: string, count: string) => process.stdout.write(`faults: ${count}: ${what}\n`);

test.each([
  ['a new configuration', undefined, false],
  ['an existing one', '{ "profiles": { "default": { "timeout": 7, "workspace": "old" } } }', false],
  ['an existing one without hard links', '{ "profiles": { "default": { "workspace": "old" } } }', true],
])('config set over %s', async (name, old, noLinks) => {
  const home = temporaryFolder();
  const folder = join(home, 'config');
  const file = join(folder, 'config.json');
  const fresh = () => {
    rmSync(folder, { recursive: true, force: true });
    if (old === undefined) return;
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(file, old, { mode: 0o600 });
  };
  const workspaceIn = (text: string) => JSON.parse(text).profiles.default.workspace;
  const check = async ({ result, what, call }: FaultCase<Ended>) => {
    expectTold(result, folder, what);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    if (result.code === 0) expect(workspaceIn(text ?? ''), what).toBe('new');
    else if (text !== old) expect(workspaceIn(text ?? ''), what).toBe('new');
    if (text !== undefined) expect(statSync(file).mode & 0o777, what).toBe(0o600);
    const left = existsSync(folder) ? readdirSync(folder).filter((one) => one !== 'config.json') : [];
    if (!isRemoval(call)) expect(left, what).toEqual([]);
    // The next command removes what is left over.
    const profiles = openProfiles(folder, next);
    await profiles.update((now) => ({ ...now, current: 'next' }));
    expect(profiles.read().current, what).toBe('next');
    expect(readdirSync(folder), what).toEqual(['config.json']);
  };
  const work = () => dtp(['config', 'set', 'workspace', 'new'], { home, env });
  printCount(`config set over ${name}`, await eachFault(home, fresh, work, check, noLinks));
});

test('the store for a login is tested before the secret is requested', async () => {
  const folder = join(temporaryFolder(), 'config');
  const fresh = () => rmSync(folder, { recursive: true, force: true });
  const work = () =>
    openProfiles(folder, next)
      .check()
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  const check = ({ result, what, call }: FaultCase<unknown>) => {
    if (result !== undefined)
      expect(result, what).toMatchObject({ code: 'config', message: expect.stringContaining(folder) });
    if (!isRemoval(call) && existsSync(folder)) expect(readdirSync(folder), what).toEqual([]);
  };
  printCount('a login', await eachFault(folder, fresh, work, check));
});

test.each([
  ['a new file', undefined, false],
  ['an existing one', 'old', false],
  ['a new file without hard links', undefined, true],
])('a result into %s', async (name, old, noLinks) => {
  const cwd = temporaryFolder();
  const file = join(cwd, 'out.json');
  const fresh = () => {
    for (const one of readdirSync(cwd)) rmSync(join(cwd, one));
    if (old !== undefined) writeFileSync(file, old);
  };
  const argv = ['schema', '--json-schema', '-o', 'json', '-O', 'out.json', '--force'];
  const work = () => dtp(argv.slice(0, old === undefined ? -1 : undefined), { cwd, env });
  let whole = '';
  const check = ({ result, what, call }: FaultCase<Ended>) => {
    expectTold(result, file, what);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    whole ||= text ?? '';
    expect(JSON.parse(whole)).toHaveProperty('$schema');
    expect([old, whole], what).toContain(text);
    if (result.code === 0) expect(text, what).toBe(whole);
    const left = readdirSync(cwd).filter((one) => one !== 'out.json');
    if (!isRemoval(call)) expect(left, what).toEqual([]);
  };
  printCount(`a result into ${name}`, await eachFault(cwd, fresh, work, check, noLinks));
});

/** For the embedded service in this process, whose files are elsewhere. */
const local = (argv: readonly string[], cwd: string, home: string) =>
  dtp(['--profile', 'local', ...argv], { cwd, home, env });

const empty = (folder: string) => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
};

test.each([undefined, 'old'])('a download over %j', async (old) => {
  const [cwd, home] = [temporaryFolder(), temporaryFolder()];
  const report = `<p>${'whole '.repeat(20_000)}</p>`;
  writeFileSync(join(home, 'report.html'), report);
  const upload = ['reports', 'upload', '--type', 'linting', '--file', join(home, 'report.html')];
  expect(await local(upload, home, home)).toMatchObject({ code: 0 });
  const md5 = createHash('md5').update(report).digest('hex');
  const file = join(cwd, 'again.html');
  const fresh = () => {
    empty(cwd);
    if (old !== undefined) writeFileSync(file, old);
  };
  const argv = ['reports', 'linting-url', md5, '--download', 'again.html', ...(old ? ['--force'] : [])];
  const check = ({ result, what, call }: FaultCase<Ended>) => {
    expectTold(result, file, what);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    expect([old, report].includes(text), what).toBe(true);
    if (result.code === 0) expect(text === report, what).toBe(true);
    if (!isRemoval(call))
      expect(
        readdirSync(cwd).filter((one) => one !== 'again.html'),
        what,
      ).toEqual([]);
  };
  printCount(`a download over ${old}`, await eachFault(cwd, fresh, () => local(argv, cwd, home), check));
});

test.each([
  ['nothing', undefined],
  ['an empty folder', {}],
  ['a full folder', { 'mine.txt': 'mine' }],
])('a pull over %s', async (name, old) => {
  const [cwd, home] = [temporaryFolder(), temporaryFolder()];
  const spec = { 'openapi.json': document('paths/a.json'), 'paths/a.json': '{}' };
  write(join(home, 'spec'), spec);
  const push = ['artifacts', 'push', 'spec', '--namespace', 'pets', '--tag', 'v1'];
  expect(await local(push, home, home)).toMatchObject({ code: 0 });
  const folder = join(cwd, 'copy');
  const isFull = Object.keys(old ?? {}).length > 0;
  const fresh = () => {
    empty(cwd);
    if (old) mkdirSync(folder);
    if (old) write(folder, old);
  };
  const argv = ['artifacts', 'pull', 'pets:v1', '-O', 'copy', ...(isFull ? ['--force'] : [])];
  const check = ({ result, what, call, fault }: FaultCase<Ended>) => {
    expectTold(result, cwd, what);
    const now = existsSync(folder) ? contentOf(folder) : undefined;
    if (result.code === 0) expect(now, what).toEqual(spec);
    else if (fault === 'full' && call?.name === 'rename' && now === undefined) {
      // If the old folder could not be moved back, the error says where it is.
      if (!isFull) return;
      const [, place = ''] = /the previous content is now in (\S+)\)$/m.exec(result.stderr) ?? [];
      expect(contentOf(place), what).toEqual(old);
      return;
    } else expect([old, spec], what).toContainEqual(now);
    if (!isRemoval(call))
      expect(
        readdirSync(cwd).filter((one) => one !== 'copy'),
        what,
      ).toEqual([]);
  };
  printCount(`a pull over ${name}`, await eachFault(cwd, fresh, () => local(argv, cwd, home), check));
});

const contentOf = (folder: string) =>
  Object.fromEntries(filesUnder(folder).map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));

test('a journal that cannot be written does not fail the command, and there is a warning', async () => {
  const root = temporaryFolder();
  const home = temporaryFolder();
  const file = join(root, 'journal');
  const work = () => dtp(['config', 'path'], { home, env: { ...env, DTP_OUTPUT_FILE: file } });
  const check = ({ result, what, call, fault }: FaultCase<Ended>) => {
    expect(result, what).toMatchObject({ code: 0, stdout: expect.stringContaining('config.json') });
    if (fault !== undefined && call?.name !== 'close') expect(result.stderr, what).toContain(`cannot write to ${file}`);
  };
  printCount('a journal', await eachFault(root, () => empty(root), work, check));
});

test('completion values are offered whether or not they can be cached', async () => {
  const home = temporaryFolder();
  const state = join(home, 'state');
  const fresh = () => {
    rmSync(state, { recursive: true, force: true });
    mkdirSync(join(state, 'completions'), { recursive: true });
    writeFileSync(join(state, 'completions', 'old.json'), '{}');
    utimesSync(join(state, 'completions', 'old.json'), 1, 1);
  };
  const work = () => dtp(['__complete', '--profile', 'local', '--fresh', 'workspaces'], { home, env });
  const check = ({ result, what, call }: FaultCase<Ended>) => {
    expect(result, what).toEqual({ code: 0, stdout: expect.stringMatching(/^(\S+\t\S+\n){2}$/), stderr: '' });
    const left = readdirSync(join(state, 'completions')).filter((one) => one.startsWith('.'));
    if (!isRemoval(call)) expect(left, what).toEqual([]);
  };
  printCount('a list', await eachFault(state, fresh, work, check));
});

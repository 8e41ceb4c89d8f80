/** The action and the GitLab component: what they download, compare, cache and refuse. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { component, githubMachine, type Place, runGitlabJob, runIn } from '../support/ci-job.ts';
import { hostileMarkup } from '../support/hostile-markup.ts';
import { type Release, release, version } from '../support/release-files.ts';
import { commandsIn, variablesIn } from '../support/runner.ts';

let files: Release;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dtp-install-'));
  files = await release(version);
});
afterAll(() => {
  files.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a machine with the action, which `install` runs with other inputs than the right ones. */
function machine(name: string, env: Place['env'] = {}, programs?: string) {
  const home = join(folder, name);
  mkdirSync(home);
  const place = { machine: home, repository: '', env, ...(programs !== undefined && { programs }) };
  const opened = githubMachine(place, { github: { server_url: 'http://127.0.0.1:1', action_repository: '' } });
  const right = { version, sha256: files.digest, url: files.address };
  const install = async (inputs: Readonly<Record<string, string>> = {}) => {
    const [step] = await opened.run({ uses: './action', with: { ...right, ...inputs } });
    return { code: step?.code, log: step?.log ?? '' };
  };
  const left = () => readdirSync(join(home, 'temp')).filter((one) => one.startsWith('dtp'));
  return { ...opened, home, install, left };
}

const archive = `dtp-${version}-linux-x64.tar.gz`;

test('the program is on the PATH of later steps, and its settings are variables', async () => {
  const { install, run, read } = machine('right');
  const inputs = { 'base-url': 'https://api.example.test/a=b', 'workspace-id': 'acme/prod' };
  expect(await install({ ...inputs, sha256: files.digest.toUpperCase() })).toEqual({
    code: 0,
    log: `Installed dtp ${version}\n`,
  });
  const [step] = await run({ run: 'dtp; echo "$DTP_BASE_URL $DTP_WORKSPACE_ID"' });
  expect(step?.log).toBe(`${version}\nhttps://api.example.test/a=b acme/prod\n`);
  expect(read('GITHUB_OUTPUT')).toBe('');
});

test('without these inputs, no variable is set', async () => {
  const { install, read } = machine('few');
  expect((await install()).code).toBe(0);
  expect(read('GITHUB_ENV')).toBe('');
});

test('wget instead of curl', async () => {
  const { install } = machine('wget', {}, 'sh bash wget tar gzip sha256sum mktemp mkdir mv cp rm tr');
  expect(await install()).toMatchObject({ code: 0 });
});

test('the cache saves the download, and its archive is compared again', async () => {
  const cache = join(folder, 'cache');
  mkdirSync(cache);
  const asked = async (name: string) => {
    const before = files.asked.length;
    expect(await machine(name, { RUNNER_TOOL_CACHE: cache }).install()).toMatchObject({ code: 0 });
    return files.asked.length - before;
  };
  expect([await asked('first'), await asked('second')]).toEqual([1, 0]);
  const [held = ''] = readdirSync(join(cache, 'dtp'));
  expect(readdirSync(join(cache, 'dtp'))).toEqual([files.digest]);
  writeFileSync(join(cache, 'dtp', held), 'damaged');
  expect([await asked('third'), await asked('fourth')]).toEqual([1, 0]);
  // A cache that cannot be written to is not used.
  expect(await machine('fifth', { RUNNER_TOOL_CACHE: '/proc/none' }).install()).toMatchObject({ code: 0 });
});

test.each([
  ['an incomplete archive', {}, {}, 'The SHA-256 of ARCHIVE differs from the input sha256. Nothing was installed.'],
  ['a missing archive', { version: '9.9.9' }, {}, 'Cannot download dtp-9.9.9-linux-x64.tar.gz: curl exited with 22.'],
  ['a service that is down', { url: 'http://127.0.0.1:1' }, {}, 'Cannot download ARCHIVE: curl exited with 7.'],
  ['no URL', { url: '' }, {}, 'The input url must be the URL of the files of a release.'],
  ['a file', { url: 'file:///etc' }, {}, 'The input url must be the URL of the files of a release.'],
  [
    'a short digest',
    { sha256: 'abc' },
    {},
    'The input sha256 must be the SHA-256 of the archive, in 64 hexadecimal digits.',
  ],
  ['no version', { version: '' }, {}, 'The input version must be a version, such as 0.1.0.'],
  ['another platform', {}, { RUNNER_ARCH: 'ARM' }, 'A release has no archive for the platform of this runner.'],
  ['a line break', { 'base-url': 'https://a\nPATH=/evil' }, {}, 'An input has a line break. Remove it.'],
  ['a return', { 'workspace-id': 'a\rPATH=/evil' }, {}, 'An input has a line break. Remove it.'],
] as const)('%s: nothing is installed, and an annotation says why', async (name, inputs, env, why) => {
  const { install, read, left } = machine(name, env);
  if (name === 'an incomplete archive') files.damage(files.bytes.subarray(0, 100));
  const { code, log } = await install(inputs).finally(() => files.damage(undefined));
  const message = why.replace('ARCHIVE', archive);
  expect([code, commandsIn(log)]).toEqual([1, [{ name: 'error', properties: { title: 'dtp' }, message }]]);
  expect([log.trimEnd().split('\n').length, left(), read('GITHUB_PATH'), read('GITHUB_ENV')]).toEqual([1, [], '', '']);
});

test('an archive with another version is not installed', async () => {
  const other = await release('0.0.0');
  try {
    const { install, read, left } = machine('other');
    const { code, log } = await install({ url: other.address, sha256: other.digest });
    expect([code, log]).toEqual([1, expect.stringContaining('contains another version')]);
    expect([left(), read('GITHUB_PATH')]).toEqual([[], '']);
  } finally {
    other.close();
  }
});

test('300 hostile strings as inputs run nothing and set nothing else', async () => {
  const { install, read, home } = machine('hostile', { RUNNER_TOOL_CACHE: join(folder, 'cache') });
  // The archive is in the cache, so that no URL is used.
  const inputsOf = (value: string) => [
    { 'base-url': value, 'workspace-id': value },
    ...['version', 'sha256', 'url'].map((name) => ({ [name]: value })),
  ];
  let installed = 0;
  for (const hostile of [...hostileMarkup, '$(touch PWN)', '`touch PWN`', "';touch PWN;'", '"; touch PWN; "'])
    for (const inputs of inputsOf(hostile.replaceAll('\0', ''))) {
      const { code, log } = await install(inputs);
      const others = commandsIn(log).filter((one) => one.name !== 'error' || one.properties.title !== 'dtp');
      expect([inputs, others]).toEqual([inputs, []]);
      expect(commandsIn(log).length).toBe(code === 0 ? 0 : 1);
      if (code === 0) installed++;
    }
  expect(installed).toBeGreaterThan(100);
  const set = variablesIn(read('GITHUB_ENV'));
  expect(Object.keys(set).sort()).toEqual(['DTP_BASE_URL', 'DTP_WORKSPACE_ID']);
  const paths = read('GITHUB_PATH').trimEnd().split('\n');
  expect(paths).toHaveLength(installed);
  expect(paths.filter((path) => !path.startsWith(`${join(home, 'temp/dtp.')}`))).toEqual([]);
  expect([read('GITHUB_OUTPUT'), read('GITHUB_STEP_SUMMARY')]).toEqual(['', '']);
  expect(readdirSync(join(home, 'work'))).toEqual([]);
});

test('the action uses no other action, and inserts no input into a script', () => {
  const { runs } = parse(readFileSync(resolve(import.meta.dirname, '../../action/action.yml'), 'utf8'));
  for (const step of runs.steps) expect([step.uses, step.run]).toEqual([undefined, expect.not.stringContaining('${{')]);
});

const gitlabJob = (inputs: Readonly<Record<string, string>>) =>
  JSON.stringify({
    include: [{ component: 'gitlab.example.test/OWNER/dtp/dtp@1', inputs: { version, ...inputs } }],
    job: { extends: '.dtp', script: ['dtp'] },
  });

test('the GitLab component caches its archive, and compares it again', async () => {
  const repository = join(folder, 'empty.git');
  execFileSync('git', ['init', '--quiet', repository]);
  const job = gitlabJob({ sha256: files.digest, url: files.address });
  const asked = async (name: string, cached?: string) => {
    const before = files.asked.length;
    const home = join(folder, name);
    mkdirSync(home);
    const programs = 'sh bash git wget tar gzip sha256sum mktemp mkdir cp uname rm';
    // GitLab restores the cache after it has cloned the repository.
    const text =
      cached === undefined ? job : job.replace('"script"', `"before_script":${restoring(job, cached)},"script"`);
    const ran = await runGitlabJob(text, { machine: home, repository, env: {}, programs });
    expect([ran.code, ran.log.split('\n').at(-2)], ran.log).toEqual([0, version]);
    return [files.asked.length - before, join(ran.cwd, '.dtp-cache', files.digest)] as const;
  };
  const [first, held] = await asked('gitlab-first');
  const [second] = await asked('gitlab-second', held);
  writeFileSync(held, 'damaged');
  const [third] = await asked('gitlab-third', held);
  expect([first, second, third]).toEqual([1, 0, 1]);
});

/** The lines of the component after those that restore its cache. */
const restoring = (job: string, cached: string): string => {
  const { before_script: lines } = component('dtp', parse(job).include[0].inputs)['.dtp'] ?? {};
  return JSON.stringify([`mkdir .dtp-cache; cp '${cached}' .dtp-cache/`, ...(lines ?? [])]);
};

test('the inputs of the GitLab component are variables, and without them, those of the configuration apply', async () => {
  const repository = join(folder, 'settings.git');
  execFileSync('git', ['init', '--quiet', repository]);
  const printed = async (name: string, inputs: Readonly<Record<string, string>>) => {
    const home = join(folder, name);
    mkdirSync(home);
    const job = JSON.parse(gitlabJob({ sha256: files.digest, url: files.address, ...inputs }));
    job.variables = { DTP_BASE_URL: 'https://shared.example', DTP_WORKSPACE_ID: 'shared' };
    job.job.script = ['echo "$DTP_BASE_URL $DTP_WORKSPACE_ID"'];
    return (await runGitlabJob(JSON.stringify(job), { machine: home, repository, env: {} })).log;
  };
  expect(await printed('shared', {})).toBe('https://shared.example shared\n');
  expect(await printed('one', { 'workspace-id': 'a $b' })).toBe('https://shared.example a $b\n');
  expect(await printed('both', { 'base-url': 'https://x.example', 'workspace-id': 'w' })).toBe('https://x.example w\n');
});

test('300 hostile strings as inputs of the GitLab component are refused, or are only variables', () => {
  const right = { version, sha256: files.digest, url: files.address };
  const { before_script: lines } = component('dtp', right)['.dtp'] ?? {};
  const refused = { version: 0, sha256: 0, url: 0, 'base-url': 0, 'workspace-id': 0 };
  for (const hostile of hostileMarkup)
    for (const name of Object.keys(refused) as (keyof typeof refused)[]) {
      const filled = attempt(() => component('dtp', { ...right, [name]: hostile })['.dtp']);
      if (!filled) refused[name]++;
      else {
        expect(filled.before_script).toEqual(lines);
        if (!/base|workspace/.test(name)) expect(hostile).toMatch(/^[0-9A-Za-z:/._~%+-]+$/);
      }
    }
  expect(refused).toMatchObject({ sha256: 300, 'base-url': 0, 'workspace-id': 0 });
  expect(Math.min(refused.version, refused.url)).toBeGreaterThan(270);
});

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

test('shellcheck accepts the scripts', async (context) => {
  const { before_script: lines = [] } =
    component('dtp', { version, sha256: files.digest, url: files.address })['.dtp'] ?? {};
  const script = join(folder, 'component.sh');
  writeFileSync(script, `#!/bin/sh\n${lines.join('\n')}\n`);
  const paths = [script, resolve(import.meta.dirname, '../../action/install.sh')];
  const env = { PATH: process.env.PATH ?? '', HOME: folder };
  const ran = await runIn(folder, env, ['shellcheck', ...paths]).catch(() => undefined);
  if (!ran) {
    process.stderr.write('skipped: the check of the scripts, because shellcheck is not installed\n');
    return context.skip();
  }
  expect(ran).toMatchObject({ code: 0, log: '' });
});

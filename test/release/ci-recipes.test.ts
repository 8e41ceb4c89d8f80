/** The CI jobs of the documents, of `dtp init` and of the sample, on a machine with git, a shell, curl and tar only. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { write } from '../support/artifacts.ts';
import { type Place, type RanStep, runGitlabJob, runIn, runWorkflow } from '../support/ci-job.ts';
import { shellWords } from '../support/hints/extract.ts';
import { parsedSummary } from '../support/hostile-markup.ts';
import { dtp, home, type Served, serve } from '../support/process.ts';
import { folderOfPrograms, type Release, release, version } from '../support/release-files.ts';
import { commandsIn } from '../support/runner.ts';
import { listening } from '../support/sockets.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const blocksOf = (text: string) =>
  [...text.matchAll(/^```(yaml|sh)\n(.*?)^```/gms)].flatMap(([, , body = '']) =>
    /^(jobs|include|steps|.*\bscript):|DTP_RELEASE_URL/m.test(body) ? [body] : [],
  );
const [inReadme = ''] = blocksOf(read('README.md'));
const [github = '', gitlab = '', shell = '', ...waiting] = blocksOf(read('docs/scripts-and-ci.md'));

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: object) => `${part({ alg: 'RS256' })}.${part(claims)}.c2lnbmF0dXJl`;

const { folder, remove } = home();
let service: Served;
let files: Release;

beforeAll(async () => {
  [service, files] = await Promise.all([serve(folder, ['--ephemeral']), release()]);
});
afterAll(async () => {
  files.close();
  expect(await service.stop()).toBe(0);
  remove();
});

/** A machine, and a repository that contains these files only. */
function place(name: string, content: Readonly<Record<string, string>> = {}, env: Place['env'] = {}): Place {
  const [machine, repository] = [join(folder, name), join(folder, `${name}.git`)];
  for (const one of [machine, repository]) mkdirSync(one);
  write(repository, content);
  const git = (...argv: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=me', '-c', 'user.email=me@example.com', ...argv], { cwd: repository });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '-m', 'x');
  return { machine, repository, env };
}

const events = (name: string) => ({
  'events.ndjson': JSON.stringify([{ id: `${name}-1`, interaction_type: 'CI_EXEC', success: true }]),
});

const variables = () => ({
  DTP_BASE_URL: service.address,
  DTP_API_KEY: service.key,
  DTP_WORKSPACE_ID: service.workspace_id,
});

/** The variables and secrets of the repository, and what GitHub knows about the action. */
const known = () => ({
  vars: { ...variables(), DTP_VERSION: version, DTP_SHA256: files.digest, DTP_RELEASE_URL: files.address },
  secrets: { DTP_API_KEY: service.key },
  github: { server_url: files.address, action_repository: 'OWNER/dtp' },
});

const succeeded = (steps: readonly RanStep[]) => {
  for (const { line, code, log } of steps) expect(code, `${line}\n${log}`).toBe(0);
  return steps.map(({ log }) => log).join('');
};

const idsOf = async () => {
  const { stdout } = await dtp(folder, ['events', 'search'], { env: variables() });
  return JSON.parse(stdout).map(({ id }: { id: string }) => id);
};

/** Asks the service whether the owner is linked. */
const isLinked = async (owner: string) =>
  (await dtp(folder, ['codehost', 'access', 'check', '--org', owner, '--repo', 'sdk'], { env: variables() })).code ===
  0;

const recordsIn = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));

test('every block with a CI job is run here', () => {
  const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];
  const all = pages.filter((name) => name.endsWith('.md')).flatMap((name) => blocksOf(read(name)));
  expect(all).toEqual([inReadme, github, gitlab, shell, ...waiting]);
  expect(all.filter((text) => text.includes(`${version}`))).toHaveLength(3);
});

test('the job of the README, in an empty repository', async () => {
  const { ran, read: file } = await runWorkflow(inReadme, place('readme'), known());
  const log = succeeded(ran);
  expect(ran).toHaveLength(2);
  expect(files.asked).toContain(`/OWNER/dtp/releases/download/v${version}/dtp-${version}-linux-x64.tar.gz`);
  expect(commandsIn(log)).toEqual([]);
  expect(parsedSummary(file('GITHUB_STEP_SUMMARY')).rows).toEqual([
    ['✔ dtp events post', '`events`', '`1 delivered`', ''],
  ]);
  expect(file('GITHUB_OUTPUT')).toBe('');
});

test('the job for GitHub Actions', async () => {
  const token = jwt({ repository_owner: 'octo' });
  const endpoint = http.createServer((request, response) => {
    const isJob = request.headers.authorization === 'Bearer of-the-job';
    response.writeHead(isJob ? 200 : 401).end(JSON.stringify(isJob ? { value: token } : {}));
  });
  const address = await listening(endpoint, () => endpoint.closeAllConnections());
  // A job gets a token only if it asks for the permission.
  expect(parse(github).jobs.events.permissions['id-token']).toBe('write');
  const env = {
    GITHUB_REPOSITORY_OWNER: 'octo',
    ACTIONS_ID_TOKEN_REQUEST_URL: `http://${address}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
  };
  expect(await isLinked('octo')).toBe(false);
  const { ran, cwd } = await runWorkflow(github, place('github', events('github'), env), known());
  const log = succeeded(ran);
  expect(ran).toHaveLength(5);
  // Only masking commands: no warning, no error.
  expect(commandsIn(log).map(({ name }) => name)).toEqual(['add-mask']);
  expect(log.replace(`::add-mask::${token}`, '')).not.toContain(token);
  expect(await isLinked('octo')).toBe(true);
  expect(recordsIn(join(cwd, 'dtp.ndjson'))).toMatchObject([
    { command: 'doctor', exit_code: 0 },
    { command: 'events post', operation: 'postWorkspaceEvents', exit_code: 0, code: 'ok' },
    { command: 'auth oidc-token', exit_code: 0, status: 200 },
    // First it asks which workspace the key belongs to.
    { command: 'codehost access link', exit_code: 0, attempts: 2 },
  ]);
});

/** The job for GitLab, with the values that stand for the reader's. */
const gitlabJob = () => gitlab.replace('DIGEST', files.digest).replace(/https:\/\/HOST\S+/, files.address);

test('the job for GitLab', async () => {
  const [variable = ''] = Object.keys(parse(gitlab).events.id_tokens);
  const env = {
    ...variables(),
    CI_PROJECT_ROOT_NAMESPACE: 'group',
    [variable]: jwt({ namespace_path: 'group/tools' }),
  };
  const ran = await runGitlabJob(gitlabJob(), place('gitlab', events('gitlab'), env));
  succeeded([ran]);
  expect(await isLinked('group')).toBe(true);
  const records = recordsIn(join(ran.cwd, 'dtp.ndjson'));
  expect(records.map(({ command }) => command)).toEqual(['events post', 'auth oidc-token', 'codehost access link']);
  expect(parse(gitlab).events.artifacts.paths).toEqual(['dtp.ndjson']);
});

/** Runs the lines for other systems. */
async function runShell(name: string, more: Place['env'] = {}): Promise<RanStep> {
  const { machine, repository } = place(name, events(name));
  const env = { ...known().vars, ...variables(), HOME: machine, PATH: folderOfPrograms(machine), CI: '1', ...more };
  return runIn(repository, env, ['sh', '-c', shell]);
}

test('the lines for other systems', async () => {
  succeeded([await runShell('shell')]);
});

test('the events of all three arrive, and an outage does not break the build', async () => {
  expect(await idsOf()).toEqual(expect.arrayContaining(['github-1', 'gitlab-1', 'shell-1']));
  const { code, log } = await runShell('outage', { DTP_BASE_URL: 'http://127.0.0.1:1', DTP_TIMEOUT: '2s' });
  expect([code, log]).toEqual([0, expect.stringContaining('THE COMMAND FAILED with 75 (kept)')]);
});

test('another archive is not unpacked, and the job fails', async () => {
  files.damage(Buffer.from('x'));
  try {
    const steps = await Promise.all([
      runWorkflow(inReadme, place('damaged-readme'), known()).then(({ ran }) => ran.at(-1)),
      runGitlabJob(gitlabJob(), place('damaged-gitlab', events('x'), variables())),
      runShell('damaged-shell'),
    ]);
    expect(steps.map((step) => step?.code)).toEqual([1, 1, 1]);
    expect(steps.map((step) => step?.log).join('')).not.toContain('tar:');
    expect(readdirSync(join(folder, 'damaged-readme/temp')).filter((name) => name.startsWith('dtp'))).toEqual([]);
  } finally {
    files.damage(undefined);
  }
});

test.each([
  ['.github/workflows/ci.yml', 'GitHub Actions'],
  ['.gitlab-ci.yml', 'GitLab CI'],
])('the job that init prints for %s', async (sign, system) => {
  const machine = place(`init ${system}`, {}, { ...variables(), ...known().vars });
  const at = write(join(folder, `user ${system}`), { [sign]: '', '.git/HEAD': '' });
  const argv = ['init', '--base-url', service.address, '--with-token', '--no-event', '--ci', 'print'];
  const { code, stdout, stderr } = await dtp(at, argv, { stdin: service.key });
  expect(code, stderr).toBe(0);
  const { job } = JSON.parse(stdout).ci;
  const before = (await idsOf()).length;
  if (system === 'GitLab CI') succeeded([await runGitlabJob(job, machine)]);
  else expect(succeeded((await runWorkflow(job, machine, known())).ran)).toContain('OK');
  expect((await idsOf()).length).toBe(before + 1);
});

test('the job of the sample, in a repository with the sample', async () => {
  const made = await dtp(folder, ['init', '--sample', 'sample']);
  expect(made.code, made.stderr).toBe(0);
  const names = readdirSync(join(folder, 'sample'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const content = Object.fromEntries(
    names.map((name) => [name.slice(join(folder, 'sample/').length), readFileSync(name, 'utf8')]),
  );
  const job = (content['ci.yml'] ?? '').replace('https://api.example.com', service.address);
  const { ran, read: file } = await runWorkflow(job, place('sample-job', content, { GITHUB_SHA: 'abc123' }), known());
  succeeded(ran);
  expect(parsedSummary(file('GITHUB_STEP_SUMMARY')).rows.map(([command, what]) => [command, what])).toEqual([
    ['✔ dtp artifacts push', '`petstore:abc123`'],
    ['✔ dtp reports upload', '`lint report lint.html`'],
    ['✔ dtp events post', '`events`'],
  ]);
});

test('the record in the README is one that is really written', async () => {
  const shown = JSON.parse(/^```json\n(\{"schema_version.*?)^```/ms.exec(read('docs/scripts-and-ci.md'))?.[1] ?? '');
  const env = { ...variables(), DTP_OUTPUT_FILE: join(folder, 'shown') };
  await dtp(folder, ['ws', 'tokens', 'create', '--name', 'ci'], { env });
  const written = JSON.parse(readFileSync(env.DTP_OUTPUT_FILE, 'utf8'));
  const own = ['started_at', 'duration_ms'];
  for (const name of own) expect(typeof shown[name]).toBe(typeof written[name]);
  expect({ ...shown, started_at: '', duration_ms: 0 }).toEqual({ ...written, started_at: '', duration_ms: 0 });
  expect(Object.keys(shown)).toEqual(Object.keys(written));
});

interface Part {
  readonly env?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly steps?: readonly { readonly run?: string }[];
  readonly script?: readonly string[];
}

test('events that wait are sent by the next job, which gets the folder of the queue', async () => {
  expect(waiting).toHaveLength(2);
  for (const [at, block] of waiting.entries()) {
    const { env = {}, variables: set = {}, steps = [], script = [] } = parse(block) as Part;
    const line = 'dtp events post --body @events.ndjson --allow-failure';
    const lines = steps.length > 0 ? [line, ...steps.flatMap(({ run }) => run ?? [])] : script;
    const state = String(Object.values({ ...env, ...set })[0]);
    let isDown = true;
    const door = http.createServer((request, response) => {
      if (isDown) return void response.writeHead(503).end();
      const { method, url, headers } = request;
      const onward = http.request(new URL(url ?? '', service.address), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onward);
    });
    const base = `http://${await listening(door)}`;
    const job = async (name: string) => {
      const { machine, repository } = place(name, events(name));
      const path = join(machine, state.replace(/^.*\//, ''));
      if (!isDown) cpSync(join(folder, `queue${at}`, 'queue'), path, { recursive: true });
      const known = { ...variables(), DTP_BASE_URL: base, DTP_STATE_DIR: path };
      for (const one of lines) {
        // The test does not wait for a service that is down.
        const words = shellWords(isDown ? `${one.replace('--timeout 2m', '')} --timeout 3s` : one);
        const { code, stderr } = await dtp(machine, words.slice(1), { env: known, cwd: repository });
        expect(code, stderr).toBe(0);
      }
      cpSync(path, join(folder, `queue${at}`, 'queue'), { recursive: true });
    };
    await job(`waits-${at}`);
    expect(await idsOf()).not.toContain(`waits-${at}-1`);
    isDown = false;
    await job(`later-${at}`);
    expect(await idsOf()).toEqual(expect.arrayContaining([`waits-${at}-1`, `later-${at}-1`]));
  }
}, 120_000);

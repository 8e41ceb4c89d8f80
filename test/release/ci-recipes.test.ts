/** The CI jobs of the documents: their YAML is parsed, and their lines with dtp are run as a runner would run them. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { dtp, home, type Served, serve } from '../support/process.ts';
import { commandsIn } from '../support/runner.ts';
import { listening } from '../support/sockets.ts';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/scripts-and-ci.md'), 'utf8');
const section = page.slice(page.indexOf('\n## In CI\n'));
const blocks = [...section.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text]) => parse(text ?? ''));
const [github, gitlab] = blocks;

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: object) => `${part({ alg: 'RS256' })}.${part(claims)}.c2lnbmF0dXJl`;

const { folder, remove } = home();
let service: Served;

beforeAll(async () => {
  service = await serve(folder, ['--ephemeral']);
  mkdirSync(join(folder, 'bin'));
  const shim = join(folder, 'bin', 'dtp');
  writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin/dtp.cjs')}' "$@"\n`);
  chmodSync(shim, 0o755);
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  remove();
});

/** The lines of a job that call dtp. */
const calling = (lines: readonly string[]) => lines.filter((line) => /(^|\s)dtp\s/.test(line));

/** A checkout of a repository with events in it, without this machine's environment except the PATH. */
function checkout(name: string, env: Readonly<Record<string, string>>) {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  const events = [{ id: `${name}-1`, interaction_type: 'CI_EXEC', success: true }];
  writeFileSync(join(cwd, 'events.ndjson'), JSON.stringify(events));
  const whole: Record<string, string> = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: cwd,
    CI: 'true',
    ...env,
  };
  return {
    run: (line: string, options: readonly string[]) =>
      new Promise<{ code: number | null; log: string }>((done) => {
        const child = spawn('bash', [...options, '-c', line], { cwd, env: whole });
        let log = '';
        for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk));
        child.stdin.end();
        child.on('close', (code) => done({ code, log }));
      }),
    records: () =>
      readFileSync(join(cwd, whole.DTP_OUTPUT_FILE ?? ''), 'utf8')
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text)),
  };
}

const variables = () => ({
  DTP_BASE_URL: service.address,
  DTP_API_KEY: service.key,
  DTP_WORKSPACE_ID: service.workspace_id,
});

/** Asks the service whether the owner is linked. */
const isLinked = async (owner: string) =>
  (await dtp(folder, ['codehost', 'access', 'check', '--org', owner, '--repo', 'sdk'], { env: variables() })).code ===
  0;

test('there are two jobs', () => {
  expect(blocks).toHaveLength(2);
  expect(Object.keys(github)).toEqual(['on', 'jobs']);
  expect(gitlab.events.script).toBeInstanceOf(Array);
});

test('the job for GitHub Actions', async () => {
  const token = jwt({ repository_owner: 'octo' });
  const endpoint = http.createServer((request, response) => {
    const isJob = request.headers.authorization === 'Bearer of-the-job';
    response.writeHead(isJob ? 200 : 401).end(JSON.stringify(isJob ? { value: token } : {}));
  });
  const address = await listening(endpoint, () => endpoint.closeAllConnections());
  const job = github.jobs.events;
  // A job gets a token only if it asks for the permission.
  expect(job.permissions['id-token']).toBe('write');
  const known: Readonly<Record<string, string>> = variables();
  const env = Object.fromEntries(
    Object.entries(job.env as Record<string, string>).map(([name, value]) => [
      name,
      value.replace(/\$\{\{ (?:vars|secrets)\.(\w+) \}\}/, (_, variable: string) => known[variable] ?? ''),
    ]),
  );
  const { run, records } = checkout('github', {
    ...env,
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY_OWNER: 'octo',
    ACTIONS_ID_TOKEN_REQUEST_URL: `http://${address}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
  });

  expect(await isLinked('octo')).toBe(false);
  const lines = calling(job.steps.map((step: { run?: string }) => step.run ?? ''));
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    const { code, log } = await run(line, ['-e']);
    expect(code, `${line}\n${log}`).toBe(0);
    // Only masking commands: no warning, no error.
    const commands = commandsIn(log);
    expect(commands.map(({ name }) => name)).toEqual(line.includes('oidc') ? ['add-mask'] : []);
    expect(log.replace(`::add-mask::${token}`, '')).not.toContain(token);
  }
  expect(await isLinked('octo')).toBe(true);
  expect(records()).toMatchObject([
    { command: 'doctor', exit_code: 0 },
    { command: 'events post', operation: 'postWorkspaceEvents', exit_code: 0, code: 'ok' },
    { command: 'auth oidc-token', exit_code: 0, status: 200 },
    // First it asks which workspace the key belongs to.
    { command: 'codehost access link', exit_code: 0, attempts: 1 },
  ]);
});

test('the job for GitLab', async () => {
  const job = gitlab.events;
  const [variable = ''] = Object.keys(job.id_tokens);
  const { run, records } = checkout('gitlab', {
    ...variables(),
    ...job.variables,
    GITLAB_CI: 'true',
    CI_PROJECT_ROOT_NAMESPACE: 'group',
    [variable]: jwt({ namespace_path: 'group/tools' }),
  });
  const lines = calling(job.script);
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    const { code, log } = await run(line, ['-eo', 'pipefail']);
    expect([code, commandsIn(log)], `${line}\n${log}`).toEqual([0, []]);
  }
  expect(await isLinked('group')).toBe(true);
  expect(records().map(({ command }) => command)).toEqual(['events post', 'auth oidc-token', 'codehost access link']);
  expect(job.artifacts.paths).toEqual([job.variables.DTP_OUTPUT_FILE]);
});

test("both jobs' events arrive, and an outage does not break the build", async () => {
  const { stdout } = await dtp(folder, ['events', 'search'], { env: variables() });
  const ids = JSON.parse(stdout).map(({ id }: { id: string }) => id);
  expect(ids.sort()).toEqual(['github-1', 'gitlab-1']);
  const post = calling(gitlab.events.script)[0] ?? '';
  const { run, records } = checkout('outage', {
    ...variables(),
    ...{ DTP_BASE_URL: 'http://127.0.0.1:1', DTP_OUTPUT_FILE: 'dtp.ndjson', DTP_TIMEOUT: '2s' },
  });
  const { code, log } = await run(post, ['-eo', 'pipefail']);
  expect([code, log]).toEqual([0, expect.stringContaining('THE COMMAND FAILED with 75 (kept)')]);
  expect(records()).toMatchObject([{ exit_code: 0, code: 'kept', allowed_failure: true }]);
});

test('the record in the README is one that is really written', async () => {
  const shown = JSON.parse(/^```json\n(.*?)^```/ms.exec(section)?.[1] ?? '');
  const env = { ...variables(), DTP_OUTPUT_FILE: join(folder, 'shown') };
  await dtp(folder, ['ws', 'tokens', 'create', '--name', 'ci'], { env });
  const written = JSON.parse(readFileSync(env.DTP_OUTPUT_FILE, 'utf8'));
  const own = ['started_at', 'duration_ms'];
  for (const name of own) expect(typeof shown[name]).toBe(typeof written[name]);
  expect({ ...shown, started_at: '', duration_ms: 0 }).toEqual({
    ...written,
    started_at: '',
    duration_ms: 0,
  });
  expect(Object.keys(shown)).toEqual(Object.keys(written));
});

/** --dry-run, prompts, completions and agents only use the selected workspace. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/context.ts';
import { connectMcp } from '../support/mcp.ts';
import { hasScript, terminal } from '../support/terminal.ts';
import {
  homeWithDocument,
  push,
  refusal,
  slugs,
  twoWorkspaces,
  validateRequestLine,
} from '../support/two-workspaces.ts';

describe('--dry-run and --curl', () => {
  const archive = ['artifacts', 'namespaces', 'archive', 'pets'];
  test.each([
    [[...archive, '--dry-run'], '"method"'],
    [[...archive, '--curl'], 'curl'],
    [[...push, ...slugs, '--dry-run'], '"digest"'],
    [['artifacts', 'pull', 'acme/slug-of-w_2/pets', '--dry-run'], '"method"'],
  ])('%j says what was not checked, and rejects what is known to be wrong', async (argv, part) => {
    const service = await twoWorkspaces();
    const home = homeWithDocument();
    const run = () => service.run([...argv, '-w', 'w_2'], { home, cwd: home });
    const first = await run();
    expect([first.code, first.stdout], first.stderr).toEqual([0, expect.stringContaining(part)]);
    expect(first.stderr).toContain('no request was sent to check that the credential belongs to workspace "w_2"');
    expect(service.asked).toEqual([]);
    await service.run(['ws', 'current', '-w', 'w_2'], { home });
    service.reset();
    const second = await run();
    expect([second.code, second.stdout, service.asked]).toEqual([2, '', []]);
    expect(second.stderr).toContain(refusal);
  });

  test('credential_command is not run', async () => {
    const service = await twoWorkspaces();
    const home = temporaryFolder();
    const env = { DTP_API_KEY: '' };
    await service.run(['config', 'set', 'base_url', service.address], { home, env });
    await service.run(['config', 'set', 'credential_command', 'vault read'], { home, env });
    const exec = () => Promise.reject(new Error('it is run'));
    const ended = await service.run(['ws', 'current', '-w', 'w_2', '--dry-run'], { home, env, exec });
    expect([ended.code, service.asked], ended.stderr).toEqual([0, []]);
  });
});

describe('prompts and completions', () => {
  /** Sends Ctrl-C if the prompt appears. */
  const onTerminal = (address: string, home: string, line: string, question: string) =>
    terminal(home, line, {
      env: { DTP_BASE_URL: address, DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_2' },
      typed: [[question, '\u0003']],
    });

  test.skipIf(!hasScript).each([
    ['artifacts namespaces archive pets', '(y/N)'],
    ['orgs add-ons delete webhooks', 'to confirm'],
    ['artifacts namespaces archive', 'Which namespace?'],
  ])('%s is rejected before any prompt', async (line, question) => {
    const service = await twoWorkspaces(() => [200, '{"items":[{"name":"pets"}]}']);
    const { code, screen } = await onTerminal(service.address, temporaryFolder(), line, question);
    expect([code, service.asked], screen).toEqual([2, [validateRequestLine]]);
    expect(screen).not.toContain(question);
  });

  test('completions offer nothing of another workspace, but all workspaces', async () => {
    const rows = '[{"id":"w_1","name":"Pets"},{"id":"w_2","name":"Shop"}]';
    const service = await twoWorkspaces((line) => [
      200,
      line.endsWith('/workspaces') ? rows : '{"items":[{"name":"pets"}]}',
    ]);
    const home = temporaryFolder();
    const press = (kind: string, ...more: string[]) =>
      service.run(['__complete', ...more, kind, 'pets', '--fresh'], { home });
    for (const kind of ['namespaces', 'tags', 'targets', 'publishing-tokens'])
      expect(await press(kind, '-w', 'w_2')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(service.asked).toEqual([validateRequestLine]);
    expect((await press('namespaces', '-w', 'w_1')).stdout).toBe('pets\t\n');
    expect((await press('workspaces', '-w', 'w_')).stdout).toBe('Pets\tw_1\nShop\tw_2\nw_1\tPets\nw_2\tShop\n');
  });
});

test('tool calls of an agent are rejected by the workspace in each call', async () => {
  const service = await twoWorkspaces(() => [200, '{"items":[]}']);
  const home = temporaryFolder();
  const work = join(home, 'work');
  mkdirSync(work);
  const env = { DTP_BASE_URL: service.address, DTP_API_KEY: 'k-1' };
  const server = await connectMcp(home, ['mcp', '--allow-writes'], { env, cwd: work });
  onTestFinished(server.close);
  const name = (workspace: string) => writeFileSync(join(work, '.dtp.json'), JSON.stringify({ workspace }));
  name('w_2');
  expect((await server.call('ws_get', {})).isError).toBe(false);
  const refused = await server.call('artifacts_namespaces_archive', {
    namespace_name: 'pets',
    confirm: 'pets',
  });
  expect([refused.isError, refused.value.code]).toEqual([true, 'usage']);
  expect(refused.value.message).toContain('belongs to workspace "w_1", but');
  expect(service.asked).toEqual(['GET /v1/workspace/w_2', validateRequestLine]);
  const repository = { org: 'acme', repo: 'pets' };
  for (const [tool, inputs] of [
    ['codehost_access_check', repository],
    ['codehost_configure_target', { org: 'acme', repo_name: 'pets' }],
    ['reports_upload', { file: { text: '<p>report</p>' }, type: 'linting' }],
    ['reports_linting_url', { documentChecksum: 'd41d8cd98f00b204e9800998ecf8427e' }],
    ['code_samples_jobs_get', { jobID: 'job_77d0' }],
  ] as const)
    expect([tool, (await server.call(tool, inputs)).value.code]).toEqual([tool, 'usage']);
  expect((await server.call('orgs_list', {})).isError).toBe(false);
  expect(service.asked.slice(2)).toEqual(['GET /v1/organizations']);
  name('w_1');
  service.reset();
  expect((await server.call('artifacts_namespaces_list', {})).isError).toBe(false);
  expect((await server.call('ws_get', { workspace_id: 'w_2' })).isError).toBe(false);
  expect(service.asked).toEqual(['GET /v1/artifacts/namespaces', 'GET /v1/workspace/w_2']);
  expect(existsSync(join(home, 'state/workspaces'))).toBe(true);
});

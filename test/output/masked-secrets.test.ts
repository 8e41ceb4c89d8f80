/** In GitHub Actions, the runner is made to mask every secret of a response, before the response is written. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { openSend as openReal } from '../../src/transport/send.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { served } from '../support/embedded-service.ts';
import { service } from '../support/function-service.ts';
import { commandsIn } from '../support/runner.ts';
import { firstRows } from '../support/wire-subjects.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
const inGitHub = { ...env, GITHUB_ACTIONS: 'true' };
const secret = 'value%of-a-new-key';

/** The secrets that stderr makes a runner mask. */
const maskedIn = (stderr: string) =>
  commandsIn(stderr).flatMap(({ name, message }) => (name === 'add-mask' ? [message] : []));

/** Adds a secret to a response, or to each of its records. The short one can be an ordinary word. */
function withSecret(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSecret);
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, ...{ auth_token: secret, token: 'short', next_page_token: '' }, more: [{ key: [secret] }] };
}

/** Runs a command against a service with this response. */
function run(argv: readonly string[], body: unknown, more: { files?: Readonly<Record<string, string>>; env?: object }) {
  const home = temporaryFolder();
  for (const [name, text] of Object.entries(more.files ?? {})) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const { openSend } = service(() => [200, body]);
  return dtp([...argv, '--yes'], { home, own: 'w_1', openSend, env: { ...inGitHub, ...more.env } });
}

const records = firstRows.filter(
  ({ id, reply: [, text = ''] }) =>
    /^(record|list)$/.test(operations[id as keyof typeof operations].result) && /\{/.test(String(text)),
);

test('almost every operation with a record or a list is in the table', () => {
  expect(records.length).toBeGreaterThan(35);
});

test.each(records.map(({ id, argv, files, reply }) => [id, argv, files, JSON.parse(String(reply[1]))] as const))(
  '%s',
  async (_, argv, files, body) => {
    const line = argv.filter((word) => word !== '--yes');
    const [there, elsewhere] = await Promise.all([
      run(line, withSecret(body), { ...(files && { files }) }),
      run(line, withSecret(body), { ...(files && { files }), env: { GITHUB_ACTIONS: '' } }),
    ]);
    expect([there.code, maskedIn(there.stderr)]).toEqual([0, [secret]]);
    expect(maskedIn(elsewhere.stderr)).toEqual([]);
    expect(there.stdout).toBe(elsewhere.stdout);
  },
);

test.each([
  ['one field', ['--query', '[0].key', '-r']],
  ['names only', ['-o', 'name']],
  ['a file', ['-O', 'tokens.json']],
])('of a list that shows %s', async (_, flags) => {
  const { code, stderr } = await run(['ws', 'tokens', 'list', ...flags], [{ id: 't_1', key: secret }], {});
  expect([code, maskedIn(stderr)]).toEqual([0, [secret]]);
});

test.each([
  ['JSON', { key: secret }, [secret]],
  ['a string', secret, []],
  ['bytes', Buffer.from([0, 255]), []],
])('of dtp api, whose response is %s', async (_, body, masked) => {
  expect(maskedIn((await run(['api', '/v1/x'], body, {})).stderr)).toEqual(masked);
});

describe('what the embedded service creates', () => {
  test.each([
    ['ws tokens create --name ci -o json --query key -r'],
    [
      'publishing-tokens create --name ci --lock-id sdk-ts --target-resource r --valid-until 2030-01-01T00:00:00Z -o json --query token -r',
    ],
  ])('dtp %s', async (line) => {
    const { address, key, workspaceId, close } = await served();
    const settings = { DTP_BASE_URL: address, DTP_API_KEY: key, DTP_WORKSPACE_ID: workspaceId, GITHUB_ACTIONS: 'true' };
    const { code, stdout, stderr } = await dtp([...line.split(' '), '--yes'], {
      env: settings,
      openSend: async (options) => openReal(options),
    });
    await close();
    expect([code, maskedIn(stderr)], stderr).toEqual([0, expect.arrayContaining([stdout.trim()])]);
    expect(stdout.length).toBeGreaterThan(10);
  });
});

/** Errors for a missing or rejected credential name its source and how to fix it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const base = 'https://api.example.test';

interface Case {
  readonly argv?: readonly string[];
  readonly stored?: object;
  readonly current?: string;
  readonly env?: Record<string, string>;
  /** The response to a request for the token of a namespace. Everything else gets a 401. */
  readonly preflight?: object;
  readonly stdin?: string;
}

/** The hint and the suggested commands of a command that exits with 4. */
async function told({ argv = ['ws', 'list'], stored, current = 'staging', env = {}, preflight, stdin }: Case) {
  const home = temporaryFolder();
  if (stored) {
    mkdirSync(join(home, 'config'), { mode: 0o700 });
    const profiles = { default: {}, [current]: { base_url: base, ...stored } };
    writeFileSync(join(home, 'config', 'config.json'), JSON.stringify({ current, profiles }), {
      mode: 0o600,
    });
  }
  const { openSend } = service(({ url }) =>
    preflight && url.endsWith('/preflight') ? [200, preflight] : [401, { message: 'no' }],
  );
  const world: World = {
    home,
    openSend,
    exec: async () => 'a-key-of-a-vault',
    env: { DTP_BASE_URL: base, ...env },
    ...(stdin !== undefined && { stdin }),
  };
  const ended = await dtp([...argv, '-o', 'json'], world);
  expect(ended.code, ended.stderr).toBe(4);
  const { hint, next = [] } = JSON.parse(ended.stderr.trimEnd().split('\n').at(-1) ?? '').error;
  return [hint, ...next.map((one: { command: string }) => one.command)];
}

const key = { credential: 'k-1', credential_origin: base };
const fromProfile = 'The credential came from profile staging.';

describe('a 401', () => {
  test.each<[source: string, given: Case, told: readonly string[]]>([
    [
      'a variable',
      { env: { DTP_API_KEY: 'k-1' } },
      ['The credential came from DTP_API_KEY (profile default). Set DTP_API_KEY to a valid credential.'],
    ],
    [
      'a variable, with a login as well',
      { env: { DTP_TOKEN: 'k-1' }, stored: key },
      ['The credential came from DTP_TOKEN (profile staging). Set DTP_TOKEN to a valid credential.'],
    ],
    [
      'a variable, in CI',
      { env: { DTP_API_KEY: 'k-1', CI: 'true' } },
      ['The credential came from DTP_API_KEY (profile default). Set DTP_API_KEY to a valid credential.'],
    ],
    [
      'a login',
      { stored: key },
      [`${fromProfile} Get a new one, then run:`, `dtp auth login --base-url ${base} --profile staging`],
    ],
    [
      'a login to the default profile',
      { stored: key, current: 'default' },
      ['The credential came from profile default. Get a new one, then run:', `dtp auth login --base-url ${base}`],
    ],
    ['a login, in CI', { stored: key, env: { CI: 'true' } }, [`${fromProfile} In CI, set DTP_API_KEY instead.`]],
    [
      'a login by a bearer, in CI',
      { stored: { ...key, scheme: 'bearer' }, env: { CI: '1' } },
      [`${fromProfile} In CI, set DTP_TOKEN instead.`],
    ],
    [
      'a command',
      { stored: { credential_command: 'vault read key' } },
      [
        'The credential came from the credential_command of profile staging. Check the output of that command:',
        'dtp config get credential_command --profile staging',
      ],
    ],
    [
      'your input',
      { argv: ['auth', 'login', '--base-url', base, '--with-token'], stdin: 'k-1' },
      [
        'The credential came from your input (profile default). Get a new one, then run:',
        `dtp auth login --base-url ${base}`,
      ],
    ],
    [
      'a command without a credential',
      { argv: ['auth', 'token', '-w', 'w_1'], env: { DTP_API_KEY: 'k-1' } },
      ['This command sends no credential. Check the workspace id.'],
    ],
    ...['target', 'metadata'].map((verb): [string, Case, readonly string[]] => [
      `publishing-tokens ${verb}`,
      { argv: ['publishing-tokens', verb, 'p_9'], env: { DTP_API_KEY: 'k-1' } },
      [
        'Either the publishing token p_9 has expired, or the credential from DTP_API_KEY (profile default) is not valid. Check both:',
        'dtp publishing-tokens get p_9',
        'dtp auth status',
      ],
    ]),
    // The registry rejects the token of a namespace, or preflight rejects the credential.
    ...[
      ['artifacts', 'manifests', 'get', 'pets', 'v1', '--organization-slug', 'a', '--workspace-slug', 'b'],
      ['artifacts', 'pull', 'a/b/pets:v1', '-O', 'out'],
    ].flatMap((argv): [string, Case, readonly string[]][] => [
      [
        `${argv[1]}: the token of a namespace`,
        { argv, env: { DTP_API_KEY: 'k-1' }, preflight: { auth_token: 't-1' } },
        [
          'The service rejected the registry token. Check the credential with which the token was requested:',
          'dtp auth status',
        ],
      ],
      [
        `${argv[1]}: the credential that asks for one`,
        { argv, env: { DTP_API_KEY: 'k-1' } },
        ['The credential came from DTP_API_KEY (profile default). Set DTP_API_KEY to a valid credential.'],
      ],
    ]),
  ])('%s', async (_, given, expected) => {
    expect(await told(given)).toEqual(expected);
  });
});

describe('no credential', () => {
  test.each<[where: string, given: Case, told: readonly string[]]>([
    ['on a machine', {}, ['Log in, or set DTP_API_KEY.', `dtp auth login --base-url ${base}`]],
    [
      'in a named profile',
      { stored: {} },
      ['Log in, or set DTP_API_KEY.', `dtp auth login --base-url ${base} --profile staging`],
    ],
    ['in CI', { env: { CI: 'true' } }, ['Set DTP_API_KEY.']],
    ['in CI, by a bearer', { stored: { scheme: 'bearer' }, env: { CI: 'true' } }, ['Set DTP_TOKEN.']],
    [
      'with the built-in profile, which cannot store one',
      { env: { DTP_PROFILE: 'local' } },
      ['Log in, or set DTP_API_KEY.', `dtp auth login --base-url ${base}`],
    ],
  ])('%s', async (_, given, expected) => {
    expect(await told(given)).toEqual(expected);
  });
});

/** A namespace with a tag or a digest is sent as it is. If the service refuses it, the error names the namespace. */
import { expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { resourceFor } from '../../src/operations/resources.ts';
import { argumentsOf } from '../../src/tree/operation-flags.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };

const lines = [
  'artifacts tags list PETS',
  'artifacts revisions list PETS',
  'artifacts namespaces archive PETS',
  'artifacts namespaces set-visibility PETS --no-public',
  'artifacts tags add PETS --revision v2 --tag new',
  'artifacts manifests get PETS v2',
  'artifacts remote-sources list --namespace PETS',
  'artifacts preflight --namespace PETS',
  'subscriptions ignore sub_1 PETS',
  'subscriptions activate sub_1 PETS',
];

test('every command with a namespace and no revision in one word is here', () => {
  const taking = Object.values(operations)
    .filter((one) => argumentsOf(one).some(([name]) => resourceFor(one, name)?.kind === 'namespaces'))
    .map(({ command }) => command.join(' '));
  const others = ['artifacts blobs get', 'suggest registry'];
  const missing = taking.filter((words) => !lines.some((line) => line.startsWith(`${words} `)));
  expect(missing.sort()).toEqual(others.sort());
});

const cases = lines.flatMap((line) =>
  [':v1', '@sha256:abcdef'].flatMap((more) => [404, 422].map((status) => [line, more, status] as const)),
);

test.each(cases)('%s with %s, and a %i', async (line, more, status) => {
  const { openSend } = service(({ url }) =>
    url.endsWith('/preflight') && !line.includes('preflight')
      ? [200, { auth_token: 't-1' }]
      : [status, { message: 'x' }],
  );
  const words = line.replace('PETS', `pets${more}`).split(' ');
  const slugs = { DTP_ORGANIZATION_SLUG: 'acme', DTP_WORKSPACE_SLUG: 'main' };
  const world = { home: temporaryFolder(), own: 'w_1', openSend, env: { ...env, ...slugs } };
  const ended = await dtp([...words, '--yes', '-o', 'json'], world);
  expect(ended.code, ended.stderr).toBe(status === 404 ? 6 : 7);
  const { hint, next } = JSON.parse(ended.stderr.trimEnd().split('\n').at(-1) ?? '').error;
  expect(hint).toContain(`"pets${more}" is a revision. This command takes only its namespace:`);
  expect(next[0].command).toContain(`dtp ${line.split(' ').slice(0, 2).join(' ')}`);
  expect(next[0].command).toMatch(/ pets( |$)/);
});

/** What makes something public needs a confirmation, decided by the value that is sent. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { confirm } from '../../src/commands/confirm.ts';
import type { Invocation } from '../../src/invocation/invocation.ts';
import { checkConfirmed } from '../../src/mcp/arguments.ts';
import { operations } from '../../src/operations/index.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const env = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
  NO_COLOR: '1',
};

async function run(argv: readonly string[], world: World = {}) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'api.yaml'), 'openapi: 3.1.0\n');
  const { asked, openSend } = service(() => [200, { id: 's_1' }]);
  const ended = await dtp(argv, { cwd, env, own: 'w_1', openSend, ...world });
  return { ...ended, writes: asked.filter((one) => one.startsWith('POST')) };
}

const visibility = ['artifacts', 'namespaces', 'set-visibility', 'pets'];
const store = ['schema-store', 'create', 'api.yaml', '--package-name', 'p', '--sdk-classname', 'P'];

const published: readonly (readonly string[])[] = [
  ...[
    ['--public'],
    ['-F', 'public=true'],
    ['--body', '{"public":true}'],
    ['--body', '{"public":false}', '--public'],
  ].map((more) => [...visibility, ...more]),
  store,
  ['schema-store', 'create', '--body', '{"spec":"{}","packageName":"p","sdkClassname":"P"}'],
];

describe.each(published.map((line) => ({ line })))('$line', ({ line }) => {
  test('without a terminal it exits with 2, and sends nothing', async () => {
    for (const world of [{}, { tty: true, env: { ...env, CI: 'true' } }]) {
      const { code, stderr, writes } = await run(line, world);
      expect([code, writes]).toEqual([2, []]);
      expect(stderr.replace(/\s+/g, ' ')).toContain('makes something public and needs confirmation; pass --yes');
    }
  });

  test('--yes sends it', async () => {
    const { code, stderr, writes } = await run([...line, '--yes']);
    expect(code, stderr).toBe(0);
    expect(writes).toHaveLength(1);
  });

  test.each(['--dry-run', '--curl', '--skeleton'])('%s sends nothing, and asks nothing', async (flag) => {
    const { code, stderr, writes } = await run([...line, flag]);
    expect(code, stderr).toBe(0);
    expect(writes).toEqual([]);
  });
});

test.each([
  ['--no-public'],
  ['-F', 'public=false'],
  ['--body', '{"public":false}'],
  ['--no-public', '--body', '{"public":true}'],
])('what makes a namespace private runs at once: %s %s', async (...more) => {
  const { code, stderr, writes } = await run([...visibility, ...more]);
  expect(code, stderr).toBe(0);
  expect(writes).toHaveLength(1);
});

test.each([
  [operations.setVisibility, { namespace_name: 'pets', public: true }, /^Make namespace "pets" public\?/],
  [operations.setVisibility, { namespace_name: 'pets', body: { public: true } }, /^Make namespace/],
  [operations.createSchemaStoreItem, { packageName: 'p' }, /^Store the API document of package "p" publicly\?/],
])('a terminal shows a question: %#', async (operation, input, question) => {
  const questions: string[] = [];
  const agrees = async (text: string) => {
    questions.push(text);
    return false;
  };
  const invocation = { globals: {}, openPrompts: () => ({ agrees }) } as unknown as Invocation;
  const find = async () => ({ input, names: {}, host: 'api.example.test' });
  await expect(confirm(invocation, operation, input, find)).rejects.toThrow('cancelled. Nothing was changed');
  expect(questions).toEqual([expect.stringMatching(question)]);
});

describe('a tool call', () => {
  const { setVisibility, createSchemaStoreItem } = operations;
  const item = { spec: 'openapi: 3.1.0\n', packageName: 'p', sdkClassname: 'P', format: 'yaml' };

  test.each([
    [setVisibility, { namespace_name: 'pets', public: true }, 'pets'],
    [setVisibility, { namespace_name: 'pets', body: { public: true } }, 'pets'],
    [createSchemaStoreItem, item, 'openapi: 3.1.0\n, p, P, yaml'],
    [createSchemaStoreItem, { ...item, spec: 'a'.repeat(1000) }, expect.stringMatching(/^sha256:\w{64}, p, P, yaml$/)],
  ])('%# needs confirm', (operation, input, subject) => {
    let hint = '';
    expect(() => {
      try {
        checkConfirmed(operation, input, undefined);
      } catch (error) {
        hint = (error as { facts: { hint: string } }).facts.hint;
        throw error;
      }
    }).toThrow(/makes something public/);
    const confirm = JSON.parse(/set to (".*")\.$/s.exec(hint)?.[1] ?? '');
    expect(confirm).toEqual(subject);
    checkConfirmed(operation, input, confirm);
    expect(() => checkConfirmed(operation, input, 'another')).toThrow('confirm does not match');
  });

  test('a namespace that becomes private needs no confirm', () => {
    checkConfirmed(setVisibility, { namespace_name: 'pets', public: false }, undefined);
  });
});

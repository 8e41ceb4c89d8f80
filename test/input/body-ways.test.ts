/** Every way to pass a body, which ones override others, and --skeleton. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { records } from '../../src/operations/records.ts';
import { argumentsOf, takesBody } from '../../src/tree/operation-flags.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';

const env = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
  DTP_ORGANIZATION_SLUG: 'o',
  DTP_WORKSPACE_SLUG: 'w',
};

async function bodyOf(argv: readonly string[], world: World = {}): Promise<unknown> {
  const ended = await dtp([...argv, '--dry-run', '-o', 'json', '--yes'], {
    ...world,
    own: 'w_1',
    env: { ...env, ...world.env },
  });
  expect(ended.stderr.replace(/^warning: .* is deprecated.*\n/, '')).toBe('');
  return JSON.parse(ended.stdout).body;
}

describe('precedence', () => {
  const create = ['ws', 'tokens', 'create'];
  const all = [
    ['--body', '{"name":"body","alg":"body","email":"body","id":"body","x":1}'],
    ['-F', 'name=field', '-F', 'alg=field', '-F', 'email=field'],
    ['-f', 'name=raw', '-f', 'alg=raw'],
    ['--name', 'flag'],
  ];

  test('a flag overrides -f, which overrides -F, which overrides --body', async () => {
    const expected = { name: 'flag', alg: 'raw', email: 'field', id: 'body', x: 1 };
    expect(await bodyOf([...create, ...all.flat()])).toEqual(expected);
    expect(await bodyOf([...create, ...all.toReversed().flat()])).toEqual(expected);
  });

  test('only -F converts values, and @FILE is the content of a file', async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'a file'), 'é\n');
    const argv = [
      '-F',
      'n=1',
      '-f',
      'm=1',
      '-F',
      'yes=true',
      '-f',
      'no=true',
      '-F',
      'text=@a file',
      '-f',
      'at=@a file',
    ];
    expect(await bodyOf([...create, ...argv], { home })).toEqual({
      n: 1,
      m: '1',
      yes: true,
      no: 'true',
      text: 'é\n',
      at: '@a file',
    });
    expect(await bodyOf([...create, '-F', 'text=@-'], { stdin: 'piped' })).toEqual({ text: 'piped' });
  });

  test('-F and -f also work for body fields, forms and batches', async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'a.html'), 'abc');
    expect(
      await bodyOf(
        [
          'schema-store',
          'create',
          '-F',
          'spec=@a.html',
          '-F',
          'packageName=n',
          '-F',
          'sdkClassname=C',
          '-F',
          'format=yaml',
          '-F',
          'x.y=1',
        ],
        {
          home,
        },
      ),
    ).toMatchObject({
      spec: 'abc',
      x: { y: 1 },
    });
    expect(await bodyOf(['reports', 'upload', '-F', 'data.type=linting', '-F', 'file=@a.html'], { home })).toEqual({
      data: { type: 'linting' },
      file: { file: 'a.html', size: 3 },
    });
    const events = (await bodyOf(['events', 'post', '--no-fill', '-F', 'success=true', '-f', 'id=1'])) as unknown[];
    expect(events).toEqual([{ success: true, id: '1' }]);
  });

  test.each([
    [['-F', 'name'], '-F must be NAME=VALUE'],
    [['-F', 'a=@missing'], '-F: file not found: missing'],
    [['--body', '[1]', '-F', 'a=1'], '-F a: the body is not an object'],
    [['-F', 'a=12345678901234567890'], 'cannot be represented exactly'],
    [['--body', '{"a":[1e400]}'], '1e400 cannot be represented exactly as a number'],
    [['--body', '-', '-F', 'a=@-'], 'standard input was already read for --body'],
  ])('%j is rejected', async (argv, words) => {
    const ended = await dtp([...create, ...argv], { env, stdin: '{}' });
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toContain(words);
  });
});

const withBody = (Object.values(operations) as readonly Operation[]).filter(takesBody);

describe('--skeleton', () => {
  test.each(withBody.map((one) => [one.id, one] as const))('%s takes its own back', async (_, operation) => {
    const home = temporaryFolder();
    // Without a service and without arguments.
    const { code, stdout, stderr } = await dtp([...operation.command, '--skeleton'], { home });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const skeleton = JSON.parse(stdout);
    writeFileSync(join(home, 'FILE'), 'openapi: 3.1.0');
    // Required strings must not be empty, no id is a name to look up, and the file must exist.
    const filled = JSON.parse(stdout.replaceAll(': ""', ': "x_1"'));
    writeFileSync(join(home, 'body.json'), JSON.stringify(filled));
    const query = Object.entries(operation.input).flatMap(([name, field]) =>
      field.required && (field.in === 'query' || field.in === 'header') && field.default === undefined
        ? [`--${field.flag ?? name.replaceAll('_', '-')}`, 'x']
        : [],
    );
    const argv = [...operation.command, ...argumentsOf(operation).map(() => 'id_1'), ...query, '--body', '@body.json'];
    const sent = await bodyOf(operation.id === 'postWorkspaceEvents' ? [...argv, '--no-fill'] : argv, {
      home,
    });
    const isForm = Object.values(operation.input).some((field) => field.in === 'part');
    if (!isForm) expect(sent).toEqual(masked(filled));
    const known = operation.input.body?.record;
    const [one] = Array.isArray(skeleton) ? skeleton : [skeleton];
    if (known !== undefined) expect(Object.keys(one)).toEqual(Object.keys(records[known] ?? {}));
  });

  /** The body that `--dry-run` shows. */
  const masked = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (name, inner) =>
        /(token|key|webhook_url)$/i.test(name) && typeof inner === 'string' ? '***' : inner,
      ),
    );

  test('is YAML if requested, and can write a file', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'x'));
    const ended = await dtp(['artifacts', 'tags', 'add', '--skeleton', '-o', 'yaml'], { home });
    expect(parse(ended.stdout)).toEqual({ revision_digest: '', tags: [''] });
    expect((await dtp(['artifacts', 'tags', 'add', '--skeleton', '-O', 'x/body.json'], { home })).code).toBe(0);
    expect(await bodyOf(['artifacts', 'tags', 'add', 'ns', '--body', '@x/body.json'], { home, cwd: home })).toEqual({
      revision_digest: '',
      tags: [''],
    });
  });
});

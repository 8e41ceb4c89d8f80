/** Files that a document refers to: harmless ones are sent, others only with `--include`, and all are listed first. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { DtpError } from '../../../src/errors.ts';
import { openRoots } from '../../../src/mcp/roots.ts';
import { openSend } from '../../../src/transport/send.ts';
import { document, dryPush as dry, registry, write } from '../../support/artifacts.ts';
import { dtp, temporaryFolder } from '../../support/context.ts';
import { documentEnv, everyWay } from '../../support/sent-documents.ts';

/** A cloned repository with the user's own git-ignored files in it. */
function repository(reference: string): string {
  const folder = write(temporaryFolder(), {
    'd/openapi.json': document(reference),
    'd/.env': 'TOKEN=canary',
    'd/.config/a.yaml': 'a: canary',
    'd/id_rsa': 'canary',
    'd/notes.txt': 'canary',
    'd/note.md': 'text',
    'outside.yaml': 'a: canary',
  });
  mkdirSync(join(folder, 'd', 'links'));
  const link = (name: string, to: string) => symlinkSync(to, join(folder, 'd', 'links', name));
  link('env.yaml', '../.env');
  link('config', '../.config');
  link('key.md', '../id_rsa');
  link('out.yaml', '../../outside.yaml');
  return folder;
}

/** For each reference: why it is refused, and what to include. */
const refused: readonly (readonly [reference: string, why: RegExp, include: string])[] = [
  ['.env', /refers to .env, which is hidden/, 'd/.env'],
  ['./%2eenv', /which is hidden/, 'd/.env'],
  ['.config/a.yaml#/a', /which is hidden/, 'd/.config/a.yaml'],
  ['links/env.yaml', /refers to links\/env.yaml, which is a link to .env, which is hidden/, 'd/.env'],
  ['links/config/a.yaml', /which is a link to .config\/a.yaml, which is hidden/, 'd/.config/a.yaml'],
  ['id_rsa', /which is not a JSON, YAML or Markdown file/, 'd/id_rsa'],
  ['notes.txt', /which is not a JSON, YAML or Markdown file/, 'd/notes.txt'],
  ['links/key.md', /which is a link to id_rsa, which is not a JSON, YAML or Markdown file/, 'd/id_rsa'],
];

describe.each(refused)('a reference to %s', (reference, why, include) => {
  test('is not pushed', async () => {
    const cwd = repository(reference);
    const { code, stdout, stderr } = await dry(cwd, ['d/openapi.json']);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(why)]);
    expect(stderr).toContain(`To send it anyway, add: --include ${include}`);
  });

  test('is pushed if --include names it or its folder', async () => {
    const cwd = repository(reference);
    for (const path of include.endsWith('a.yaml') ? [include, 'd/.config'] : [include]) {
      const { code, stdout, stderr } = await dry(cwd, ['d/openapi.json', '--include', path]);
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout).files).toHaveLength(2);
    }
    const other = await dry(cwd, ['d/openapi.json', '--include', 'd/note.md']);
    expect([other.code, other.stderr]).toEqual([2, expect.stringMatching(why)]);
  });

  test.each(everyWay)('is not sent by %s', async (_, way) => {
    const cwd = repository(reference);
    const { code, stdout, stderr } = await dtp(way('d/openapi.json'), { cwd, env: documentEnv });
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(why)]);
  });

  test('is not sent by an MCP tool', async () => {
    const cwd = repository(reference);
    const context = { cwd, home: '/', env: {}, signal: new AbortController().signal } as unknown as Context;
    const { file, text } = await openRoots(context, [cwd]);
    for (const read of [file, text])
      await expect(read({ path: 'd/openapi.json' }, 'x', true)).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringMatching(why),
      });
  });
});

test.each<[string, Readonly<Record<string, string>>, readonly [link: string, to: string] | undefined]>([
  ['a reference to it', { 'd/openapi.json': document('.env') }, undefined],
  ['a link to it', { 'd/openapi.json': document() }, ['notes.md', '.env']],
])('a folder is pushed without hidden files even with %s', async (_, files, link) => {
  const cwd = write(temporaryFolder(), { ...files, 'd/.env': 'canary', 'd/any.txt': 'text' });
  if (link) symlinkSync(link[1], join(cwd, 'd', link[0]));
  const { code, stderr } = await dry(cwd, ['d']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('add: --include d/.env')]);
  const allowed = await dry(cwd, ['d', '--include', 'd/.env']);
  const sent = ['.env', 'any.txt', ...(link ? ['notes.md'] : []), 'openapi.json'];
  expect(JSON.parse(allowed.stdout).files).toEqual(sent);
});

test.each([
  ['outside.yaml', "--include: outside.yaml is outside the document's folder"],
  ['d/links/out.yaml', "--include: d/links/out.yaml is outside the document's folder"],
  ['d/none.yaml', '--include: file not found: d/none.yaml'],
])('--include %s is refused', async (path, why) => {
  const cwd = repository('note.md');
  for (const given of ['d/openapi.json', 'd'])
    expect(await dry(cwd, [given, '--include', path])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(why),
    });
});

test.each(['../outside.yaml', 'links/out.yaml'])(
  '%s is outside the folder and cannot be included',
  async (reference) => {
    const { code, stderr } = await dry(repository(reference), ['d/openapi.json', '--include', 'd']);
    expect([code, stderr]).toEqual([2, expect.stringContaining("is outside the document's folder")]);
  },
);

test('every file is named on stderr before anything is sent', async () => {
  const { home, run } = await registry();
  write(home, { 'd/openapi.json': document('note.md', 'b/x.md'), 'd/note.md': '', 'd/b/x.md': '' });
  const argv = ['push', 'd/openapi.json', '--namespace', 'pets'];
  const list = 'pushing 3 files:\n  b/x.md\n  note.md\n  openapi.json\n';
  const { code, stderr } = await run(argv);
  expect([code, stderr]).toEqual([0, list]);
  const broken = await run(argv, {
    openSend: async (options) => {
      const { send, close } = openSend(options);
      const failing: typeof send = (request, more) =>
        request.url.includes('/blobs/')
          ? Promise.reject(new DtpError('forbidden', 'no blob is uploaded'))
          : send(request, more);
      return { send: failing, close };
    },
  });
  expect([broken.code, broken.stderr]).toEqual([5, expect.stringContaining(`${list}error: no blob is uploaded`)]);
});

test('a folder is pushed without packages, and with hidden files that are included by name', async () => {
  const cwd = write(temporaryFolder(), {
    'd/openapi.json': document(),
    'd/a.txt': 'x',
    'd/node_modules/x/package.json': '{}',
    'd/.env': 'x',
  });
  const filesOf = async (...include: readonly string[]) =>
    JSON.parse((await dry(cwd, ['d', ...include.flatMap((one) => ['--include', one])])).stdout).files;
  expect(await filesOf()).toEqual(['a.txt', 'openapi.json']);
  expect(await filesOf('d/.env')).toEqual(['.env', 'a.txt', 'openapi.json']);
});

test.each([
  ['an event', 'id: e-1\n'],
  ['a CI job', 'on: push\n'],
  ['a package', '{"name":"x"}'],
])('%s is not pushed as an API document, unless it is included by name', async (_, text) => {
  const cwd = write(temporaryFolder(), { 'other.yaml': text, 'd/openapi.yaml': text });
  for (const [given, file] of [
    ['other.yaml', 'other.yaml'],
    ['d', 'd/openapi.yaml'],
    [join(cwd, 'd'), 'd/openapi.yaml'],
  ] as const) {
    const { code, stderr } = await dry(cwd, [given]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not an API document')]);
    expect(stderr).toContain(`add: --include ${file}`);
    expect((await dry(cwd, [given, '--include', file])).code).toBe(0);
  }
});

test.each(['openapi', 'swagger', 'asyncapi', 'overlay', 'arazzo'])(
  'a document with the field %s is pushed',
  async (field) => {
    const cwd = write(temporaryFolder(), { 'a.yaml': `${field}: 3.0.0\n` });
    expect((await dry(cwd, ['a.yaml'])).code).toBe(0);
  },
);

test('an empty path is refused', async () => {
  const cwd = write(temporaryFolder(), { 'openapi.json': document() });
  expect(await dry(cwd, [''])).toMatchObject({ code: 2, stderr: expect.stringContaining('is empty') });
});

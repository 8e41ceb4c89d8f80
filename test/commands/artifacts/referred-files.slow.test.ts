/** Which files a document takes along: kinds of references × places of the file × commands, and how they are adjusted. */
import { chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collectFiles } from '../../../src/documents/files.ts';
import { readTree } from '../../../src/documents/read-tree.ts';
import { isIgnored } from '../../../src/files/ignored.ts';
import { dryPush as dry, write } from '../../support/artifacts.ts';
import { dtp, temporaryFolder } from '../../support/context.ts';
import { bundled, ROOT } from '../../support/documents.ts';
import { documentEnv, everyFlag, sentBy } from '../../support/sent-documents.ts';

/**
 * How a document refers to a file. An `object` is merged, a `value` too, but the document can be used without it. A
 * `link` leads to an object that is not merged.
 */
const references: Readonly<Record<string, readonly [kind: 'object' | 'value' | 'link', (path: string) => string]>> = {
  $ref: ['object', (path) => `components: { schemas: { E: { $ref: ${path} } } }`],
  '$ref of a code sample': [
    'object',
    (path) => `paths: { /a: { get: { x-codeSamples: [{ lang: sh, source: { $ref: ${path} } }] } } }`,
  ],
  mapping: ['object', (path) => `components: { schemas: { E: { discriminator: { mapping: { e: ${path} } } } } }`],
  defaultMapping: [
    'object',
    (path) => `components: { schemas: { E: { discriminator: { defaultMapping: ${path} } } } }`,
  ],
  externalValue: ['value', (path) => `components: { examples: { e: { externalValue: ${path} } } }`],
  'externalValue of a parameter': [
    'value',
    (path) => `components: { parameters: { p: { examples: { e: { externalValue: ${path} } } } } }`,
  ],
  'an example with a $ref': ['value', (path) => `components: { examples: { e: { $ref: ${path} } } }`],
  operationRef: ['link', (path) => `components: { links: { l: { operationRef: '${path}#/paths/~1b/get' } } }`],
  $dynamicRef: ['link', (path) => `components: { schemas: { E: { $dynamicRef: '${path}#/e' } } }`],
  'a security scheme': ['link', (path) => `security: [{ '${path}#/components/securitySchemes/k': [] }]`],
};

const mark = 'the-content';

/** The document is in api/v1 of a repository. Only the files in api/v1 and in common may be sent. */
function repository(text: string): string {
  const outer = temporaryFolder();
  const content = `{ title: ${mark} }\n`;
  const cwd = write(join(outer, 'repo'), {
    '.gitignore': '/private/*\n*.local.yaml\n',
    '.git/HEAD': '',
    'api/v1/openapi.yaml': `openapi: 3.2.0\ninfo: { title: T, version: '1' }\n${text}\n`,
    'api/v1/parts/in.yaml': content,
    'api/v1/.env.yaml': content,
    'api/v1/own.local.yaml': content,
    'common/in.yaml': content,
    'common/.hidden/in.yaml': content,
    'private/in.yaml': content,
  });
  write(outer, { 'outside.yaml': content });
  symlinkSync('../../outside.yaml', join(cwd, 'common', 'out.yaml'));
  symlinkSync('../private/in.yaml', join(cwd, 'common', 'ignored.yaml'));
  return cwd;
}

const sent = { 'in the folder': 'parts/in.yaml', 'in the repository': '../../common/in.yaml' };
const refused = {
  hidden: './.env.yaml',
  'in a hidden folder': '../../common/.hidden/in.yaml',
  'ignored by git': './own.local.yaml',
  'in a folder that git ignores': '../../private/in.yaml',
  'a link to an ignored file': '../../common/ignored.yaml',
  'a link out of the repository': '../../common/out.yaml',
  'outside of the repository': '../../../outside.yaml',
};

const senders = [
  ...everyFlag,
  ['suggest from-summary', (path: string) => ['suggest', 'from-summary', '--schema', path, '--dry-run']],
] as const;

describe.each(Object.entries(references))('%s', (_, [kind, text]) => {
  test.each(Object.entries(sent))('to a file %s is pushed', async (_place, path) => {
    const cwd = repository(text(path));
    for (const argv of [['api/v1/openapi.yaml'], ['api/v1'], [join(cwd, 'api/v1/openapi.yaml')]]) {
      const { code, stdout, stderr } = await dry(cwd, argv);
      expect([code, stderr]).toEqual([0, 'nothing was sent\n']);
      const files: readonly string[] = JSON.parse(stdout).files;
      const names = path.startsWith('.') ? ['api/v1/openapi.yaml', 'common/in.yaml'] : ['openapi.yaml', path];
      expect(files).toEqual(expect.arrayContaining(names));
    }
  });

  test.each(Object.entries(refused))('to a file %s is not sent', async (_place, path) => {
    const cwd = repository(text(path));
    const pushed = await dry(cwd, ['api/v1/openapi.yaml']);
    expect([pushed.code, pushed.stdout]).toEqual([2, '']);
    expect(pushed.stderr).toMatch(/hidden|ignored|outside the document's repository/);
    for (const [name, way] of senders) {
      const { code, stderr, document } = await sentBy(way('api/v1/openapi.yaml'), { cwd });
      expect(String(document)).not.toContain(mark);
      if (kind !== 'link') expect([name, code, stderr]).toEqual([name, 2, expect.stringContaining('(at #/')]);
      else
        expect([name, code, stderr]).toEqual([name, 0, expect.stringContaining('is not in the merged document (at')]);
    }
  });

  test('to a missing file is an error or a warning with its place', async () => {
    const cwd = repository(text('parts/none.yaml'));
    const code = kind === 'object' ? 2 : 0;
    const found = expect.stringMatching(/openapi\.yaml refers to parts\/none\.yaml.*, which .* \(at #\/\S+\)/);
    expect(await dry(cwd, ['api/v1/openapi.yaml'])).toMatchObject({ code, stderr: found });
    for (const [, way] of senders)
      expect(await sentBy(way('api/v1/openapi.yaml'), { cwd })).toMatchObject({ code, stderr: found });
  });

  test.each(senders)('is merged or reported by %s', async (name, way) => {
    for (const path of Object.values(sent)) {
      const cwd = repository(text(path));
      const { code, stderr, document } = await sentBy(way('api/v1/openapi.yaml'), { cwd });
      expect([code, stderr]).toEqual([0, expect.stringContaining(kind === 'link' ? 'is not in the merged' : path)]);
      // A summary has no schemas.
      if (kind !== 'link' && !name.includes('summary')) expect(String(document)).toContain(mark);
      if (kind !== 'link') expect(stderr).not.toContain(', which ');
    }
  });

  test('without a repository, only to files in the folder', async () => {
    const [from, to] = ['d/openapi.yaml', '../in.yaml'];
    const files = { [from]: `openapi: 3.2.0\n${text(to)}`, 'in.yaml': `{ title: ${mark} }` };
    const { code, stderr } = await dry(write(temporaryFolder(), files), [from]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("outside the document's folder")]);
  });

  test('in a document without a folder is an error or a warning', async () => {
    const stdin = `openapi: 3.2.0\n${text('parts/in.yaml')}`;
    const [, way = () => []] = everyFlag[0] ?? [];
    const { code, stderr } = await sentBy(way('-'), { cwd: temporaryFolder(), stdin });
    expect([code, stderr]).toEqual([kind === 'object' ? 2 : 0, expect.stringContaining('has no folder')]);
  });
});

describe('must stay', () => {
  test.each([
    'a: { externalValue: https://x.example/a.json, operationRef: "#/paths/~1a" }',
    'example: { externalValue: parts/none.json, operationRef: none.yaml }',
    'responses: { r: { examples: { application/json: { externalValue: none.json } } } }',
    'schema: { examples: [{ externalValue: none.json }] }',
    'properties: { externalValue: { type: string }, operationRef: { $dynamicRef: "#node" } }',
    'discriminator: { defaultMapping: Cat }',
    'security: [{ key: [] }]',
  ])('%s refers to no file', async (text) => {
    const cwd = repository(text);
    const { stderr } = await dry(cwd, ['api/v1/openapi.yaml']);
    expect(stderr).toBe('nothing was sent\n');
    const [, way = () => []] = everyFlag[0] ?? [];
    const { document, stderr: others } = await sentBy(way('api/v1/openapi.yaml'), { cwd });
    expect(String(document)).toContain(`\n${text}\n`);
    expect(others).not.toContain('refers to');
  });

  test.each(['../../private/in.yaml', '../../common/.hidden/in.yaml', 'own.local.yaml'])(
    'a push with --include sends %s',
    async (path) => {
      const cwd = repository(references.externalValue?.[1](path) ?? '');
      const { stderr } = await dry(cwd, ['api/v1/openapi.yaml']);
      const [, included = ''] = /add: --include (\S+)/.exec(stderr.replaceAll('"', '')) ?? [];
      const { code, stdout } = await dry(cwd, ['api/v1/openapi.yaml', '--include', included]);
      expect([code, JSON.parse(stdout).files]).toEqual([0, expect.arrayContaining([expect.stringMatching(/\.yaml$/)])]);
      expect(JSON.parse(stdout).files).toHaveLength(2);
    },
  );

  test('the files of a document that git ignores are sent, as after a build', async () => {
    const cwd = repository('');
    write(cwd, { 'private/openapi.yaml': 'openapi: 3.1.0\na: { $ref: in.yaml }\n' });
    expect(JSON.parse((await dry(cwd, ['private/openapi.yaml'])).stdout).files).toEqual(['in.yaml', 'openapi.yaml']);
  });

  test('a file of another kind is not sent: a warning for an example, an error for a $ref', async () => {
    const cwd = repository(references.externalValue?.[1]('a.xml') ?? '');
    write(cwd, { 'api/v1/a.xml': '<a/>' });
    const words = 'refers to a.xml, which is not a JSON, YAML or Markdown file; only those are sent (at #/components';
    expect(await dry(cwd, ['api/v1/openapi.yaml'])).toMatchObject({ code: 0, stderr: expect.stringContaining(words) });
    const { stdout } = await dry(cwd, ['api/v1/openapi.yaml', '--include', 'api/v1/a.xml']);
    expect(JSON.parse(stdout).files).toEqual(['a.xml', 'openapi.yaml']);
  });
});

test.runIf(process.getuid?.() === 0)('a .git of another user makes no repository', async () => {
  const cwd = repository('a: { $ref: ../../common/in.yaml }');
  chownSync(join(cwd, '.git'), 12345, 12345);
  const { code, stderr } = await dtp(['code-samples', 'preview', 'api/v1/openapi.yaml', '--language', 'curl'], {
    cwd,
    uid: 0,
    env: documentEnv,
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining("outside the document's folder")]);
});

test('a .git file makes a repository, and what it points to is not read', async () => {
  const cwd = repository('');
  const inner = write(join(cwd, 'vendor'), { 'd/openapi.yaml': 'openapi: 3.1.0\na: { $ref: ../../common/in.yaml }' });
  writeFileSync(join(inner, '.git'), `gitdir: ${join(cwd, '..')}\n`);
  const { code, stderr } = await dry(cwd, ['vendor/d/openapi.yaml']);
  expect([code, stderr]).toEqual([2, expect.stringContaining("outside the document's repository")]);
});

test('a file that would be taken for the document is left out with a warning, or refused', async () => {
  const cwd = repository(references.operationRef?.[1]('../v2/openapi.yaml') ?? '');
  write(cwd, { 'api/v2/openapi.yaml': 'openapi: 3.1.0\n' });
  const { code, stdout, stderr } = await dry(cwd, ['api/v1/openapi.yaml']);
  expect([code, JSON.parse(stdout).files]).toEqual([0, ['openapi.yaml']]);
  expect(stderr).toContain("reserved for the bundle's document (at #/components/links/l/operationRef)");
});

test('strings that refer to files are adjusted in a merged document', async () => {
  const get = { responses: { '200': { links: { l: { operationRef: '../openapi.json#/paths/~1b/post' } } } } };
  const merged = await bundled({
    [ROOT]: {
      openapi: '3.2.0',
      paths: { '/a': { $ref: 'p/a.json' }, '/b': { post: { x: 'p/a.json', l: { operationRef: 'p/a.json#/get' } } } },
      components: { examples: { e: { summary: 's', externalValue: 'p/e.json' } } },
    },
    'p/a.json': { get, c: { examples: { e: { externalValue: 'e.json' } } } },
    'p/e.json': { $ref: 'not a reference', n: [1] },
  });
  const value = { $ref: 'not a reference', n: [1] };
  expect(merged).toEqual({
    openapi: '3.2.0',
    paths: {
      '/a': {
        get: { responses: { '200': { links: { l: { operationRef: '#/paths/~1b/post' } } } } },
        c: { examples: { e: { value } } },
      },
      '/b': { post: { x: 'p/a.json', l: { operationRef: '#/paths/~1a/get' } } },
    },
    components: { examples: { e: { summary: 's', value } } },
  });
});

test('a missing file of a file that is only linked is a warning', async () => {
  const trees = { 'b.yaml': 'a: { $ref: gone.yaml }' } as Readonly<Record<string, string>>;
  const warnings: string[] = [];
  const open = (name: string) =>
    name in trees ? { tree: readTree(trees[name] ?? '', 'json').tree } : { fault: 'is missing' };
  const root = readTree('l: { operationRef: "b.yaml#/x" }', 'json').tree;
  const files = await collectFiles('a.yaml', root, open, { forLinks: true, warn: (text) => warnings.push(text) });
  expect([...files.keys()]).toEqual(['a.yaml', 'b.yaml']);
  expect(warnings).toEqual(['b.yaml refers to gone.yaml, which is missing (at #/a)']);
});

test.each<[rules: string, ignored: readonly string[], others: readonly string[]]>([
  ['*.key', ['a.key', 'd/e/a.key'], ['a.keys', 'd.key.md']],
  ['/a', ['a', 'a/b'], ['d/a']],
  ['d/a', ['d/a', 'd/a/x'], ['e/d/a']],
  ['a/', ['a/x', 'd/a/x'], ['a', 'd/a']],
  ['**/a', ['a', 'd/e/a'], ['ab']],
  ['a/**', ['a/x', 'a/d/x'], ['d/a/x']],
  ['a/**/b', ['a/b', 'a/d/e/b'], ['b', 'a/bb']],
  ['*.yaml\n!in.yaml', ['a.yaml'], ['in.yaml', 'd/in.yaml']],
  ['d/\n!d/in.yaml', ['d/in.yaml'], []],
  ['a?[b-d][!x].y', ['a1by.y'], ['a1ey.y', 'a1bx.y', 'a/by.y']],
  ['# a\n\\#b\n\\!c\nd\\ \ne  ', ['#b', '!c', 'd ', 'e'], ['a', 'd', '# a']],
  ['[a]\\*', ['a*'], ['ab']],
  ['a\r\nb', ['a', 'b'], []],
  ['[\n[]\n[z-a]\n\\\n/\n!', [], ['a', 'z']],
  [`${'*a'.repeat(5000)}b`, [], ['a'.repeat(5000)]],
])('git ignores by the rules %j', (rules, ignored, others) => {
  const root = write(temporaryFolder(), { '.gitignore': rules });
  expect(ignored.filter((name) => !isIgnored(root, name))).toEqual([]);
  expect(others.filter((name) => isIgnored(root, name))).toEqual([]);
});

test('rules of a folder override those above it, and a pipe or a link in place of them is not read', () => {
  const root = write(temporaryFolder(), {
    '.gitignore': '*.a',
    'd/.gitignore': '!x.a',
    '.git/info/exclude': '*.b',
    rules: '*',
  });
  mkdirSync(join(root, 'e'));
  symlinkSync('../rules', join(root, 'e', '.gitignore'));
  const all = ['x.a', 'd/x.a', 'd/y.a', 'd/x.b', 'e/c'];
  expect(all.filter((name) => isIgnored(root, name))).toEqual(['x.a', 'd/y.a', 'd/x.b']);
});

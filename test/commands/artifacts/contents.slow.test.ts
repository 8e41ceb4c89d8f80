/** What a push packs, what it refuses before sending anything, and where a pull may write. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { document, dryPush as dry, filesOf, registry, write } from '../../support/artifacts.ts';
import { dtp, temporaryFolder } from '../../support/context.ts';

test('the same content has the same digest at any time and in any place', async () => {
  const files = {
    'openapi.json': document('b/x.yaml', 'a.yaml'),
    'b/x.yaml': 'x: 1\n',
    'a.yaml': '- a\n'.repeat(99_999),
  };
  const digests = new Set<string>();
  for (const place of [temporaryFolder(), temporaryFolder()]) {
    write(place, Object.fromEntries(Object.entries(files).reverse()));
    utimesSync(join(place, 'a.yaml'), digests.size, digests.size);
    const { stdout, stderr } = await dry(place, ['openapi.json']);
    expect(stderr).toBe('nothing was sent\n');
    const { digest, ...rest } = JSON.parse(stdout);
    expect(rest).toMatchObject({ reference: 'o/w/n:latest', files: Object.keys(files).sort(), uploaded: 0 });
    digests.add(digest);
  }
  // The digest of the first run. Every other machine, time zone and Node version must produce the same one.
  expect([...digests]).toEqual(['sha256:846468583e416dda7a41f6024732fd68aa98943cb099d5910b459b74bd4034f2']);
});

test.each<[string, Readonly<Record<string, string>>, string, RegExp]>([
  ['nothing', {}, 'openapi.yaml', /^error: file not found: openapi.yaml/],
  ['a folder without a document', { 'd/a.yaml': 'a: 1' }, 'd', /^error: d does not contain any of openapi.yaml/],
  [
    'a file that is not a document',
    { 'openapi.json': '{"a":' },
    'openapi.json',
    /^error: openapi.json is not valid JSON or YAML/,
  ],
  [
    'a missing file',
    { 'openapi.json': document('x.yaml#/a') },
    'openapi.json',
    /^error: openapi.json refers to x.yaml#\/a, which does not exist/,
  ],
  [
    'a missing file, referenced by a referenced file',
    { 'openapi.json': document('p/x.yaml'), 'p/x.yaml': '$ref: ../q.yaml' },
    'openapi.json',
    /^error: p\/x.yaml refers to ..\/q.yaml, which does not exist/,
  ],
  ['a missing file in a folder', { 'd/openapi.yml': '{$ref: x.yaml}' }, 'd', /^error: openapi.yml refers to x.yaml/],
  [
    'a file outside the folder',
    { 'd/openapi.json': document('../x.yaml'), 'x.yaml': 'x: 1' },
    'd/openapi.json',
    /outside the document's folder/,
  ],
  ['an absolute path', { 'openapi.json': document('/etc/hosts') }, 'openapi.json', /outside the document's folder/],
  [
    'an encoded path that leads outside',
    { 'd/openapi.json': document('%2e%2e/x.yaml'), 'x.yaml': 'x: 1' },
    'd',
    /outside/,
  ],
  ['a folder', { 'openapi.json': document('p'), 'p/x': '' }, 'openapi.json', /which is not a file/],
  [
    'a folder instead of a file',
    { 'openapi.json': document('x.json'), 'x.json': '"' },
    'openapi.json',
    /^error: x.json is not valid JSON or YAML/,
  ],
  [
    'two documents',
    { 'main.yaml': '$ref: openapi.json', 'openapi.json': '{}' },
    'main.yaml',
    /reserved for the bundle's document/,
  ],
  [
    'names that differ only in case',
    { 'openapi.json': document('x.yaml', 'X.yaml'), 'x.yaml': 'x: 1', 'X.yaml': 'x: 1' },
    'openapi.json',
    /cannot be in a bundle: [xX].yaml and [xX].yaml differ only in case\n.*Rename the file/,
  ],
  [
    'names that differ only in normalization',
    { 'openapi.json': document('e\u0301.yaml', '\u00e9.yaml'), 'e\u0301.yaml': 'x: 1', '\u00e9.yaml': 'x: 1' },
    'openapi.json',
    /differ only in Unicode normalization\n.*Rename the file/,
  ],
  ['UTF-16', { 'openapi.yaml': 'o\0p\0e\0n\0' }, 'openapi.yaml', /is UTF-16 text/],
  [
    'a file of two YAML documents',
    { 'openapi.json': document('x.yaml'), 'x.yaml': 'x: 1\n---\ny: 1\n' },
    'openapi.json',
    /^error: x.yaml has at least two documents: the second starts at line 2/,
  ],
  [
    'a name that a pull refuses',
    { 'openapi.json': document('a%5Cb.md'), 'a\\b.md': '' },
    'openapi.json',
    /refers to a%5Cb\.md, which contains a backslash/,
  ],
])('%s is refused', async (_, files, path, why) => {
  const { code, stdout, stderr } = await dry(write(temporaryFolder(), files), [path]);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(why)]);
});

test('a link that leads outside is refused, and one that stays inside is packed as a file', async () => {
  const cwd = write(temporaryFolder(), {
    'out.yaml': 'a: 1',
    'd/openapi.json': document('in.yaml'),
    'd/real.yaml': 'a: 1',
  });
  symlinkSync('real.yaml', join(cwd, 'd', 'in.yaml'));
  expect((await dry(cwd, ['d/openapi.json'])).code).toBe(0);
  rmSync(join(cwd, 'd', 'in.yaml'));
  symlinkSync('../out.yaml', join(cwd, 'd', 'in.yaml'));
  expect((await dry(cwd, ['d/openapi.json'])).stderr).toMatch(/outside the document's folder/);
});

test('URLs are not followed, and a document with another name gets the standard name', async () => {
  const cwd = write(temporaryFolder(), {
    'main.yml':
      "openapi: 3.1.0\na: { $ref: 'https://x.example/a.yaml' }\nb: { $ref: '#/a' }\nc: { $ref: '//x/y' }\nd: { $ref: b.txt }\n",
    'b.txt': 'any text {',
    'back.yml': 'openapi: 3.1.0\na: { $ref: back/x.yaml }\n',
    'back/x.yaml': "a: { $ref: '../back.yml#/a' }\n",
    'circle.yaml': 'openapi: 3.1.0\na: &a\n  b: *a\n',
  });
  const files = async (...argv: string[]) => JSON.parse((await dry(cwd, argv)).stdout).files;
  expect(await files('main.yml', '--include', 'b.txt')).toEqual(['b.txt', 'openapi.yaml']);
  expect(await files('back.yml')).toEqual(['back.yml', 'back/x.yaml', 'openapi.yaml']);
  expect(await files('circle.yaml')).toEqual(['openapi.yaml']);
});

test('a file that compresses too well is refused, as a pull would refuse it', async () => {
  const cwd = write(temporaryFolder(), {
    'openapi.json': document('x.md'),
    'x.md': 'a'.repeat(30 * 1024 ** 2),
  });
  const { code, stderr } = await dry(cwd, ['openapi.json']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('compress to less than 1/200')]);
});

test('tags and namespaces are checked before any file is read', async () => {
  const { stderr } = await dry('/', ['nowhere', '--tag', 'a b']);
  expect(stderr).toMatch(/^error: invalid tag/);
  const { home, run } = await registry();
  write(home, { 'openapi.json': document() });
  for (const [name, why] of [
    ['n:v1', '--namespace must be only a namespace'],
    ['a/b', 'three parts'],
    ['', 'a part is empty'],
  ] as const) {
    const { code, stderr } = await run(['push', 'openapi.json', '--namespace', name]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  }
  expect((await run(['push', 'openapi.json'])).code).toBe(2);
});

test('a pull writes to a new or empty folder, or replaces a folder with --force', async () => {
  const { home, run } = await registry();
  write(home, { 'spec/openapi.json': document(), 'full/mine': 'mine', file: 'mine' });
  for (const name of ['empty', 'deep/er']) mkdirSync(join(home, name), { recursive: true });
  symlinkSync('full', join(home, 'link'));
  expect((await run(['push', 'spec', '--namespace', 'pets'])).code).toBe(0);
  for (const [target, why] of [
    ['full', 'not empty'],
    ['file', 'not a folder'],
    ['link', 'not a folder'],
    ['gone/x', 'its folder does not exist'],
    ['.', 'the current folder'],
    ['..', 'the current folder'],
    ['/', 'the current folder'],
  ] as const) {
    const { code, stderr } = await run(['pull', 'pets', '-O', target]);
    expect([target, code, stderr]).toEqual([target, 2, expect.stringContaining(why)]);
  }
  for (const target of ['.', 'link', 'file'])
    expect((await run(['pull', 'pets', '-O', target, '--force'])).code).toBe(2);
  const before = readdirSync(home);
  for (const argv of [['-O', 'empty'], ['-O', 'full', '--force'], ['-O', 'deep/er/new'], ['-O', 'new', '--force'], []])
    expect([argv, (await run(['pull', 'pets', ...argv])).code]).toEqual([argv, 0]);
  for (const name of ['empty', 'full', 'deep/er/new', 'new', 'pets'])
    expect(filesOf(join(home, name))).toEqual(filesOf(join(home, 'spec')));
  expect(readFileSync(join(home, 'file'), 'utf8')).toBe('mine');
  expect(readdirSync(home).sort()).toEqual([...before, 'new', 'pets'].sort());
});

test('a dry-run pull shows the request without sending or writing anything', async () => {
  const cwd = temporaryFolder();
  const env = { DTP_BASE_URL: 'https://api.example.test/v', DTP_API_KEY: 'k-1', DTP_ERROR_FORMAT: 'text' };
  const shown = await dtp(['artifacts', 'pull', 'o/w/n:v1', '--dry-run'], { cwd, env });
  expect(JSON.parse(shown.stdout)).toEqual({
    method: 'GET',
    url: 'https://api.example.test/v/v1/oci/v2/o/w/n/manifests/v1',
    folder: join(cwd, 'n'),
  });
  const unknown = await dtp(['artifacts', 'pull', 'n', '--dry-run'], { cwd, env });
  expect([unknown.code, JSON.parse(unknown.stdout).url]).toEqual([
    0,
    'https://api.example.test/v/v1/oci/v2/ORGANIZATION/WORKSPACE/n/manifests/latest',
  ]);
  expect(readdirSync(cwd)).toEqual([]);
});

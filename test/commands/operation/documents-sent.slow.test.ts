/** API documents that commands send: several files are bundled into one, and any other document is sent byte for byte. */
import { symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { operations } from '../../../src/operations/index.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { write } from '../../support/artifacts.ts';
import { dtp, temporaryFolder } from '../../support/context.ts';
import { split, splitAsOne, splitJson } from '../../support/documents.ts';
import { documentEnv, everyFlag, everyWay, sentBy } from '../../support/sent-documents.ts';

test('every field with a document is covered', () => {
  const fields = (Object.values(operations) as readonly Operation[]).flatMap(({ id, input }) =>
    Object.entries(input).flatMap(([name, { document }]) => (document ? [`${id} ${name}`] : [])),
  );
  expect(fields.sort()).toEqual([
    'createSchemaStoreItem spec',
    'generateCodeSamplePreview schema_file',
    'generateCodeSamplePreviewAsync schema_file',
    'suggestOpenAPI schema',
  ]);
  expect(everyFlag).toHaveLength(4);
});

const told = 'as one document, merged with the files that it refers to: paths/pets.yaml, ';

describe.each(everyWay)('%s', (_, way) => {
  test('a document of several files is sent as one, in its own format', async () => {
    const cwd = write(temporaryFolder(), { ...split, ...splitJson });
    const yaml = await sentBy(way('openapi.yaml'), { cwd });
    expect([yaml.code, yaml.stderr]).toEqual([0, expect.stringContaining(`openapi.yaml ${told}`)]);
    const text = String(yaml.document);
    expect(parse(text)).toEqual(splitAsOne);
    expect(text).toContain('\n  version: 1.10\n');
    const json = await sentBy(way('openapi.json'), { cwd });
    expect(JSON.parse(String(json.document))).toEqual(splitAsOne);
  });

  test('a missing file is named, and nothing is sent', async () => {
    const { 'schemas/Owner.yaml': _gone, ...rest } = split;
    const cwd = write(temporaryFolder(), rest);
    const { code, stdout, stderr } = await dtp(way('openapi.yaml'), { cwd, env: documentEnv });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(
      'error: schemas/Pet.yaml refers to Owner.yaml, which does not exist (at #/properties/owner)',
    );
  });
});

const head = 'openapi: 3.1.0\ninfo: {title: T,   version: 1}   # a comment\n';

describe.each(everyFlag)('%s: byte for byte', (_, way) => {
  test.each<[string, string | Uint8Array]>([
    ['references within', `${head}a: { $ref: '#/b' }\nb: {}\n`],
    ['references without quotes, which are comments', `${head}a: { $ref: #/b\n }\n`],
    ['addresses', `${head}a: { $ref: 'https://x.example/a.yaml' }\nb: { $ref: "//x/y" }\n`],
    ['references in its strings', `${head}a: "see $ref: ./a.yaml"\n`],
    ['references in its data', `${head}example: { $ref: ./none.yaml }\n`],
    ['a property with that name', `${head}properties: { $ref: { type: string } }\n`],
    ['a mapping to names', `${head}a: { discriminator: { mapping: { cat: Cat, dog: '#/d', x: y.yaml } } }\n`],
    ['DOS line ends', `${head.replaceAll('\n', '\r\n')}a: { $ref: "#/b" }\r\n`],
    ['JSON in one line', '{"openapi":"3.1.0","x":1.10,"a":{"$ref":"#/x"},"b":{"$ref":"http://x.example"}}'],
    ['a file that does not parse', `${head}a: [\n$ref: ./a.yaml\n`],
    ['a cycle of aliases', `${head}a: &a { b: *a, $ref: "http://x.example" }\n`],
    ['tags and numbers that JSON cannot represent', `${head}a: !!set {b}\nc: [.inf, 1e400, !x y]\n`],
    ['a space', ' '],
  ])('%s', async (_name, content) => {
    const cwd = write(temporaryFolder(), { 'openapi.yaml': content });
    const { code, document, stderr } = await sentBy(way('openapi.yaml'), { cwd });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('as one document')]);
    expect(document?.equals(Buffer.from(content))).toBe(true);
    const piped = await sentBy(way('-'), { cwd, stdin: content });
    expect(piped.document?.equals(Buffer.from(content))).toBe(true);
  });
});

test('binary files, and files larger than a document, are sent unchanged', async () => {
  const cwd = write(temporaryFolder(), { 'a.yaml': Buffer.from('$ref: ./\xff.yaml\n', 'latin1') });
  const [, preview = () => []] = everyFlag[0] ?? [];
  const odd = await sentBy(preview('a.yaml'), { cwd });
  expect(odd.document?.toString('latin1')).toBe('$ref: ./\xff.yaml\n');
  write(cwd, { 'marked.yaml': '\uFEFFa: { $ref: "#/b" }\n' });
  const marked = await sentBy(preview('marked.yaml'), { cwd });
  expect(String(marked.document)).toBe('\uFEFFa: { $ref: "#/b" }\n');
  write(cwd, { 'large.yaml': '$ref: ./a.yaml\n' });
  truncateSync(join(cwd, 'large.yaml'), 64 * 2 ** 20 + 1);
  const large = await sentBy(preview('large.yaml'), { cwd });
  expect(large.document?.byteLength).toBe(64 * 2 ** 20 + 1);
});

describe.each(everyFlag)('%s is refused, and nothing is sent', (_, way) => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'a file outside the folder',
      { 'd/openapi.yaml': '$ref: ../out.yaml', 'out.yaml': 'a: 1' },
      "outside the document's folder",
    ],
    ['an absolute path', { 'd/openapi.yaml': '$ref: /etc/hosts' }, "outside the document's folder"],
    [
      'a hidden file',
      { 'd/openapi.yaml': 'a: { $ref: ./.env }', 'd/.env': 'KEY=canary' },
      'refers to ./.env, which is hidden',
    ],
    ['a file in a hidden folder', { 'd/openapi.yaml': '$ref: .git/x.json', 'd/.git/x.json': '{}' }, 'which is hidden'],
    [
      'a file of another kind',
      { 'd/openapi.yaml': 'a: { $ref: id_rsa }', 'd/id_rsa': 'canary' },
      'refers to id_rsa, which is not a JSON, YAML or Markdown file',
    ],
    [
      'a folder',
      { 'd/openapi.yaml': '$ref: x.json', 'd/x.json/y': '' },
      'refers to x.json, which is not a file (at #)',
    ],
    [
      'a missing place',
      { 'd/openapi.yaml': 'a: { $ref: "x.yaml#/b" }', 'd/x.yaml': 'a: 1' },
      'which does not exist in that file (at #/a)',
    ],
    [
      'a mapping to a missing file',
      { 'd/openapi.yaml': 'discriminator: { mapping: { a: ./x.yaml } }' },
      'which does not exist',
    ],
    [
      'a file that does not parse',
      { 'd/openapi.yaml': '$ref: x.yaml', 'd/x.yaml': 'a: [' },
      'x.yaml is not valid JSON or YAML',
    ],
    [
      'a duplicate key',
      { 'd/openapi.yaml': 'a: 1\na: { $ref: x.yaml }', 'd/x.yaml': 'a: 1' },
      'openapi.yaml has the key "a" a second time at line 2',
    ],
    [
      'a tag of YAML 1.1',
      { 'd/openapi.yaml': 'a: { $ref: x.yaml }', 'd/x.yaml': 'a: 1\nb: !!omap [x: 1]' },
      'x.yaml has a value with the tag !!omap at line 2, which JSON cannot represent',
    ],
    [
      'an infinite number',
      { 'd/openapi.yaml': 'a: { $ref: x.yaml }\nb: .inf', 'd/x.yaml': 'a: 1' },
      'openapi.yaml has the number .inf at line 2, which JSON cannot represent',
    ],
    [
      'two documents',
      { 'd/openapi.yaml': 'a: { $ref: x.yaml }', 'd/x.yaml': 'a: 1\n---\nb: 2' },
      'x.yaml has at least two documents: the second starts at line 2',
    ],
    [
      'UTF-16',
      { 'd/openapi.yaml': 'a: { $ref: x.yaml }', 'd/x.yaml': 'a\0:\0 \x001\0' },
      'x.yaml is UTF-16 text, not UTF-8',
    ],
    [
      'a cycle without content',
      { 'd/openapi.yaml': 'a: { $ref: x.yaml }', 'd/x.yaml': '$ref: x.yaml' },
      'refers back to itself',
    ],
    [
      'a cycle of aliases',
      { 'd/openapi.yaml': '$ref: x.yaml', 'd/x.yaml': 'a: &a { b: *a }' },
      'x.yaml has the alias *a at line 1, which refers to itself',
    ],
    [
      'too much',
      {
        'd/openapi.yaml': 'a: [{ $ref: x.md }, { $ref: y.md }]',
        'd/x.md': ' '.repeat(40 * 2 ** 20),
        'd/y.md': ' '.repeat(40 * 2 ** 20),
      },
      'larger than 64 MiB in total',
    ],
  ])('%s', async (_name, files, message) => {
    const cwd = write(temporaryFolder(), files);
    const { code, stdout, stderr } = await dtp(way('d/openapi.yaml'), { cwd, env: documentEnv });
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });

  test('a link that leads outside', async () => {
    const cwd = write(temporaryFolder(), { 'd/openapi.yaml': '$ref: in.yaml', 'out.yaml': 'a: 1' });
    symlinkSync('../out.yaml', join(cwd, 'd', 'in.yaml'));
    const { code, stderr } = await dtp(way('d/openapi.yaml'), { cwd, env: documentEnv });
    expect([code, stderr]).toEqual([2, expect.stringContaining("outside the document's folder")]);
  });

  test('standard input, which has no folder', async () => {
    const cwd = write(temporaryFolder(), split);
    const { code, stderr } = await dtp(way('-'), {
      cwd,
      env: documentEnv,
      stdin: split['openapi.yaml'] ?? '',
    });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        'the document refers to paths/pets.yaml (at #/paths/~1pets), which cannot be found because standard input has no folder',
      ),
    ]);
    expect(stderr).toContain('Pass the path of the document instead.');
  });
});

test('a description in Markdown is sent as its text', async () => {
  const cwd = write(temporaryFolder(), {
    'openapi.yaml': `${head}description: { $ref: docs/about.md }\nb: { $ref: docs/about.md }\n`,
    'docs/about.md': '# Pets\n\n- one: 1\n',
  });
  for (const [, way] of everyFlag) {
    const { document } = await sentBy(way('openapi.yaml'), { cwd });
    const text = '# Pets\n\n- one: 1\n';
    expect(parse(String(document))).toMatchObject({ description: text, b: text });
  }
});

test.each([
  ['--body', ['--body', JSON.stringify({ spec: split['openapi.yaml'] })]],
  ['-f', ['-f', `spec=${split['openapi.yaml']}`]],
])('a string in %s that refers to files is refused, because it has no folder', async (_, argv) => {
  const all = ['--package-name', 'p', '--sdk-classname', 'C', '--format', 'yaml', ...argv];
  const { code, stderr } = await dtp(['schema-store', 'create', ...all], { env: documentEnv });
  expect([code, stderr]).toEqual([2, expect.stringContaining('which cannot be found because a string has no folder')]);
});

test('--dry-run shows the bundled document, and --curl warns that it sends only the first file', async () => {
  const cwd = write(temporaryFolder(), split);
  for (const [name, way] of everyFlag) {
    const { document } = await sentBy(way('openapi.yaml'), { cwd });
    const dry = await dtp([...way('openapi.yaml'), '--dry-run'], { cwd, env: documentEnv });
    const { body } = JSON.parse(dry.stdout);
    const shown = body.schema_file ?? body.schema ?? Buffer.byteLength(body.spec);
    const size = document?.byteLength;
    expect([name, shown]).toEqual([name, typeof shown === 'number' ? size : { file: 'openapi.yaml', size }]);
    const curl = await dtp([...way('openapi.yaml'), '--curl'], { cwd, env: documentEnv });
    const isText = curl.stdout.includes('--data-binary');
    expect([name, curl.stderr.includes('warning: this curl command sends only openapi.yaml')]).toEqual([name, !isText]);
  }
});

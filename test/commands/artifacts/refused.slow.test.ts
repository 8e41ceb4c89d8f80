/** What a pull refuses: a flipped bit anywhere, and archives that would write elsewhere or too much. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Entry, filesOf, leftovers, publish, registry, write, zipOf } from '../../support/artifacts.ts';
import { dtp } from '../../support/context.ts';
import { service } from '../../support/function-service.ts';

const document = 'openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0 }\npaths: {}\n';

test('one flipped bit anywhere in the manifest or a layer is a bad response, and nothing is written', async () => {
  const { service, home, run } = await registry();
  write(join(home, 'spec'), { 'openapi.yaml': document });
  expect((await run(['push', 'spec', '--namespace', 'pets'])).code).toBe(0);
  const pulled = await run(['pull', 'pets', '-O', 'good']);
  expect(pulled.code).toBe(0);
  const { digest } = JSON.parse(pulled.stdout);
  const flip = (table: string, column: string, key: string) => {
    const row = service.store.get(
      `SELECT ${key} AS id, ${column} AS bytes FROM ${table} ORDER BY length(${column}) DESC`,
    );
    const bytes = Buffer.from(row?.bytes as Uint8Array);
    const put = (content: Uint8Array) =>
      service.store.run(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`, content, row?.id as string);
    return {
      size: bytes.byteLength,
      at: (place: number) => {
        const spoiled = Buffer.from(bytes);
        spoiled[place >> 3] = (spoiled[place >> 3] as number) ^ (1 << (place & 7));
        put(spoiled);
      },
      mend: () => put(bytes),
    };
  };
  for (const [table, column, key] of [
    ['revisions', 'manifest', 'id'],
    ['chunks', 'bytes', 'content_id'],
  ] as const) {
    const { size, at, mend } = flip(table, column, key);
    for (let place = 0; place < size * 8; place += 61) {
      at(place);
      const reference = place % 2 === 0 ? 'pets' : `pets@${digest}`;
      const { code, stdout, stderr } = await run(['pull', reference, '-O', 'bad']);
      expect([table, place, code, stdout, stderr.split('\n')[0]]).toEqual([
        table,
        place,
        12,
        '',
        expect.stringMatching(
          /^error: the (manifest|layer sha256:[0-9a-f]+) was altered in transit: its digest is .*$/,
        ),
      ]);
      expect(existsSync(join(home, 'bad'))).toBe(false);
    }
    mend();
  }
  expect(leftovers(home)).toEqual([]);
  expect((await run(['pull', 'pets', '-O', 'bad'])).code).toBe(0);
});

const good: Entry = { name: 'openapi.yaml', content: document };
const attacks: Readonly<Record<string, readonly [entries: readonly Entry[], why: RegExp]>> = {
  'a name with ..': [[good, { name: '../out', content: 'x' }], /relative path|empty, "\." or "\.\." part/],
  'a name with .. inside': [[good, { name: 'a/../../out', content: 'x' }], /relative path|empty, "\." or "\.\." part/],
  'an absolute name': [[good, { name: '/tmp/out', content: 'x' }], /absolute/],
  'a drive': [[good, { name: 'C:/out', content: 'x' }], /absolute/],
  'a backslash': [[good, { name: '..\\out', content: 'x' }], /invalid characters|backslash/],
  'a control character': [[good, { name: 'a\x1b[2Jb', content: 'x' }], /control/],
  'a newline': [[good, { name: 'a\nb', content: 'x' }], /control/],
  'a zero': [[good, { name: 'a\0b', content: 'x' }], /control/],
  'no name': [[good, { name: '', content: 'x' }], /empty/],
  'a dot': [[good, { name: './a', content: 'x' }], /empty, "\." or "\.\." part/],
  'two slashes': [[good, { name: 'a//b', content: 'x' }], /empty, "\." or "\.\." part/],
  'no UTF-8': [[good, { name: Buffer.from([0x61, 0xff, 0x62]), content: 'x' }], /UTF-8/],
  'a long name': [[good, { name: 'x'.repeat(300), content: 'x' }], /too long/],
  'invisible characters': [[good, { name: 'a\u202eb', content: 'x' }], /invisible/],
  'a Windows device name': [[good, { name: 'a/NUL.txt', content: 'x' }], /Windows/],
  'a space at the end': [[good, { name: 'a ', content: 'x' }], /Windows/],
  'the settings of a git repository': [[good, { name: '.git/config', content: 'x' }], /\.git folder/],
  ...Object.fromEntries(
    ['.dtp.json', 'a/b/.dtp.json', '.DTP.JSON', '.dtp.j\u017fon', '.dtp.json/a'].map((name) => [
      `settings of dtp as ${name}`,
      [[good, { name, content: '{"base_url":"https://example.test"}' }], /settings of dtp/] as const,
    ]),
  ),
  'a deep name': [[good, { name: `${'d/'.repeat(64)}x`, content: 'x' }], /nested too deeply/],
  'too many folders': [
    Array.from({ length: 200 }, (_, index) => ({ name: `${`${index}/`.repeat(60)}x`, method: 0 })),
    /10000 folders/,
  ],
  'a duplicate name with a letter that has no other case': [
    [{ name: 'stra\u00dfe' }, { name: 'STRASSE' }],
    /straße and STRASSE differ only in case/,
  ],
  'a symbolic link': [[good, { name: 'link', content: '/etc/passwd', mode: 0o120777 }], /link/],
  'a link to a folder and a file inside it': [
    [good, { name: 'a', content: '/tmp', mode: 0o120777 }, { name: 'a/b', content: 'x' }],
    /link/,
  ],
  'a device': [[good, { name: 'null', mode: 0o020666 }], /regular/],
  'a pipe': [[good, { name: 'pipe', mode: 0o010666 }], /regular/],
  'a name twice': [[good, good], /twice/],
  'a duplicate name in another case': [[good, { ...good, name: 'OpenAPI.yaml' }], /differ only in case/],
  'a duplicate name in another Unicode composition': [
    [{ name: 'caf\u00e9' }, { name: 'cafe\u0301' }],
    /differ only in Unicode normalization/,
  ],
  'a file and a folder': [[{ name: 'a' }, { name: 'a/b' }], /a file and a folder/],
  'a folder and a file': [[{ name: 'a/b' }, { name: 'a' }], /a file and a folder/],
  'a file and an empty folder': [[{ name: 'A' }, { name: 'a/', mode: 0o040755 }], /a file and a folder/],
  'folders that differ only in case': [[{ name: 'a/b' }, { name: 'A/c' }], /case/],
  'an encrypted file': [[{ ...good, flags: 0x801 }], /encrypted/],
  'an unknown method': [[{ ...good, method: 12 }], /method 12/],
  'a wrong checksum': [[{ ...good, crc: 1 }], /checksum/],
  'a size that is too small': [[{ ...good, size: 1 }], /not a readable ZIP/],
  'a size that is too large': [[{ ...good, size: 1e6 }], /not a readable ZIP/],
  'a bomb': [[good, { name: 'bomb', content: Buffer.alloc(40 * 1024 ** 2) }], /200 times/],
  'a ZIP bomb in small pieces': [
    Array.from({ length: 40 }, (_, index) => ({ name: `b${index}`, content: Buffer.alloc(1024 ** 2) })),
    /200 times/,
  ],
  'too many files': [Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}`, method: 0 })), /10000 files/],
};

test('archives that would write elsewhere, too much or twice are refused, and leave nothing', async () => {
  const { service, home, run } = await registry();
  write(home, { 'inner/keep': 'kept' });
  const inner = join(home, 'inner');
  for (const [what, [entries, why]] of Object.entries(attacks)) {
    await publish(service, 'evil', [{ bytes: zipOf(entries) }]);
    const { code, stdout, stderr } = await run(['pull', 'evil'], { cwd: inner });
    expect([what, code, stdout, stderr]).toEqual([what, 12, '', expect.stringMatching(why)]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may reach a terminal.
    expect(stderr).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
    expect([what, readdirSync(inner)]).toEqual([what, ['keep']]);
  }
  expect(readdirSync(home)).toEqual(['inner']);
});

test('damaged archives and layers with invalid names are refused', async () => {
  const { service, home, run } = await registry();
  const cut = zipOf([good]).subarray(0, -30);
  for (const [layers, why] of [
    [[{ bytes: cut }], /not a readable ZIP/],
    [[{ bytes: Buffer.from('not a zip') }], /not a readable ZIP/],
    [[{ bytes: zipOf([good]) }, { bytes: zipOf([{ ...good, content: 'another' }]) }], /twice/],
    [[{ bytes: Buffer.from('a'), type: 'text/plain', title: '..' }], /invalid name/],
    [[{ bytes: Buffer.from('a'), type: 'text/plain', title: 'x\x07' }], /control/],
    [
      [
        { bytes: Buffer.from('a'), type: 'text/plain', title: 'x' },
        { bytes: Buffer.from('b'), type: 'text/plain', title: 'X' },
      ],
      /differ only in case/,
    ],
  ] as const) {
    await publish(service, 'odd', layers);
    const { code, stderr } = await run(['pull', 'odd']);
    expect([code, stderr]).toEqual([12, expect.stringMatching(why)]);
    expect(readdirSync(home)).toEqual([]);
  }
});

test('layers that are not ZIP files become files, named after their title or their digest', async () => {
  const { service, home, run } = await registry();
  const same = Buffer.from('same');
  await publish(service, 'files', [
    { bytes: same, type: 'text/plain', title: '../../a.txt' },
    { bytes: same, type: 'text/plain', title: '/etc/b.txt' },
    { bytes: zipOf([good]), type: 'application/octet-stream', title: 'kept.zip' },
    { bytes: zipOf([{ ...good, name: 'sub/openapi.yaml' }]), type: 'application/octet-stream' },
    { bytes: Buffer.from('third'), type: 'text/plain' },
  ]);
  expect((await run(['pull', 'files'])).code).toBe(0);
  const names = Object.keys(filesOf(join(home, 'files')));
  expect(names).toEqual([
    'a.txt',
    'b.txt',
    'kept.zip',
    expect.stringMatching(/^sha256-[0-9a-f]{64}$/),
    'sub/openapi.yaml',
  ]);
  expect(readFileSync(join(home, 'files', 'b.txt'), 'utf8')).toBe('same');
});

test('a manifest without layers does not delete a folder', async () => {
  const { service, home, run } = await registry();
  write(home, { 'mine/kept': 'kept' });
  await publish(service, 'bare', []);
  const { code, stdout } = await run(['pull', 'bare', '-O', 'mine', '--force']);
  expect([code, stdout, readFileSync(join(home, 'mine/kept'), 'utf8')]).toEqual([12, '', 'kept']);
});

const slugs = 'Pass --organization-slug and --workspace-slug.';
const base = 'Check that the base URL is correct: dtp config explain';

test.each([
  [{}, slugs],
  [{ org_slug: 'acme', workspace_slug: 5 }, slugs],
  [null, base],
  [[], base],
  ['acme', base],
])('if the service sends no slugs, as in %j, the hint is: %s', async (said, hint) => {
  const { asked, openSend } = service(() => [200, said]);
  const env = { DTP_BASE_URL: 'https://a.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
  const { code, stderr } = await dtp(['artifacts', 'pull', 'pets', '-o', 'json'], { env, openSend });
  expect(code).toBe(12);
  expect(JSON.parse(stderr).error).toMatchObject({ hint });
  expect(asked).toEqual(['GET /v1/auth/validate']);
});

test.each([
  ['pets:v2', 'pets has no tag v2'],
  [`pets@sha256:${'0'.repeat(64)}`, `pets has no revision sha256:${'0'.repeat(64)}`],
  ['cats', 'the namespace cats does not exist'],
])('a reference that does not exist: %s', async (reference, why) => {
  const { home, run } = await registry();
  write(join(home, 'spec'), { 'openapi.yaml': document });
  expect((await run(['push', 'spec', '--namespace', 'pets'])).code).toBe(0);
  const { code, stderr } = await run(['pull', reference, '-O', 'copy']);
  expect([code, stderr.split('\n')[0]]).toEqual([
    6,
    expect.stringMatching(/^error: 404 from GET \/\S+\/manifests\/\S+: /),
  ]);
  expect(stderr).toContain(`: ${why}\n`);
  expect(existsSync(join(home, 'copy'))).toBe(false);
});

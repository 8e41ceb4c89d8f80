/** Stored code is found again, and a file that is damaged or from another build is never executed. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { openCodeCache } from '../../src/system/code-cache.ts';
import { temporaryFolder } from '../support/context.ts';
import { randomOf, seed } from '../support/random.ts';

const MADE = 'v20-x64-abc';
const me = process.geteuid?.();

// As the loader does. Without the second flag, V8 would return the script that it has compiled before.
setFlagsFromString('--verify-snapshot-checksum');
setFlagsFromString('--no-compilation-cache');

const bytes = (length: number, from: number) => Uint8Array.from({ length }, (_, index) => ((index * from) % 251) + 1);

/** A folder with a cache of two parts. */
function stored() {
  const folder = temporaryFolder();
  const parts = new Map([
    ['chunks/a.cjs', bytes(10_001, 3)],
    ['chunks/b.cjs', bytes(20_003, 7)],
  ]);
  openCodeCache(folder, MADE, me).store(parts, 5);
  const [name = ''] = readdirSync(folder);
  return { folder, parts, file: join(folder, name) };
}

test('each part is found again, aligned so that V8 need not copy it', () => {
  const { folder, parts, file } = stored();
  const cache = openCodeCache(folder, MADE, me);
  for (const [part, code] of parts) {
    const found = cache.codeOf(part);
    expect(found).toEqual(Buffer.from(code));
    expect((found?.byteOffset ?? 1) % 8).toBe(0);
  }
  expect(cache.codeOf('chunks/c.cjs')).toBeUndefined();
  expect([cache.knows(5), cache.knows(6)]).toEqual([true, false]);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('other parts and kinds of commands are kept when one is added', () => {
  const { folder, parts } = stored();
  const more = bytes(500, 11);
  openCodeCache(folder, MADE, me).store(new Map([['chunks/a.cjs', more]]), 9);
  const cache = openCodeCache(folder, MADE, me);
  expect(cache.codeOf('chunks/a.cjs')).toEqual(Buffer.from(more));
  expect(cache.codeOf('chunks/b.cjs')).toEqual(Buffer.from(parts.get('chunks/b.cjs') ?? []));
  expect([cache.knows(5), cache.knows(9)]).toEqual([true, true]);
});

test('what V8 compiled is accepted by V8', () => {
  const source = 'function f() { return 42 } f()';
  const script = new Script(source);
  script.runInThisContext();
  const folder = temporaryFolder();
  openCodeCache(folder, MADE, me).store(new Map([['p', script.createCachedData()]]), 1);
  const cachedData = openCodeCache(folder, MADE, me).codeOf('p') as Buffer;
  const again = new Script(source, { cachedData });
  expect([again.cachedDataRejected, again.runInThisContext()]).toEqual([false, 42]);
});

describe('it counts as empty', () => {
  const isEmpty = (folder: string, made = MADE) => openCodeCache(folder, made, me).codeOf('chunks/a.cjs') === undefined;

  test('for another build or Node', () => {
    const { folder, file } = stored();
    expect(isEmpty(folder, 'v20-x64-abd')).toBe(true);
    // Under the name of the other one, too.
    writeFileSync(file.replace('abc', 'abd'), readFileSync(file));
    expect(isEmpty(folder, 'v20-x64-abd')).toBe(true);
    expect(isEmpty(folder)).toBe(false);
  });

  test.each([
    '',
    '\n',
    '{}',
    'null',
    '[1]\nx',
    `{"made":"${MADE}"}`,
    `{"made":"${MADE}","parts":{},"kinds":5}`,
    `{"made":"${MADE}","parts":{"chunks/a.cjs":5},"kinds":[]}`,
    `{"made":"${MADE}","parts":{"chunks/a.cjs":[0,-1]},"kinds":[]}`,
    `{"made":"${MADE}","parts":{"chunks/a.cjs":[0,1e15]},"kinds":[]}`,
  ])('if its header is %j', (text) => {
    const { folder, file } = stored();
    for (const written of [text, text.padEnd(16 * 1024), text.padEnd(20_000)]) {
      writeFileSync(file, written);
      expect(isEmpty(folder)).toBe(true);
      openCodeCache(folder, MADE, me).store(new Map([['chunks/a.cjs', bytes(100, 3)]]), 1);
      expect(isEmpty(folder)).toBe(false);
    }
  });
});

describe.skipIf(me === undefined)('it counts as empty if another user could have written it', () => {
  const isEmpty = (folder: string, uid = me) => openCodeCache(folder, MADE, uid).codeOf('chunks/a.cjs') === undefined;

  test.each([0o620, 0o602, 0o666, 0o777])('permissions %o', (mode) => {
    const { folder, file } = stored();
    chmodSync(file, mode);
    expect(isEmpty(folder)).toBe(true);
    openCodeCache(folder, MADE, me).store(new Map([['chunks/a.cjs', bytes(100, 3)]]), 1);
    expect([isEmpty(folder), statSync(file).mode & 0o777]).toEqual([false, 0o600]);
  });

  test('another owner, unless it is root', () => {
    const { folder } = stored();
    expect(isEmpty(folder, (me ?? 0) + 1)).toBe(me !== 0);
    expect(isEmpty(folder, me)).toBe(false);
  });

  test.runIf(me === 0)('a file that was given away', () => {
    const { folder, file } = stored();
    chownSync(file, 1234, 1234);
    expect([isEmpty(folder), isEmpty(folder, 1234)]).toEqual([true, false]);
  });
});

test.skipIf(process.platform === 'win32').each(['pipe', 'link', 'folder', 'loop'])(
  'a %s in place of the file is replaced',
  (kind) => {
    const { folder, file } = stored();
    renameSync(file, `${file}.old`);
    if (kind === 'pipe') execFileSync('mkfifo', [file]);
    if (kind === 'link') symlinkSync(`${file}.old`, file);
    if (kind === 'folder') mkdirSync(file);
    if (kind === 'loop') symlinkSync(file, file);
    const cache = openCodeCache(folder, MADE, me);
    expect(cache.codeOf('chunks/a.cjs')).toBeUndefined();
    cache.store(new Map([['chunks/a.cjs', bytes(100, 3)]]), 1);
    expect(openCodeCache(folder, MADE, me).codeOf('chunks/a.cjs')).toEqual(Buffer.from(bytes(100, 3)));
  },
);

describe('damaged code is not run', () => {
  const sources = new Map(
    ['a', 'b'].map((name) => [`chunks/${name}.cjs`, `(() => { const text = '${name.repeat(9_000)}'; return text })()`]),
  );

  /** A folder with a cache of two programs. */
  function compiled() {
    const folder = temporaryFolder();
    const parts = new Map(
      [...sources].map(([part, source]) => {
        const script = new Script(source);
        script.runInThisContext();
        return [part, script.createCachedData()];
      }),
    );
    openCodeCache(folder, MADE, me).store(parts, 5);
    const [name = ''] = readdirSync(folder);
    return { folder, file: join(folder, name) };
  }

  /** Whether the code of each part is used. Fails if a program does something else. */
  function used(folder: string, cache = openCodeCache(folder, MADE, me)) {
    return [...sources].map(([part, source]) => {
      const cachedData = cache.codeOf(part);
      const script = new Script(source, cachedData && { cachedData });
      expect(script.runInThisContext()).toBe(part[7]?.repeat(9_000));
      return cachedData !== undefined && !script.cachedDataRejected;
    });
  }

  test('if blocks of the file are zeros, as after a power failure', () => {
    const { folder, file } = compiled();
    const whole = readFileSync(file);
    for (let block = 0; block * 512 < whole.length; block++) {
      writeFileSync(file, Buffer.from(whole).fill(0, block * 512, Math.min((block + 1) * 512, whole.length)));
      expect(used(folder), `block ${block}`).not.toEqual([true, true]);
    }
    writeFileSync(file, whole);
    expect(used(folder)).toEqual([true, true]);
  });

  test(`if a single byte of the file differs (seed ${seed})`, () => {
    const { folder, file } = compiled();
    const whole = readFileSync(file);
    const random = randomOf(seed);
    const unseen: number[] = [];
    for (let round = 0; round < 400; round++) {
      const damaged = Buffer.from(whole);
      const at = Math.floor(random() * whole.length);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (round % 8));
      writeFileSync(file, damaged);
      if (used(folder).every(Boolean)) unseen.push(at);
    }
    // A few bytes mean nothing: V8 leaves a gap in its header, and the kind of a command may become another one.
    expect(unseen.length, `${unseen}`).toBeLessThan(4);
  });

  test.each([0, 1, 100, 10_000, 20_000, 30_000])('if only %d bytes of the file were written', (length) => {
    const { folder, file } = compiled();
    truncateSync(file, length);
    expect(used(folder)).toEqual([length === 30_000, false]);
  });

  test('if another process has replaced the file since it was opened', () => {
    const { folder, file } = compiled();
    const whole = readFileSync(file);
    const cache = openCodeCache(folder, MADE, me);
    // The two parts have changed places. Their sources have the same length, so V8 would accept either.
    const half = 16 * 1024 + (whole.length - 16 * 1024) / 2;
    writeFileSync(
      file,
      Buffer.concat([whole.subarray(0, 16 * 1024), whole.subarray(half), whole.subarray(16 * 1024, half)]),
    );
    expect(used(folder, cache)).toEqual([false, false]);
    cache.store(new Map([['chunks/c.cjs', bytes(100, 2)]]), 5);
    const next = openCodeCache(folder, MADE, me);
    expect(next.codeOf('chunks/a.cjs')).toBeUndefined();
    expect(next.codeOf('chunks/c.cjs')).toEqual(Buffer.from(bytes(100, 2)));
  });
});

test('all parts of the tool and all kinds of commands fit in a file', () => {
  const folder = temporaryFolder();
  const dist = resolve(import.meta.dirname, '../../dist');
  const parts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.cjs'));
  expect(parts.length).toBeGreaterThan(50);
  for (let kind = 0; kind < 256; kind++)
    openCodeCache(folder, MADE, me).store(
      new Map(kind === 0 ? parts.map((part) => [part, bytes(12_345, 3)]) : []),
      kind,
    );
  const cache = openCodeCache(folder, MADE, me);
  expect([parts.every((part) => cache.codeOf(part)), cache.knows(0), cache.knows(255)]).toEqual([true, true, true]);
});

test('caches of versions that are no longer used are deleted', () => {
  const { folder, file } = stored();
  const day = 24 * 60 * 60;
  for (const [name, days] of [
    ['old.code', 31],
    ['recent.code', 29],
  ] as const) {
    writeFileSync(join(folder, name), '');
    const time = Date.now() / 1000 - days * day;
    utimesSync(join(folder, name), time, time);
  }
  openCodeCache(folder, MADE, me).store(new Map(), 6);
  expect(readdirSync(folder).sort()).toEqual(['recent.code', file.slice(folder.length + 1)].sort());
});

test('a folder that cannot be written to is not an error', () => {
  const folder = join(temporaryFolder(), 'missing');
  expect(() => openCodeCache(folder, MADE, me).store(new Map([['p', bytes(9, 2)]]), 1)).not.toThrow();
});

/** What the tool remembers is used only if no other user could have written it. */
import { appendFileSync, chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recallWorkspace, rememberWorkspace } from '../../src/store/known-workspaces.ts';
import { recallLink, rememberLink } from '../../src/store/last-link.ts';
import { keepListed, readCachedValues } from '../../src/store/listed.ts';
import { trust, trustOf } from '../../src/store/trusted-files.ts';
import { temporaryFolder } from '../support/context.ts';

const me = process.geteuid?.();
const digest = 'a'.repeat(64);
const document = { path: '/somewhere/.dtp.json', content: Buffer.from('{}') };

/** Each store: writes a value into a folder, and reads it again. */
const stores = {
  'remembered workspaces': {
    write: (folder: string) => rememberWorkspace(folder, digest, 'w_1'),
    read: (folder: string) => recallWorkspace(folder, digest, me),
  },
  'the last URL': {
    write: (folder: string) =>
      rememberLink(folder, { kind: 'run', url: 'https://x.example/1', base_url: 'b', profile: 'p' }),
    read: (folder: string) => recallLink(folder, me),
  },
  'cached lists': {
    write: (folder: string) => keepListed(folder, 'key', 1, [{ value: 'v', help: '' }]),
    read: (folder: string) => readCachedValues(folder, 'key', 1, me),
  },
  'trust records': {
    write: (folder: string) => trust(folder, document),
    read: (folder: string) => (trustOf(folder, document, me) === 'trusted' ? true : undefined),
  },
};

describe.skipIf(me === undefined).each(Object.entries(stores))('%s', (_, { write, read }) => {
  const written = async () => {
    const folder = join(temporaryFolder(), 'store');
    mkdirSync(folder);
    await write(folder);
    const [name = ''] = readdirSync(folder);
    expect(read(folder)).toBeDefined();
    return { folder, file: join(folder, name) };
  };

  test('a file or folder that others can write is ignored', async () => {
    const { folder, file } = await written();
    for (const [path, mode] of [
      [file, 0o620],
      [file, 0o602],
      [folder, 0o770],
      [folder, 0o707],
    ] as const) {
      chmodSync(path, mode);
      expect(read(folder), `${path} ${mode.toString(8)}`).toBeUndefined();
      chmodSync(path, path === file ? 0o600 : 0o700);
    }
    expect(read(folder)).toBeDefined();
  });

  test('a file that is too large is ignored, whatever it contains', async () => {
    const { folder, file } = await written();
    appendFileSync(file, ' '.repeat(1024 ** 2));
    expect(read(folder)).toBeDefined();
    appendFileSync(file, ' '.repeat(16 * 1024 ** 2));
    expect(read(folder)).toBeUndefined();
  });

  test.runIf(me === 0)("another user's file or folder is ignored", async () => {
    const { folder, file } = await written();
    for (const path of [file, folder]) {
      chownSync(path, 1234, 1234);
      expect(read(folder), path).toBeUndefined();
      chownSync(path, 0, 0);
    }
    expect(read(folder)).toBeDefined();
  });
});

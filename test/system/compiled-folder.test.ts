/** V8 executes the compiled code, so only a folder that nobody else can write to is used. */
import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compiledFolder as folderIn } from '../../src/system/compiled-folder.ts';
import { temporaryFolder } from '../support/context.ts';

const me = process.getuid?.();
const compiledFolder = (
  place: { readonly env: Readonly<Record<string, string>>; readonly home: string },
  uid: number | undefined,
  cwd = '/nowhere',
) => folderIn({ ...place, cwd }, uid);
const at = (state: string) => ({ env: { DTP_STATE_DIR: state }, home: '/nowhere' });

test('it is created with its parents, with private permissions', () => {
  const home = temporaryFolder();
  const folder = compiledFolder({ env: {}, home }, me);
  expect(folder).toBe(join(home, '.local/state/dtp/compiled'));
  expect(statSync(folder as string).mode & 0o777).toBe(0o700);
  expect(compiledFolder({ env: {}, home }, me)).toBe(folder);
});

describe.skipIf(me === undefined)('it is not used', () => {
  const made = (mode: number, above = 0o700) => {
    const state = join(temporaryFolder(), 'state');
    mkdirSync(join(state, 'compiled'), { recursive: true });
    chmodSync(join(state, 'compiled'), mode);
    chmodSync(state, above);
    return state;
  };

  test('if others may write to it', () => {
    expect(compiledFolder(at(made(0o755, 0o755)), me)).toBeDefined();
    for (const [own, above] of [[0o777], [0o770], [0o702], [0o700, 0o777], [0o700, 0o720]] as const)
      expect(compiledFolder(at(made(own, above)), me), `${own.toString(8)} ${above?.toString(8)}`).toBeUndefined();
  });

  test('if it belongs to another user', () => {
    const state = made(0o700);
    // Root can change every file anyway, so files of root are accepted.
    expect(compiledFolder(at(state), (me ?? 0) + 1)).toBe(me === 0 ? join(state, 'compiled') : undefined);
    if (me === 0)
      for (const one of ['compiled', '.']) {
        chownSync(join(state, one), 1234, 1234);
        expect(compiledFolder(at(state), me), one).toBeUndefined();
        chownSync(join(state, one), 0, 0);
      }
  });

  test('if it would be in the current folder', () => {
    for (const state of ['state', './state']) expect(compiledFolder(at(state), me)).toBeUndefined();
    expect(compiledFolder({ env: { XDG_STATE_HOME: 'state' }, home: temporaryFolder() }, me)).toMatch(/^\//);
  });

  test('if it is a link or a file, or cannot be created', () => {
    const state = temporaryFolder();
    symlinkSync(temporaryFolder(), join(state, 'compiled'));
    expect(compiledFolder(at(state), me)).toBeUndefined();
    const other = temporaryFolder();
    writeFileSync(join(other, 'compiled'), '');
    expect(compiledFolder(at(other), me)).toBeUndefined();
    expect(compiledFolder(at('/proc/nothing/here'), me)).toBeUndefined();
  });

  test('if it would be in the repository of the current folder, by name or through a link', () => {
    const repository = temporaryFolder();
    const outside = temporaryFolder();
    mkdirSync(join(repository, '.git'));
    mkdirSync(join(repository, 'src'));
    symlinkSync(repository, join(outside, 'link'));
    for (const state of [join(repository, 'state'), join(outside, 'link', 'state')])
      for (const cwd of [repository, join(repository, 'src')])
        expect(compiledFolder(at(state), me, cwd), `${state} in ${cwd}`).toBeUndefined();
    expect(compiledFolder(at(join(outside, 'state')), me, repository)).toBeDefined();
    expect(compiledFolder(at(join(repository, 'state')), me, outside)).toBeDefined();
  });
});

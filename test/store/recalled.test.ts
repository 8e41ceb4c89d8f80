/** A remembered answer is given again only to the same key press, within a minute, while all its files are unchanged. */
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CompletionRequest, completionsFolder, keepAnswer, recallAnswer } from '../../src/store/recalled.ts';
import { temporaryFolder } from '../support/context.ts';

const answer = 'w_1\tPets\n';
/** When the list was cached, in milliseconds. */
const at = 1_700_000_000_000;

/** A key press in a folder below a repository, and its answer, remembered. */
function remembered(more: Partial<CompletionRequest> = {}) {
  const home = temporaryFolder();
  const cwd = join(home, 'repository', 'docs');
  mkdirSync(cwd, { recursive: true });
  const env = {
    DTP_CONFIG_DIR: join(home, 'config'),
    DTP_STATE_DIR: join(home, 'state'),
    DTP_PROFILE: 'work',
  };
  const press: CompletionRequest = { argv: ['__complete', 'workspaces'], env, home, cwd, ...more };
  const list = join(completionsFolder(press), 'list.json');
  mkdirSync(completionsFolder(press), { recursive: true });
  mkdirSync(join(home, 'config'));
  writeFileSync(join(home, 'config', 'config.json'), '{}');
  writeFileSync(list, '[]');
  utimesSync(list, at / 1000, at / 1000);
  keepAnswer(press, list, answer);
  return { press, list, home };
}

test('the same key press gets the same answer for a minute', () => {
  const { press } = remembered();
  expect(recallAnswer(press, at)).toBe(answer);
  expect(recallAnswer(press, at + 59_999)).toBe(answer);
  expect(recallAnswer(press, at + 60_000)).toBeUndefined();
  // The clock was set back.
  expect(recallAnswer(press, at - 1)).toBeUndefined();
});

type World = ReturnType<typeof remembered>;

test.each<[string, (world: World) => Partial<CompletionRequest>]>([
  ['another list', () => ({ argv: ['__complete', 'tags', 'pets'] })],
  ['another profile', ({ press }) => ({ env: { ...press.env, DTP_PROFILE: 'local' } })],
  ['a workspace in the environment', ({ press }) => ({ env: { ...press.env, DTP_WORKSPACE_ID: 'w_1' } })],
  ['a credential in the environment', ({ press }) => ({ env: { ...press.env, DTP_API_KEY: 'k-1' } })],
  ['another folder', ({ home }) => ({ cwd: join(home, 'repository') })],
  ['another home folder', () => ({ home: '/' })],
])('%s: another key press', (_, change) => {
  const world = remembered();
  expect(recallAnswer({ ...world.press, ...change(world) }, at)).toBeUndefined();
});

test.each<[string, (world: World) => void]>([
  ['a changed configuration', ({ home }) => writeFileSync(join(home, 'config/config.json'), '{ }')],
  ['a new list of trusted files', ({ home }) => writeFileSync(join(home, 'config/trusted.json'), '{}')],
  ['a new .dtp.json above', ({ home }) => writeFileSync(join(home, 'repository/.dtp.json'), '{}')],
  ['a new repository', ({ home }) => mkdirSync(join(home, 'repository/docs/.git'))],
  ['a new list', ({ list }) => writeFileSync(list, '[ ]')],
  ['a deleted list', ({ list }) => rmSync(list)],
  [
    'an answer that was written in part',
    ({ press }) => {
      const folder = completionsFolder(press);
      for (const name of readdirSync(folder).filter((one) => one.startsWith('answer-')))
        writeFileSync(join(folder, name), readFileSync(join(folder, name)).subarray(0, -5));
    },
  ],
])('%s makes it invalid', (_, change) => {
  const world = remembered();
  expect(recallAnswer(world.press, at)).toBe(answer);
  change(world);
  expect(recallAnswer(world.press, at)).toBeUndefined();
});

describe('secrets', () => {
  const env = { DTP_API_KEY: 'k-s3cret', DTP_TOKEN: 't-s3cret', DTP_WORKSPACE_IDENTIFIER: 'w-s3cret' };

  test('of the environment are not stored', () => {
    const home = temporaryFolder();
    const { press } = remembered({
      env: { ...env, DTP_STATE_DIR: join(home, 's'), DTP_CONFIG_DIR: join(home, 'c') },
    });
    const folder = completionsFolder(press);
    const names = readdirSync(folder);
    expect(names).toHaveLength(2);
    for (const name of names) expect(name + readFileSync(join(folder, name), 'utf8')).not.toContain('s3cret');
    expect(recallAnswer(press, at)).toBe(answer);
  });

  test.each([
    [['__complete', '--proxy', 'http://me:pa55@127.0.0.1:1', 'workspaces']],
    [['__complete', '--fresh', 'workspaces']],
  ])('nothing is remembered of %j', (argv) => {
    const { press } = remembered({ argv });
    expect(readdirSync(completionsFolder(press))).toEqual(['list.json']);
    expect(recallAnswer(press, at)).toBeUndefined();
  });
});

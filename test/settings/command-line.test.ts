/** The arguments and values of a suggested command stay what they are, whatever they begin with. */
import { describe, expect, test } from 'vitest';
import { argvOf, commandLine, type Word } from '../../src/settings/command-line.ts';

describe('arguments and values may be anything', () => {
  const flag = '--base-url=http://evil.test';
  test.each<[words: readonly Word[], more: readonly Word[], argv: string]>([
    [['ws', 'get', ['w_1'], '--wait'], [], 'ws get w_1 --wait'],
    [['ws', 'use', [flag]], [], `ws use -- ${flag}`],
    [['jobs', 'get', [flag], '--wait', ['--profile', 'p']], [], `jobs get --wait --profile p -- ${flag}`],
    [['tags', 'list', ['a'], ['-b'], '-r', ['c']], [], 'tags list -r -- a -b c'],
    [
      ['ws', 'list', ['--profile', '-x'], ['-w', '-x'], ['--lock-id', flag]],
      [],
      `ws list --profile=-x -w-x --lock-id=${flag}`,
    ],
    [['ws', 'list', ['--profile', '--']], [], 'ws list --profile=--'],
    [['api', ['-'], ['--body', '-']], [], 'api - --body -'],
    // What is added to a command line with `--` comes before it, unless it is an argument.
    [['tags', 'list', '--', '-a'], [['b'], ['-w', 'c'], '--wait'], 'tags list -w c --wait -- -a b'],
    [['tags', 'list', 'a'], [['-b']], 'tags list a -- -b'],
    [['dev', '--', 'npm', 'test', '--silent'], [['--port', '80']], 'dev --port 80 -- npm test --silent'],
  ])('%j and %j', (words, more, argv) => {
    expect(argvOf(words, more).join(' ')).toBe(argv);
  });

  test('a value is never taken for a flag that a person must add', () => {
    expect(commandLine(['ws', 'create', ['--name', '--yes'], ['-w', '-y']])).toBe('dtp ws create --name=--yes -w-y');
    expect(commandLine(['ws', 'use', ['--yes']])).toBe('dtp ws use -- COMMAND');
  });
});

/**
 * A flag with one value that is passed twice, with different values, is refused on every command. A global flag is not,
 * because aliases set it.
 */
import { expect, test } from 'vitest';
import { openParser, Stop } from '../../src/cli/commander.ts';
import type { CommandEntry } from '../../src/tree/entry.ts';
import { flagsAt, needsValue } from '../../src/tree/line.ts';
import { rootCommand } from '../../src/tree/tree.ts';
import { dtp } from '../support/context.ts';

const runnable = (entry: CommandEntry): readonly CommandEntry[] =>
  entry.commands.length > 0 ? entry.commands.flatMap(runnable) : [entry];

/** The reason why the parser stops, if it does. */
async function stopOf(argv: readonly string[]): Promise<string | undefined> {
  const parser = openParser(
    async () => undefined,
    () => undefined,
  );
  const error = await parser.parse(argv).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (error !== undefined && !(error instanceof Stop)) throw error;
  return error?.message;
}

test('every flag of every command', async () => {
  const wrong: string[] = [];
  let count = 0;
  for (const command of runnable(rootCommand))
    for (const flag of flagsAt(command)) {
      if (!needsValue(flag) || flag.variadic) continue;
      const [one = 'a', other = flag.choices === undefined ? 'b' : one] = flag.choices ?? [];
      const args = command.arguments.map(({ name, choices }) => choices?.[0] ?? name);
      const line = [...command.words, ...args];
      const twice = await stopOf([...line, flag.name, one, flag.name, other]);
      const same = await stopOf([...line, flag.name, one, flag.name, one]);
      const refused = !flag.repeatable && flag.group !== 'global' && one !== other;
      count++;
      if ((twice === 'repeated flag') !== refused || same === 'repeated flag')
        wrong.push(`${line.join(' ')} ${flag.name}`);
    }
  expect(count).toBeGreaterThan(500);
  expect(wrong).toEqual([]);
});

test.each([
  ['events search --type LINT --type CI_EXEC', '--type'],
  ['events list --limit 3 -L 4', '--limit'],
])('dtp %s', async (line, flag) => {
  const { code, stdout, stderr } = await dtp(line.split(' '));
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(`${flag} has two different values`)]);
});

test('the last one of two global flags counts', async () => {
  const { code, stdout } = await dtp(['version', '-o', 'json', '--output=yaml']);
  expect([code, stdout.startsWith('{')]).toEqual([0, false]);
});

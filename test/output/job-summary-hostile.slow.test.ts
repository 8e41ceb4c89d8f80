/** Hostile strings in everything that gets into the summary, the annotations and the log of a CI job. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { write } from '../support/artifacts.ts';
import { hostileMarkup } from '../support/hostile-markup.ts';
import { commandsIn } from '../support/runner.ts';
import { answersOf, job, trigger, upload } from '../support/summary-job.ts';

test('300 hostile strings as errors, names, tags, statuses and messages', async () => {
  const { cwd, run, parsed, text } = job();
  write(cwd, { 'lint.html': '<p>' });
  const files = ['GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_OUTPUT'];
  const more = Object.fromEntries(files.map((name) => [name, join(cwd, '..', name)]));
  for (const file of Object.values(more)) writeFileSync(file, '');
  for (const hostile of hostileMarkup) {
    const event = { id: '1', interaction_type: 'CI_EXEC', success: false, error: hostile };
    const name = hostile.replace(/[/\0]|[\ud800-\udfff]/g, '').slice(0, 60);
    write(cwd, { [name]: '<p>' });
    const world = { env: more };
    const all = [
      await run(['events', 'post', '--no-spool', '--body', JSON.stringify(event)], [422, { message: hostile }], world),
      await run(
        [...upload.slice(0, 2), '--file', `./${name}`, '--type', hostile],
        [200, { url: 'https://store.example.test/r' }],
        world,
      ),
      await run(
        [...trigger, '--wait-timeout', '4s'],
        answersOf({ run_url: 'https://ci.example.test/2', run_status: hostile }),
        world,
      ),
      await run(['artifacts', 'push', 'lint.html', `pets:${hostile.replaceAll('\0', '')}`], [500], world),
      await run(['artifacts', 'push', 'lint.html', hostile.replaceAll('\0', '')], [500], world),
    ];
    renameSync(join(cwd, name), join(cwd, 'used'));
    for (const { stderr, stdout } of all)
      for (const { name: command } of commandsIn(`${stdout}\n${stderr}`)) expect(command).toMatch(/^(error|warning)$/);
  }
  const { rows, others, links } = parsed();
  expect(others).toEqual([]);
  expect(rows).toHaveLength(1500);
  expect(new Set(rows.map((row) => row.length))).toEqual(new Set([4]));
  expect(new Set(links)).toEqual(new Set(['https://store.example.test/r']));
  expect(
    text()
      .split('\n')
      .filter((line) => /^(::|##\[|section)/.test(line.trim())),
  ).toEqual([]);
  for (const file of Object.values(more)) expect(readFileSync(file, 'utf8')).toBe('');
});

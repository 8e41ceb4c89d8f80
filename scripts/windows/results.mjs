/** Reads the results of a run of tests on Windows. Tests that cannot pass there are listed, with the reason. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const listed = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../test/windows/posix-only.json'), 'utf8'));

/** Test files that would wait for something that never comes. */
export const notRun = Object.entries(listed).flatMap(([reason, files]) =>
  reason.startsWith('Not run: ') ? files : [],
);

/** `file`, or `file > name of a test`, which may end with `*`. */
const rows = Object.values(listed)
  .flat()
  .map((row) => {
    const [file, name] = row.split(' > ');
    const isOf = (test) =>
      name === undefined || (name.endsWith('*') ? test.startsWith(name.slice(0, -1)) : test === name);
    return { row, file, isOf };
  });

/**
 * Returns the counts of a run, and a line for each failed test that is not listed, for each row of the list that nothing
 * needs, and for what did not run: Vitest counts the tests of a process that crashed as skipped. Listed tests that fail
 * count as skipped. `expected` has the names of all files.
 */
export function readResults(report, output, expected) {
  const log = output === undefined ? '' : stripVTControlCharacters(readFileSync(output, 'utf8'));
  if (!existsSync(report)) {
    const end = log.trimEnd().split('\n').slice(-20);
    return { count: { passed: 0, failed: 1, skipped: 0 }, lines: ['the tests did not run', ...end] };
  }
  const count = { passed: 0, failed: 0, skipped: 0 };
  const lines = [];
  const fail = (line) => {
    count.failed++;
    lines.push(line);
  };
  if (expected.length === 0) fail('no test file has such a name');
  const results = new Map(JSON.parse(readFileSync(report, 'utf8')).testResults.map((one) => [fileOf(one.name), one]));
  for (const file of expected) {
    const { assertionResults: tests = [], status, message } = results.get(file) ?? {};
    const own = rows.filter((row) => row.file === file);
    const needed = new Set();
    for (const test of tests) {
      const row = own.find(({ isOf }) => isOf(test.fullName));
      if (test.status === 'pending') fail(`${file} > ${test.fullName}: did not end`);
      else if (test.status !== 'failed') count[test.status === 'passed' ? 'passed' : 'skipped']++;
      else if (row === undefined) fail(`${file} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
      else {
        needed.add(row);
        count.skipped++;
      }
    }
    const isLoaded = tests.length > 0 && (status !== 'failed' || tests.some((test) => test.status === 'failed'));
    const whole = own.find(({ row }) => row === file);
    if (!isLoaded && whole === undefined) fail(`${file}: ${firstLine(message) || 'did not run'}`);
    else if (!isLoaded) needed.add(whole);
    if (!isLoaded || tests.some((test) => test.status === 'pending')) continue;
    for (const row of own) if (!needed.has(row)) lines.push(`passes, and need not be listed: ${row.row}`);
  }
  for (const [error] of log.matchAll(/^(?:wine: Unhandled|Vitest caught).*/gm)) fail(error);
  return { count, lines };
}

const fileOf = (name) => name.replaceAll('\\', '/').replace(/^.*?\/(?=test\/)/, '');

const firstLine = (message = '') => message.split('\n')[0];

/** `N passed, N failed, N skipped` */
export function sum(counts) {
  const total = (kind) => counts.reduce((all, count) => all + count[kind], 0);
  return ['passed', 'failed', 'skipped'].map((kind) => `${total(kind)} ${kind}`).join(', ');
}

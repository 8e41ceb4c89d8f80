/** Reads the results of a run of tests on Windows. Tests that cannot pass there are listed, with the reason. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

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
 * Returns the counts of a run, and a line for each failed test that is not listed, and for each row of the list that
 * nothing needs. Listed tests that fail count as skipped.
 */
export function readResults(report, output) {
  if (!existsSync(report)) {
    const end = output === undefined ? [] : readFileSync(output, 'utf8').trimEnd().split('\n').slice(-20);
    return { count: { passed: 0, failed: 1, skipped: 0 }, lines: ['the tests did not run', ...end] };
  }
  const count = { passed: 0, failed: 0, skipped: 0 };
  const lines = [];
  const needed = new Set();
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const fail = (line) => {
    count.failed++;
    lines.push(line);
  };
  for (const { name, assertionResults: tests, status, message } of testResults) {
    const file = name.replaceAll('\\', '/').replace(/^.*?\/(?=test\/)/, '');
    const own = rows.filter((row) => row.file === file);
    for (const test of tests) {
      const row = own.find(({ isOf }) => isOf(test.fullName));
      if (test.status !== 'failed') count[test.status === 'passed' ? 'passed' : 'skipped']++;
      else if (row === undefined) fail(`${file} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
      else {
        needed.add(row.row);
        count.skipped++;
      }
    }
    const isLoaded = status !== 'failed' || tests.some((test) => test.status === 'failed');
    if (isLoaded) continue;
    const row = own.find(({ row }) => row === file);
    if (row) needed.add(row.row);
    else fail(`${file}: ${firstLine(message)}`);
  }
  const files = new Set(testResults.map(({ name }) => name.replaceAll('\\', '/').replace(/^.*?\/(?=test\/)/, '')));
  for (const { row, file } of rows)
    if (files.has(file) && !needed.has(row)) lines.push(`passes, and need not be listed: ${row}`);
  return { count, lines };
}

const firstLine = (message = '') => message.split('\n')[0];

/** `N passed, N failed, N skipped` */
export function sum(counts) {
  const total = (kind) => counts.reduce((all, count) => all + count[kind], 0);
  return ['passed', 'failed', 'skipped'].map((kind) => `${total(kind)} ${kind}`).join(', ');
}

/** The results of `npm run test:windows`: what did not run to its end is a failure. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readResults } from '../../scripts/windows/results.mjs';
import { write } from '../support/artifacts.ts';
import { temporaryFolder } from '../support/context.ts';

const file = 'test/a.test.ts';
/** This file is listed as a whole. */
const listed = 'test/system/compiled-folder.test.ts';

const testOf = (status: string) => ({ fullName: 't', status, failureMessages: ['wrong\nat a line'] });
const resultOf = (name: string, status: string, tests: readonly string[], message = '') => ({
  ...{ name: `C:\\t\\${name.replaceAll('/', '\\')}`, status, message },
  assertionResults: tests.map(testOf),
});

test.each([
  ['passed tests', [resultOf(file, 'passed', ['passed', 'passed'])], '', '2 0 0'],
  ['a skipped test', [resultOf(file, 'passed', ['passed', 'skipped'])], '', '1 0 1'],
  ['a failed test', [resultOf(file, 'failed', ['passed', 'failed'])], '', '1 1 0', `${file} > t: wrong`],
  [
    'a test that did not end',
    [resultOf(file, 'passed', ['passed', 'pending'])],
    '',
    '1 1 0',
    `${file} > t: did not end`,
  ],
  ['a file without results', [resultOf(file, 'passed', [])], '', '0 1 0', `${file}: did not run`],
  ['a file that is missing', [], '', '0 1 0', `${file}: did not run`],
  ['a file that cannot be loaded', [resultOf(file, 'failed', [], 'no\nat')], '', '0 1 0', `${file}: no`],
  ['a hook that failed', [resultOf(file, 'failed', ['passed'], 'no hook')], '', '1 1 0', `${file}: no hook`],
  [
    'a crash',
    [resultOf(file, 'passed', ['passed'])],
    'wine: Unhandled page fault\n',
    ...['1 1 0', 'wine: Unhandled page fault'],
  ],
  [
    'an error outside of a test',
    [resultOf(file, 'passed', ['passed'])],
    '\x1b[31mVitest caught 1 unhandled error\x1b[39m\n',
    ...['1 1 0', 'Vitest caught 1 unhandled error'],
  ],
])('%s', (_, testResults, log, counts, ...lines) => {
  const folder = write(temporaryFolder(), { 'r.json': JSON.stringify({ testResults }), 'r.log': log });
  const [passed, failed, skipped] = counts.split(' ').map(Number);
  expect(readResults(join(folder, 'r.json'), join(folder, 'r.log'), [file])).toEqual({
    count: { passed, failed, skipped },
    lines,
  });
});

test.each([
  ['fails', 'failed', ['failed'], '0 0 1'],
  ['cannot be loaded', 'failed', [], '0 0 0'],
  ['did not end', 'passed', ['pending'], '0 1 0', `${listed} > t: did not end`],
  ['passes', 'passed', ['passed'], '1 0 0', `passes, and need not be listed: ${listed}`],
])('a listed test that %s', (_, status, tests, counts, ...lines) => {
  const testResults = [resultOf(listed, status, tests)];
  const folder = write(temporaryFolder(), { 'r.json': JSON.stringify({ testResults }) });
  const [passed, failed, skipped] = counts.split(' ').map(Number);
  expect(readResults(join(folder, 'r.json'), undefined, [listed])).toEqual({
    count: { passed, failed, skipped },
    lines,
  });
});

test('a name that no test file has is a failure', () => {
  const folder = write(temporaryFolder(), { 'r.json': '{"testResults":[]}' });
  expect(readResults(join(folder, 'r.json'), undefined, []).count.failed).toBe(1);
});

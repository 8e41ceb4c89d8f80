/** Any command line: a documented exit code, a sentence if it failed, never a stack. `DTP_SEED` repeats a run. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { exitCodes } from '../../src/errors.ts';
import { closedWorld, said } from '../support/closed-world.ts';
import { commandLine } from '../support/command-lines.ts';
import { dtp, type Ended } from '../support/context.ts';
import { dtp as runProcess } from '../support/process.ts';
import { rounds, seed } from '../support/random.ts';

const LINES = rounds(1000, 10_000);
const PROCESSES = rounds(40, 500);
const AT_ONCE = 4;

const root = mkdtempSync(join(tmpdir(), 'dtp-lines-'));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));

/** A folder to run in, deleted afterwards. */
async function within<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(root, 'home-'));
  mkdirSync(join(folder, 'work'));
  writeFileSync(join(folder, 'work', 'body.json'), '{"name":"x"}');
  writeFileSync(join(folder, 'work', 'events.ndjson'), '{"id":"1"}\n{"id":"2"}\n');
  return work(folder).finally(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
}

const documented: readonly number[] = [0, ...Object.values(exitCodes)].filter((code) => code !== exitCodes.error);

/** Their result reports how far they came, whatever the exit code (contract: Streams, and the README on each). */
const alwaysPrints = /^(auth status|doctor|events post|events queue flush|api)\b/;

const isJsonLines = (text: string): boolean =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .every((line) => {
      JSON.parse(line);
      return true;
    });

function check(argv: readonly string[], { code, stdout, stderr }: Ended): void {
  const label = `${JSON.stringify(argv)} (seed ${seed})\nexited with ${code}\n${stderr.slice(0, 2000)}`;
  expect(documented, label).toContain(code);
  const typed = argv.join(' ');
  if (!typed.includes('--debug')) expect(stderr, label).not.toMatch(/\n\s+at .*[:(]/);
  expect(stderr, label).not.toMatch(
    /(Type|Reference|Range|Syntax|URI)Error|is not a function|is not iterable|Cannot read prop|\[object |Invalid Date/,
  );
  // The SDK of the protocol words the errors about an agent's messages.
  if (!/undefined|NaN|^mcp\b/.test(typed)) expect(stderr, label).not.toMatch(/\bundefined\b|\bNaN\b/);
  if (code === 0) return;
  const error = stderr.split('\n').find((line) => line.startsWith('{"error":'));
  if (error !== undefined) {
    const known = JSON.parse(error).error;
    expect(known, label).toMatchObject({ exit_code: code, code: expect.stringMatching(/^[a-z_]+$/) });
    expect(known.message, label).toMatch(/\w/);
  } else expect(stderr, label).toMatch(/error:[\s\S]* .*\w/);
  if (stdout !== '' && !alwaysPrints.test(typed)) expect(isJsonLines(stdout), label).toBe(true);
}

const stdin = fc.constantFrom(
  '',
  '{"name":"x"}',
  '[{"id":"1"},{"id":"2"}]',
  '{"id":"1"}\n{"id"',
  'k-1\n',
  '\u0000\u001b',
  'a: [1',
  '# only a comment',
);
const env = fc.constantFrom<Readonly<Record<string, string>>>(
  { DTP_BASE_URL: 'https://a.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' },
  {
    DTP_BASE_URL: 'https://a.test',
    DTP_API_KEY: 'k-1',
    DTP_WORKSPACE_ID: 'w_1',
    DTP_ORGANIZATION_SLUG: 'acme',
    DTP_WORKSPACE_SLUG: 'main',
  },
  { DTP_BASE_URL: 'https://a.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1', DTP_ERROR_FORMAT: 'json' },
  { DTP_BASE_URL: 'https://a.test', DTP_API_KEY: 'k-1' },
  { DTP_BASE_URL: 'https://a.test' },
  {},
  { DTP_BASE_URL: 'not a URL', DTP_TIMEOUT: 'soon', DTP_OUTPUT: 'nope' },
);

test(`${LINES} command lines exit as documented (seed ${seed})`, async () => {
  const line = fc.asyncProperty(commandLine, said, stdin, env, fc.boolean(), async (argv, answer, given, vars, tty) =>
    within(async (home) => {
      const world = {
        ...closedWorld(answer),
        home,
        cwd: join(home, 'work'),
        env: { ...vars, TERM: 'dumb' },
        stdin: given,
        tty,
      };
      check(argv, await dtp(argv, world));
    }),
  );
  await fc.assert(line, { seed, numRuns: LINES });
});

test(`${PROCESSES} of them as whole processes (seed ${seed})`, async () => {
  const lines = fc.sample(fc.tuple(commandLine, stdin), { seed, numRuns: PROCESSES });
  const vars = {
    DTP_BASE_URL: 'http://127.0.0.1:1',
    DTP_API_KEY: 'k-1',
    DTP_WORKSPACE_ID: 'w_1',
    DTP_TIMEOUT: '3s',
  };
  const queue = [...lines];
  const worker = async () => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const [argv, given] = next;
      await within(async (folder) => {
        check(argv, await runProcess(folder, argv, { env: vars, stdin: given, cwd: join(folder, 'work') }));
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
});

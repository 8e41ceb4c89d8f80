import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { isText } from './scripts/bundle/texts.mjs';
import { seedOf } from './test/support/seed.ts';

/** Imports some files as strings, as the bundle does. */
const textFiles = {
  name: 'text-files',
  transform: (code: string, id: string) => (isText(id) ? `export default ${JSON.stringify(code)}` : undefined),
};

/**
 * Run before a release and in CI: other Nodes, other programs, whole packages, long lists, faults of the machine, and the
 * files that take longest.
 */
const isSlow = (name: string) => /^test\/(release|reliability)\/|\.slow\.test\.ts$/.test(name);

/** Run by scripts/windows.mjs, which sets up Wine. */
const isOfWindows = (name: string) => name.endsWith('.windows.test.ts');

const all = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/${name.replaceAll('\\', '/')}`);

/** A file that replaces a module would replace it for the files after it too: it gets a separate process. */
const replaces = (name: string) => readFileSync(name, 'utf8').includes('vi.mock(');

/** Measures how long the service takes: nothing else may run meanwhile. */
const measures = (name: string) => name.startsWith('test/service/stands/');

const suiteOf = (mode: string) => {
  if (mode === 'windows') return all.filter(isOfWindows);
  if (mode === 'long') return all.filter((name) => name.startsWith('test/reliability/'));
  return all.filter((name) => isSlow(name) === (mode === 'release') && !isOfWindows(name));
};

const project = (name: string, test: NonNullable<TestProjectInlineConfiguration['test']>) =>
  ({ extends: true, test: { name, ...test } }) satisfies TestProjectInlineConfiguration;

// Independent of the user's umask, because the tool refuses files that others may write to.
process.umask(0o022);
// Independent of the user's time zone, in which the tool shows times. Tests of time zones set one.
process.env.TZ = 'UTC';

export default defineConfig(async ({ mode }) => {
  const suite = suiteOf(mode);
  const suites = mode === 'release' ? await import('./test/support/database-suite.ts') : undefined;
  const database = suites?.databaseSuite(all) ?? [];
  const team = suites?.teamSuite() ?? [];
  return {
    plugins: [textFiles],
    test: {
      projects: [
        // The source is loaded once for many files, because it has no state (test/layers.test.ts).
        project('shared', { include: suite.filter((name) => !replaces(name) && !measures(name)), isolate: false }),
        project('alone', { include: suite.filter(replaces) }),
        project('measured', { include: suite.filter(measures), maxWorkers: 1, sequence: { groupOrder: 1 } }),
        ...(database.length > 0
          ? [project('database', { include: database, isolate: false, globalSetup: 'test/support/databases.ts' })]
          : []),
        ...(team.length > 0 ? [project('team', { include: team, env: { DTP_TEST_TEAM: '1' } })] : []),
      ],
      reporters: ['default', './test/support/tally.ts'],
      // Most tests wait for disks, sockets and processes: more of them at once than there are cores.
      maxWorkers: 4,
      // Only for tests that hang: a machine that is twenty times slower also passes.
      testTimeout: mode === 'long' ? 7_200_000 : 1_200_000,
      hookTimeout: 1_200_000,
      expect: { poll: { timeout: 1_200_000 } },
      env: {
        // The same for all files, even if it is random.
        DTP_SEED: String(seedOf(process.env.DTP_SEED)),
        // Only set in that mode, so that a variable from outside also counts.
        ...(mode === 'long' && { DTP_LONG: '1' }),
      },
    },
  };
});

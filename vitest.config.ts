import { defineConfig } from 'vitest/config';
import { seedOf } from './test/support/seed.ts';

/** As the bundle has them (scripts/bundle/options.mjs). */
const scriptsAsTexts = {
  name: 'scripts-as-texts',
  transform: (code: string, id: string) =>
    /\.(bash|zsh|fish|ps1)$/.test(id) ? `export default ${JSON.stringify(code)}` : undefined,
};

// Whatever the umask of who runs the tests: a file that others may write to is refused in several places.
process.umask(0o022);

export default defineConfig(({ mode }) => ({
  plugins: [scriptsAsTexts],
  test: {
    // Other Nodes, the executable, the measurements, other people's clients: before a release, and in CI.
    include: [mode === 'release' ? 'test/release/*.test.ts' : 'test/**/*.test.ts'],
    exclude: mode === 'release' ? [] : ['test/release/**'],
    reporters: ['default', './test/support/tally.ts'],
    // Most tests wait for disks, sockets and processes: more of them at once than there are cores.
    maxWorkers: 4,
    // For what hangs alone: a machine that is twenty times slower passes too.
    testTimeout: mode === 'long' ? 7_200_000 : 1_200_000,
    hookTimeout: 1_200_000,
    env: {
      // One for all files, also if it was drawn.
      DTP_SEED: String(seedOf(process.env.DTP_SEED)),
      // Set in that mode alone, so that a variable from outside counts too.
      ...(mode === 'long' && { DTP_LONG: '1' }),
    },
  },
}));

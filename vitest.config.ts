import { defineConfig } from 'vitest/config';

/** As the bundle has them (scripts/bundle/options.mjs). */
const scriptsAsTexts = {
  name: 'scripts-as-texts',
  transform: (code: string, id: string) =>
    /\.(bash|zsh|fish|ps1)$/.test(id) ? `export default ${JSON.stringify(code)}` : undefined,
};

export default defineConfig(({ mode }) => ({
  plugins: [scriptsAsTexts],
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/support/tally.ts'],
    // Most tests wait more than they compute; one worker, which is what two cores get otherwise, takes twice as long.
    maxWorkers: 2,
    // For what hangs alone: nothing is timed.
    testTimeout: mode === 'long' ? 7_200_000 : 300_000,
    hookTimeout: 300_000,
    // Set in that mode alone, so that a variable from outside counts too.
    env: mode === 'long' ? { DTP_LONG: '1' } : {},
  },
}));

import { defineConfig } from 'vitest/config';

/** As the bundle has them (scripts/bundle/options.mjs). */
const scriptsAsTexts = {
  name: 'scripts-as-texts',
  transform: (code: string, id: string) =>
    /\.(bash|zsh|fish|ps1)$/.test(id) ? `export default ${JSON.stringify(code)}` : undefined,
};

export default defineConfig({
  plugins: [scriptsAsTexts],
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/support/tally.ts'],
    // Most tests wait more than they compute; one worker, which is what two cores get otherwise, takes twice as long.
    maxWorkers: 2,
    testTimeout: 60_000,
  },
});

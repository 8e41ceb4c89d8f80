/** `dtp init` names the profile once, at the end. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/context.ts';
import { hasScript, terminal } from '../support/terminal.ts';

test.skipIf(!hasScript)('on a terminal: the embedded service is named once', async () => {
  const folder = temporaryFolder();
  const env = { HOME: folder, SHELL: '/bin/bash', DTP_CONFIG_DIR: join(folder, 'config') };
  const { code, screen } = await terminal(folder, 'init --local --no-event', {
    env,
    typed: [['Install completions', `n\r`]],
  });
  expect(code, screen).toBe(0);
  expect(screen.match(/^.*\bprofile\b.*$/gm)).toEqual([expect.stringMatching(/^ {2}profile +local/)]);
});

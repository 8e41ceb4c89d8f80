/** Bundles src/ into dist/: the tool and the process for documents, in chunks, so that a command loads only its own part. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';
import { groupOf } from './bundle/chunks.mjs';
import { load } from './bundle/load.mjs';
import { input, output } from './bundle/options.mjs';
import { noticesOf } from './notices.mjs';

for (const folder of ['dist', 'man']) rmSync(folder, { recursive: true, force: true });

const names = { entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name].cjs' };

const bundles = await build([
  {
    ...input,
    input: 'src/start.ts',
    output: {
      ...output,
      ...names,
      dir: 'dist',
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: groupOf, debugName: 'by need' }],
      },
    },
  },
  {
    ...input,
    input: 'src/service/document-process.ts',
    output: { ...output, ...names, dir: 'dist/service', codeSplitting: false },
  },
]);

// The help, which is the same every time.
const { allPages } = await load('src/cli/help/pages.ts');
for (const [name, page] of allPages()) {
  const file = join('dist/still', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(page));
}

// What else the package holds and git does not: made here, as `npm pack` runs no script where .npmrc forbids it.
writeFileSync('THIRD-PARTY-NOTICES', noticesOf(bundles));
execFileSync(process.execPath, ['bin/dtp.cjs', 'help', '--man', 'man'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});

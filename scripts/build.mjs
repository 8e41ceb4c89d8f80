/** Bundles src/ into dist/: the tool and the process for documents, in chunks, so that a command loads only its own part. */
import { rmSync } from 'node:fs';
import { build } from 'rolldown';
import { groupOf } from './bundle/chunks.mjs';
import { input, output } from './bundle/options.mjs';

rmSync('dist', { recursive: true, force: true });

const names = { entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name].cjs' };

await build([
  {
    ...input,
    input: 'src/main.ts',
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

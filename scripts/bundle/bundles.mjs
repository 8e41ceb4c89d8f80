/** The bundles of dist/: the tool, in chunks, so that a command loads only its own part; and the process for documents. */
import { groupOf } from './chunks.mjs';
import { input, output } from './options.mjs';

const names = { entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name].cjs' };

export const bundles = [
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
];

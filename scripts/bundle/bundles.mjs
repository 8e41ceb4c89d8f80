/** The bundles of dist/: the tool, in chunks, so that a command loads only its own part; and the process for documents. */
import { groupOf } from './chunks.mjs';
import { input, output } from './options.mjs';

/** A warning of the bundler breaks the build, or nobody would read it. */
const onLog = (level, log, report) => report(level === 'warn' ? 'error' : level, log);

const names = { entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name].cjs' };

export const bundles = [
  {
    ...input,
    onLog,
    input: 'src/start.ts',
    output: {
      ...output,
      ...names,
      dir: 'dist',
      // Read when an error is shown under --debug, and by nothing else: the chunks do not name them.
      sourcemap: 'hidden',
      sourcemapExcludeSources: true,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: groupOf, debugName: 'by need' }],
      },
    },
  },
  {
    ...input,
    onLog,
    input: 'src/service/document-process.ts',
    output: { ...output, ...names, dir: 'dist/service', codeSplitting: false },
  },
];

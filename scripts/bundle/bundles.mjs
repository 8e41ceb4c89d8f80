/** The bundles in dist/: the tool, in chunks so that a command loads only its part, the document process, and the loader. */
import { groupOf } from './chunks.mjs';
import { input, output } from './options.mjs';

/** A warning of the bundler fails the build. Otherwise nobody would read it. */
const onLog = (level, log, report) => report(level === 'warn' ? 'error' : level, log);

/** The parts that start.cjs loads to answer without the rest. The loader compiles them without the code cache. */
const first = ['print', 'recalled', 'rolldown-runtime'];

const names = {
  entryFileNames: '[name].cjs',
  chunkFileNames: ({ name }) => (first.includes(name) ? '[name].cjs' : 'chunks/[name].cjs'),
};

export const bundles = [
  {
    ...input,
    onLog,
    input: { start: 'src/start.ts', 'service/thread': 'src/service/database/thread.ts' },
    output: {
      ...output,
      ...names,
      dir: 'dist',
      // Maps are only read when --debug shows an error, so the chunks do not refer to them.
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
  {
    ...input,
    onLog,
    input: 'src/expressions/thread.ts',
    output: { ...output, ...names, dir: 'dist/expressions', codeSplitting: false },
  },
];

/** The entry of the package. `digest` identifies the code of the other bundles, which it loads. */
export const loaderBundle = (digest) => ({
  ...input,
  onLog,
  input: 'src/load.ts',
  transform: { ...input.transform, define: { BUILD: JSON.stringify(digest) } },
  output: { ...output, ...names, dir: 'dist', codeSplitting: false },
});

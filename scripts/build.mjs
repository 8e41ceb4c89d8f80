/** Bundles src/ into dist/: the tool and the process for documents, in chunks, so that a command loads only its own part. */
import { rmSync } from 'node:fs';
import { build } from 'rolldown';
import { input, output } from './bundle/options.mjs';

rmSync('dist', { recursive: true, force: true });

/** What main.ts always loads stands in one file: each file more costs its part of a millisecond. */
const groups = [{ name: 'core', tags: ['$initial'] }];
const names = { entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name].cjs' };

await build([
  { ...input, input: 'src/main.ts', output: { ...output, ...names, dir: 'dist', codeSplitting: { groups } } },
  {
    ...input,
    input: 'src/service/document-process.ts',
    output: { ...output, ...names, dir: 'dist/service', codeSplitting: false },
  },
]);

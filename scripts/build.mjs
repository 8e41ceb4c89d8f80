/** Bundles src/ into dist/: the tool and the process for documents, in chunks, so that a command loads only its own part. */
import { rmSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/main.ts', 'src/service/document-process.ts'],
  outbase: 'src',
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.18',
  minify: true,
  legalComments: 'none',
  chunkNames: 'chunks/[name]-[hash]',
  // What stands still in the completion scripts.
  loader: { '.bash': 'text', '.zsh': 'text', '.fish': 'text', '.ps1': 'text' },
  // A native driver cannot be bundled.
  external: ['libsql'],
  // CommonJS packages in an ES module call require.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});

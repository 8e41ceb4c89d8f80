/** A small program over src/ as one file that Node runs by itself, for tests of several processes. */
import { resolve } from 'node:path';
import { build, type Plugin } from 'rolldown';

const root = resolve(import.meta.dirname, '../..');
const entry = resolve(root, 'program.ts');

/** Writes `source`, whose paths are those of the checkout, to `file`. */
export async function bundle(source: string, file: string): Promise<void> {
  const program: Plugin = {
    name: 'program',
    resolveId: (id) => {
      if (id === entry) return id;
      // A native driver is not bundled, and not found beside `file`.
      return id === 'libsql'
        ? { id: resolve(root, 'node_modules/libsql/index.js'), external: 'absolute' }
        : null;
    },
    load: (id) => (id === entry ? source : null),
  };
  await build({
    input: entry,
    cwd: root,
    platform: 'node',
    plugins: [program],
    output: { file, format: 'esm', codeSplitting: false },
    logLevel: 'silent',
  });
}

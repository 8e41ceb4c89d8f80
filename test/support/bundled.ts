/** A small program over src/, bundled into one file that plain Node can run, for tests with several processes. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'rolldown';

const root = resolve(import.meta.dirname, '../..');
const entry = resolve(root, 'program.ts');
const driver = String(pathToFileURL(resolve(root, 'node_modules/libsql/index.js')));

/** Bundles `source`, whose imports are relative to the checkout, into `file`. */
export async function bundle(source: string, file: string): Promise<void> {
  const program: Plugin = {
    name: 'program',
    resolveId: (id) => {
      if (id === entry) return id;
      // A native driver is not bundled, and cannot be found next to `file`.
      return id === 'libsql' ? { id: driver, external: true } : null;
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

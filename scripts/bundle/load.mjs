/** A file of src/ as a module of this process: what the tool itself would run. */
import { createRequire } from 'node:module';
import { build } from 'rolldown';
import { input } from './options.mjs';

/** The exports of a file below the checkout. */
export async function load(file) {
  const { output } = await build({
    ...input,
    input: file,
    write: false,
    output: { format: 'cjs', codeSplitting: false },
  });
  const module = { exports: {} };
  new Function('module', 'exports', 'require', output[0].code)(
    module,
    module.exports,
    createRequire(import.meta.url),
  );
  return module.exports;
}

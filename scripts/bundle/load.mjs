/** Loads a file of src/ into this process, bundled as in the tool. */
import { createRequire } from 'node:module';
import { build } from 'rolldown';
import { input } from './options.mjs';

/** The exports of a file, whose path is relative to the checkout. */
export async function load(file) {
  const { output } = await build({
    ...input,
    input: file,
    write: false,
    output: { format: 'cjs', codeSplitting: false },
  });
  const module = { exports: {} };
  new Function('module', 'exports', 'require', output[0].code)(module, module.exports, createRequire(import.meta.url));
  return module.exports;
}

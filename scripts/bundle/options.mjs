/** How src/ is bundled: for the package, in chunks, and for the executable, in one file. */
import { resolve } from 'node:path';

const empty = (why) => `throw new Error(${JSON.stringify(why)});`;

/** What packages load and the tool never uses. */
const replaced = {
  // conf checks a schema where it is given one.
  'ajv/dist/2020.js': 'export const Ajv2020 = undefined;',
  'ajv-formats': 'export default { default: undefined };',
  // undici goes without it, where it is not there.
  'node:http2': empty('no HTTP/2'),
};

const lean = {
  name: 'lean',
  resolveId: {
    filter: { id: /^(undici|ajv\/dist\/2020\.js|ajv-formats|node:http2)$/ },
    handler: (id) => (id === 'undici' ? resolve(import.meta.dirname, 'undici.cjs') : { id: `\0${id}` }),
  },
  load: {
    filter: { id: /^\0/ },
    handler: (id) => replaced[id.slice(1)],
  },
};

export const input = {
  platform: 'node',
  transform: { target: 'node20.18' },
  // What stands still in the completion scripts.
  moduleTypes: { '.bash': 'text', '.zsh': 'text', '.fish': 'text', '.ps1': 'text' },
  // A native driver cannot be bundled.
  external: ['libsql'],
  plugins: [lean],
};

/** CommonJS, which Node starts sooner than modules. */
export const output = { format: 'cjs', minify: true, comments: false };

/** How src/ is bundled: what of packages comes along, and when a part is loaded. */
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const ASSERT = `module.exports = (holds, message = 'undici is in a state that cannot be') => {
  if (!holds) throw Object.assign(new Error(message), { code: 'ERR_ASSERTION' });
};`;

/** What packages load at their start and the tool never uses, as the source of a module; some of it for one package alone. */
const unused = {
  // conf checks a schema where it is given one.
  'ajv/dist/2020.js': { source: 'export const Ajv2020 = undefined;' },
  'ajv-formats': { source: 'export default { default: undefined };' },
  // It is told its folder, and this one fails for a user who has none.
  'env-paths': { source: 'export default () => ({ config: undefined });' },
  // HTTP/2, which is not asked for.
  './client-h2.js': { source: 'module.exports = undefined;', of: /undici/ },
  // Of what it brings, undici uses the function alone.
  'node:assert': { source: ASSERT, of: /undici/ },
  // It asks whether a body is a message that node:http received, and for a limit that it is given.
  'node:http': { source: 'exports.IncomingMessage = class {}; exports.maxHeaderSize = 16384;', of: /undici/ },
};

const lean = {
  name: 'lean',
  resolveId(id, importer = '') {
    if (id === 'undici') return resolve(import.meta.dirname, 'undici.cjs');
    const { of } = unused[id] ?? {};
    return id in unused && (of?.test(importer) ?? true) ? { id: `\0${id}` } : null;
  },
  load: (id) => (id.startsWith('\0') ? (unused[id.slice(1)]?.source ?? null) : null),
};

/**
 * A chunk, and a module of Node's own, is loaded when something of it is first used: a chunk holds more than one command
 * needs. Until then its name stands for what would load it.
 */
const later = {
  name: 'later',
  renderChunk(code) {
    const wrapped = new Map(
      [...code.matchAll(WRAPPED)].map(([, name, before, after]) => [name, { before, after }]),
    );
    const lazy = code.replace(REQUIRED, (line, indent, name, id) => {
      if (AT_ONCE.has(id)) return line;
      const { before, after } = wrapped.get(name) ?? { before: '', after: '' };
      wrapped.delete(name);
      return `${indent}let ${name} = later(() => (${name} = ${before}require("${id}")${after}));`;
    });
    return {
      code: `${lazy.replace(WRAPPED, (line, name) => (wrapped.has(name) ? line : ''))}\n${LATER}`,
      map: null,
    };
  },
};

/** A module under a name of its own, and what makes it one with a default. */
const REQUIRED = /^(\s*)(?:let|const) ([\w$]+) = require\(["'](node:[\w/]+|\.[\w./-]+)["']\);$/gm;
const WRAPPED = /^([\w$]+) = ([\w$.]+\()\1((?:, 1)?\));$/gm;

/** Those that are what is used, not what holds it; and the helpers of the chunks, which all of them use at once. */
const AT_ONCE = new Set([
  'node:assert',
  'node:events',
  'node:module',
  'node:process',
  'node:stream',
  './rolldown-runtime.cjs',
  './chunks/rolldown-runtime.cjs',
]);

const LATER = `function later(load) {
  return new Proxy({}, { get: (_, key) => load()[key] });
}`;

/** yaml has modules for bundles alone. */
const YAML = join(
  dirname(createRequire(import.meta.url).resolve('yaml/package.json')),
  'browser/dist/index.js',
);

export const input = {
  platform: 'node',
  // As modules, of which only what is used is taken.
  resolve: { alias: { yaml: YAML } },
  treeshake: { moduleSideEffects: [{ test: /[\\/]yaml[\\/]browser[\\/]/, sideEffects: false }] },
  transform: { target: 'node20.18' },
  // What stands still in the completion scripts.
  moduleTypes: { '.bash': 'text', '.zsh': 'text', '.fish': 'text', '.ps1': 'text' },
  // Its driver is native.
  external: ['libsql'],
  // A chunk that others need may be the entry itself.
  preserveEntrySignatures: 'allow-extension',
  plugins: [lean, later],
};

/** CommonJS, which Node starts sooner than modules. */
export const output = { format: 'cjs', minify: true, comments: false };

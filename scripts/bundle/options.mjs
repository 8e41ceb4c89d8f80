/** How src/ is bundled: which parts of packages are included, and when each part is loaded. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { moduleTypes } from './texts.mjs';

const ASSERT = `module.exports = (holds, message = 'undici is in an impossible state') => {
  if (!holds) throw Object.assign(new Error(message), { code: 'ERR_ASSERTION' });
};`;

/** Modules that packages load at start but the tool never uses, with their replacements. `of` limits one to a package. */
const unused = {
  // conf uses it only to check a schema, which the tool does not pass.
  'ajv/dist/2020.js': { source: 'export const Ajv2020 = undefined;' },
  'ajv-formats': { source: 'export default { default: undefined };' },
  // conf gets its folder from the tool, and env-paths fails for a user without a home folder.
  'env-paths': { source: 'export default () => ({ config: undefined });' },
  // A source of random bytes, which hashing does not need.
  '@noble/hashes/crypto': { source: 'export const crypto = undefined;' },
  // HTTP/2, which the tool never requests.
  './client-h2.js': { source: 'module.exports = undefined;', of: /undici/ },
  // A faster way to lower-case the names of well-known headers, which takes longer to build than a command needs it.
  './tree': { source: 'exports.tree = { lookup: () => undefined };', of: /undici/ },
  // undici uses only the function itself.
  'node:assert': { source: ASSERT, of: /undici/ },
  // undici checks whether a body is an incoming message, and reads a limit that the tool sets anyway.
  'node:http': { source: 'exports.IncomingMessage = class {}; exports.maxHeaderSize = 16384;', of: /undici/ },
};

const own = (file) => resolve(import.meta.dirname, file);
const { resolve: packageFile } = createRequire(import.meta.url);

/** libsql's own file, whose path the package does not export. */
const LIBSQL = packageFile('libsql');

const lean = {
  name: 'lean',
  resolveId(id, importer = '') {
    if (id === 'undici') return own('undici.cjs');
    // libsql.cjs includes libsql, and loads the installed package only if that fails.
    if (id === 'libsql') return importer === own('libsql.cjs') ? { id, external: true } : own('libsql.cjs');
    if (id === 'libsql/index.js') return LIBSQL;
    if (id === '@neon-rs/load' || id === 'detect-libc') return own('libsql-target.cjs');
    const { of } = unused[id] ?? {};
    return id in unused && (of?.test(importer) ?? true) ? { id: `\0${id}` } : null;
  },
  load: (id) => (id.startsWith('\0') ? (unused[id.slice(1)]?.source ?? null) : null),
};

/** undici's parser is a file of bytes. As text in a program, it would also be read, decoded and cached with the code. */
const PARSER = './llhttp.wasm';
const parser = {
  name: 'parser',
  resolveId: (id) => (id === PARSER ? { id, external: true } : null),
  load: (id) => (id.endsWith('llhttp_simd-wasm.js') ? `module.exports = require('${PARSER}');` : null),
};

/** Writes the parser of undici into a folder of programs. */
export const writeParser = (folder) =>
  writeFileSync(join(folder, PARSER), createRequire(packageFile('undici'))('./lib/llhttp/llhttp_simd-wasm.js'));

/** The parts of jq-wasm that are replaced: the environment, and the output, which could grow until memory runs out. */
const replaced = [
  [
    '{ USER: "web_user", LOGNAME: "web_user", PATH: "/", PWD: "/", HOME: "/home/web_user", LANG: lang, _: getExecutableName() }',
    '{}',
  ],
  ['new Uint8Array(bytes.length * 2)', 'new Uint8Array(bytes.length < 2 ** 26 ? bytes.length * 2 : -1)'],
];

const bounded = {
  name: 'bounded',
  transform(code, id) {
    if (!/jq-wasm[\\/]dist[\\/]index\.mjs$/.test(id)) return null;
    for (const [from, to] of replaced) {
      if (code.split(from).length !== 2) throw new Error(`jq-wasm has no ${from}`);
      code = code.replace(from, to);
    }
    return { code, map: null };
  },
};

/**
 * Chunks and Node's modules are loaded when something in them is first used, because a chunk has more than one command
 * needs. Until then, the variable is a proxy that loads it.
 */
const later = {
  name: 'later',
  renderChunk(code) {
    const wrapped = new Map([...code.matchAll(WRAPPED)].map(([, name, before, after]) => [name, { before, after }]));
    const lazy = code.replace(REQUIRED, (line, indent, name, id) => {
      if (AT_ONCE.has(id)) return line;
      const { before, after } = wrapped.get(name) ?? { before: '', after: '' };
      wrapped.delete(name);
      return `${indent}let ${name} = later(() => (${name} = ${before}require("${id}")${after}));`;
    });
    const whole = lazy.replace(WRAPPED, (line, name) => (wrapped.has(name) ? line : ''));
    return { code: `${withExports(whole)}\n${LATER}`, map: null };
  },
};

/** A chunk or Node module that is assigned to a variable, and the call that adds a default export to it. */
const REQUIRED = /^(\s*)(?:let|const) ([\w$]+) = require\(["'](node:[\w/]+|\.[\w./-]+)["']\);$/gm;
const WRAPPED = /^([\w$]+) = ([\w$.]+\()\1((?:, 1)?\));$/gm;

/** Modules that are themselves a function or class, and the helpers of the chunks, which every chunk uses at once. */
const AT_ONCE = new Set([
  'node:assert',
  'node:events',
  'node:process',
  'node:stream',
  './rolldown-runtime.cjs',
  '../rolldown-runtime.cjs',
]);

/** Exports what is never assigned again by its value: a getter for each would be code that every command loads. */
function withExports(code) {
  const values = [];
  const rest = code.replace(EXPORTED, (text, name, value) => {
    if (new RegExp(`^let ${value.replaceAll('$', '\\$')}\\b`, 'm').test(code)) return text;
    values.push(`${name}: ${value}`);
    return '';
  });
  return values.length === 0 ? code : `${rest}\nObject.assign(exports, { ${values.join(', ')} });`;
}

const EXPORTED =
  /^Object\.defineProperty\(exports, ['"]([\w$]+)['"], \{\s*enumerable: true,\s*get: function ?\(\) \{\s*return ([\w$]+);\s*\}\s*\}\);$/gm;

const LATER = `function later(load) {
  return new Proxy({}, { get: (_, key) => load()[key] });
}`;

/** The variant of yaml for bundlers. */
const YAML = join(dirname(packageFile('yaml/package.json')), 'browser/dist');

export const input = {
  platform: 'node',
  // These are ES modules, whose unused parts are left out.
  resolve: { alias: { 'yaml/util': join(YAML, 'util.js'), yaml: join(YAML, 'index.js') } },
  treeshake: { moduleSideEffects: [{ test: /[\\/]yaml[\\/]browser[\\/]/, sideEffects: false }] },
  transform: { target: 'node20.18' },
  moduleTypes,
  // A native driver cannot be bundled.
  external: [/^@libsql\//],
  // The entry may be a chunk that other chunks import.
  preserveEntrySignatures: 'allow-extension',
  plugins: [lean, parser, bounded, later],
};

/** CommonJS, which Node starts faster than ES modules. */
export const output = { format: 'cjs', minify: true, comments: false };

/**
 * Writes V8's code caches of the parts after running common commands, so that the caches have the functions they call.
 * `node warm.cjs PARTS CACHES`: the folder of the parts, and the folder for the caches.
 */
const { execFileSync } = require('node:child_process');
const { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');
const { columnOffset, partLoader } = require('../../src/system/parts.ts');

const [, , parts, caches] = process.argv;
const scripts = new Map();
const load = partLoader({
  root: parts,
  compile: (path) => {
    const script = new Script(readFileSync(join(parts, path), 'latin1'), { filename: path, columnOffset });
    scripts.set(path, script);
    return script;
  },
  bytes: (path) => readFileSync(join(parts, path)),
  // The same as in start.cjs.
  outside: (id) => {
    if (id.startsWith('@libsql/')) throw new Error(`there is no ${id}`);
    return id === 'libsql' ? load('libsql.cjs') : require(id);
  },
});

/**
 * Where a cache contains the digest of V8's flags. Those of this process only make the caches the same in every run, so
 * the caches get the digest of a process without flags: V8 refuses a cache with another digest.
 */
const FLAGS_AT = 12;
const flags = execFileSync(process.execPath, [
  ...['-e', 'process.stdout.write(new vm.Script("").createCachedData())'],
]).subarray(FLAGS_AT, FLAGS_AT + 4);

const { setTimeout: wait } = globalThis;
// On a slow machine, timeouts would call functions that are not called otherwise.
globalThis.setTimeout = (work, milliseconds, ...values) =>
  wait(milliseconds > 100 ? () => undefined : work, milliseconds, ...values);

const { exit } = process;
// The tool exits a second after its command, but here more commands follow.
process.exit = () => undefined;

const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json');
  response.end('{"id":"1"}');
});
server.listen(0, '127.0.0.1', async () => {
  const { start } = load('start.cjs');
  const held = (name) => {
    const file = join(parts, 'still', name);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };
  const address = `http://127.0.0.1:${server.address().port}`;
  const lines = [
    ['--version'],
    ['--help'],
    ['auth', 'user', '--base-url', address],
    ['auth', 'user', '--base-url', address, '-o', 'table'],
    ['ws', 'list', '--profile', 'local', '-o', 'table'],
    ['ws', 'tokens', 'list', '--profile', 'local'],
  ];
  for (const line of lines) {
    process.argv = [process.execPath, process.execPath, ...line];
    await start(held);
    if (process.exitCode) exit(process.exitCode);
  }
  // The other parts, so that at least their top-level code is cached.
  for (const name of readdirSync(join(parts, 'chunks'))) load(`chunks/${name}`);
  for (const [path, script] of scripts) {
    const file = join(caches, `${path}.cache`);
    mkdirSync(dirname(file), { recursive: true });
    const data = script.createCachedData();
    flags.copy(data, FLAGS_AT);
    writeFileSync(file, data);
  }
  exit(0);
});

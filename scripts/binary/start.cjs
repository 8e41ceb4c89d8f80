/** The entry of the executable: it loads the tool's parts from inside itself. */
const { join } = require('node:path');
const { getAssetKeys, getRawAsset } = require('node:sea');
const { Script } = require('node:vm');
const { columnOffset, partLoader } = require('../../src/system/parts.ts');

const kept = new Set(getAssetKeys());

/** As if the executable were the package's folder. */
const root = join(process.execPath, 'dist');

const bytes = (name) => Buffer.from(getRawAsset(name));

const compile = (path) => {
  const cache = `${path}.cache`;
  return new Script(bytes(path).toString('latin1'), {
    filename: join(root, path),
    columnOffset,
    ...(kept.has(cache) ? { cachedData: new Uint8Array(getRawAsset(cache)) } : {}),
  });
};

// In the package, these names are a native driver and its file, which the executable does not have.
const outside = (id) => {
  if (id.startsWith('@libsql/')) throw new Error(`there is no ${id}`);
  return id === 'libsql' ? load('libsql.cjs') : require(id);
};

const load = partLoader({ root, compile, bytes, outside });

// By default, this is the name of the executable as the user typed it.
process.argv[1] = process.execPath;

/** The embedded service starts its document process by its file name, as it does with Node. */
const documents = 'service/document-process.cjs';
if (process.argv[2] === join(root, documents)) load(documents);
else {
  const held = (name) => (kept.has(`still/${name}`) ? bytes(`still/${name}`).toString() : undefined);
  void load('start.cjs').start(held);
}

/** The entry of the executable: it loads the tool's parts from inside itself. */
const { join } = require('node:path');
const { getAssetKeys, getRawAsset } = require('node:sea');
const { Script } = require('node:vm');
const { columnOffset, loader } = require('./load.cjs');

const kept = new Set(getAssetKeys());

/** The path of a part, as if the executable were the package's folder. */
const place = (path) => join(process.execPath, 'dist', path);

const textOf = (name) => Buffer.from(getRawAsset(name)).toString();

const load = loader((path) => {
  const cache = `${path}.cache`;
  return new Script(textOf(path), {
    filename: place(path),
    columnOffset,
    ...(kept.has(cache) ? { cachedData: new Uint8Array(getRawAsset(cache)) } : {}),
  });
}, place);

// By default, this is the name of the executable as the user typed it.
process.argv[1] = process.execPath;

/** The embedded service starts its document process by its file name, as it does with Node. */
const documents = 'service/document-process.cjs';
if (process.argv[2] === place(documents)) load(documents);
else {
  const held = (name) => (kept.has(`still/${name}`) ? textOf(`still/${name}`) : undefined);
  void load('start.cjs').start(held);
}

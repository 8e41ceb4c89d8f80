/** Loads the parts of the tool as Node loads files: each one once, when it is first required. */
const { dirname, posix } = require('node:path');

const HEAD = '(function (exports, require, module, __filename, __dirname) {';

/** A part, wrapped as a function with the parameters that Node passes to each file. */
const wrap = (source) => `${HEAD}${source}\n})`;

/** For vm.Script: without it, columns in a stack trace would not match the source maps. */
const columnOffset = -HEAD.length;

/**
 * Returns a function that loads a part by its path below dist/. `compile` makes a vm.Script of a wrapped part. `place`
 * returns the file name that a part sees.
 */
function loader(compile, place) {
  const modules = new Map();
  const load = (path) => {
    const known = modules.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(path, module);
    const near = (id) => {
      if (id.startsWith('.')) return load(posix.join(posix.dirname(path), id));
      // In the package, this name is a native driver.
      return id === 'libsql' ? load('libsql.cjs') : require(id);
    };
    compile(path).runInThisContext()(module.exports, near, module, place(path), dirname(place(path)));
    return module.exports;
  };
  return load;
}

module.exports = { columnOffset, loader, wrap };

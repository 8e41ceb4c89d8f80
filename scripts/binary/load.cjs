/** Loads the parts of the tool as Node loads files: each once, and when it is first asked for. */
const { dirname, posix } = require('node:path');

const HEAD = '(function (exports, require, module, __filename, __dirname) {';

/** A part as a function of what Node gives each file. */
const wrap = (source) => `${HEAD}${source}\n})`;

/** For vm.Script: the places of a stack are those of the part itself, which the source maps are of. */
const columnOffset = -HEAD.length;

/**
 * Gives a function that loads a part by its path below dist/. `compile` makes a vm.Script of a wrapped part, `place` is
 * the file that a part takes itself for.
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
      // Named as in the package, where it is a native driver.
      return id === 'libsql' ? load('libsql.cjs') : require(id);
    };
    compile(path).runInThisContext()(module.exports, near, module, place(path), dirname(place(path)));
    return module.exports;
  };
  return load;
}

module.exports = { columnOffset, loader, wrap };

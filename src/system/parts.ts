/** Loads the built files of the tool like Node's `require`: each file is loaded once, when it is first required. */
import { dirname, join, posix } from 'node:path';
import type { Script } from 'node:vm';

const HEAD = '(function (exports, require, module, __filename, __dirname) {';

/**
 * Wraps the source of a part in a function with the parameters that Node passes to each file. The build does this,
 * because V8 would copy a source that is put together at run time.
 */
export const wrapModule = (source: string): string => `${HEAD}${source}\n})`;

/** The column offset for vm.Script. Without it, columns in stack traces would not match the source maps. */
export const columnOffset = -HEAD.length;

export interface PartLoader {
  /** The folder that corresponds to dist/. */
  readonly root: string;
  /** Wraps and compiles the part with this path below dist/. */
  readonly compile: (path: string) => Script;
  /** Reads the part with this path below dist/, which is not a program. */
  readonly bytes: (path: string) => Uint8Array;
  /** Loads a module of Node or of another package. */
  readonly outside: (id: string) => unknown;
}

/** Returns a function that loads a part by its path below dist/, and returns its exports. */
export function partLoader({ root, compile, bytes, outside }: PartLoader): (path: string) => unknown {
  const modules = new Map<string, { readonly exports: unknown }>();
  const load = (path: string): unknown => {
    const known = modules.get(path);
    if (known) return known.exports;
    if (path.endsWith('.wasm')) return bytes(path);
    const module = { exports: {} };
    modules.set(path, module);
    const near = (id: string) => (id.startsWith('.') ? load(posix.join(posix.dirname(path), id)) : outside(id));
    const file = join(root, path);
    compile(path).runInThisContext()(module.exports, near, module, file, dirname(file));
    return module.exports;
  };
  return load;
}

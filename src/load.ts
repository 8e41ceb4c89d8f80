/** Loads the files of the built tool, with the compiled code that earlier commands cached. bin/dtp.cjs calls it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { type CodeCache, openCodeCache } from './system/code-cache.ts';
import { compiledFolder } from './system/compiled-folder.ts';
import { findHome } from './system/folders.ts';
import { columnOffset, partLoader } from './system/parts.ts';
import { GROWING, isTested } from './system/young-objects.ts';

/** A digest of all parts, inserted by the build. V8 itself only checks the length of the source, not its content. */
declare const BUILD: string;

/** How long storing code may delay the exit, in milliseconds. */
const STORE_MS = 8;

const root = import.meta.dirname;
const scripts = new Map<string, Script>();
/** The parts that were compiled without cached code. */
const uncached = new Set<string>();
let cache: CodeCache | undefined;
let isOpen = false;
/** Whether V8 accepted the cached code of an earlier part. */
let isAccepted = false;

/** Loads a part, which is a file of dist/, and returns its exports. The path is relative to dist/. */
export const load = partLoader({
  root,
  compile,
  bytes: (part) => readFileSync(join(root, part)),
  outside: (id) => process.getBuiltinModule(id) ?? createRequire(import.meta.filename)(id),
});

function compile(part: string): Script {
  const filename = join(root, part);
  // All parts are ASCII, and Latin-1 is read faster than UTF-8.
  const source = readFileSync(filename, 'latin1');
  // The entry point prints help without loading anything else, and it is too small to be worth caching.
  if (!part.startsWith('chunks/')) return new Script(source, { filename, columnOffset });
  if (!isOpen) open();
  const cachedData = cache?.codeOf(part);
  const read = () => new Script(source, { filename, columnOffset, ...(cachedData && { cachedData }) });
  let script = read();
  if (script.cachedDataRejected && isAccepted && isTested) {
    // The part is needed in the middle of long work.
    setFlagsFromString(GROWING);
    script = read();
  }
  isAccepted ||= script.cachedDataRejected === false;
  // All cached code was compiled by the same V8 with the same flags, so V8 would reject the rest too.
  if (script.cachedDataRejected) cache?.clear();
  if (!cachedData || script.cachedDataRejected) uncached.add(part);
  scripts.set(part, script);
  return script;
}

/** Sets V8 flags and opens the code cache. The flags come first, because V8 rejects code compiled with other flags. */
function open(): void {
  isOpen = true;
  const { env, geteuid, version, arch } = process;
  // V8 then checks that cached code is not damaged.
  setFlagsFromString('--verify-snapshot-checksum');
  // undici's parser is WebAssembly. V8 would spend up to 100 ms and 30 MB on optimizing it.
  if (isTested) setFlagsFromString('--no-wasm-tier-up --no-wasm-dynamic-tiering');
  if (env.NODE_DISABLE_COMPILE_CACHE) return;
  const uid = geteuid?.();
  const place = {
    env,
    home: findHome(),
    get cwd() {
      return process.cwd();
    },
  };
  const folder = compiledFolder(place, uid);
  if (folder === undefined) return;
  cache = openCodeCache(folder, `${version}-${arch}-${BUILD}`, uid);
  process.on('exit', () => store(cache));
}

/** Stores the compiled code of this command at its exit, unless a similar command has already done so. */
function store(cache: CodeCache | undefined): void {
  const kind = kindOf(process.argv);
  if (uncached.size === 0 && cache?.knows(kind)) return;
  const begun = performance.now();
  const made = new Map<string, Uint8Array>();
  for (const part of new Set([...uncached, ...scripts.keys()])) {
    if (made.size > 0 && performance.now() - begun > STORE_MS) break;
    const code = scripts.get(part)?.createCachedData();
    if (code) made.set(part, code);
  }
  cache?.store(made, kind);
}

/**
 * Returns the kind of a command. Commands of the same kind call mostly the same functions. The kind is a hash, because
 * the words of a command line may be secret.
 */
function kindOf([, , ...words]: readonly string[]): number {
  const text = `${words.slice(0, 2).join(' ')} ${process.stdout.isTTY === true}`;
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) % 256;
  return sum;
}

/** Loads the built files of the tool, with the code that V8 compiled for earlier commands. bin/dtp.cjs starts here. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { type CodeCache, openCodeCache } from './system/code-cache.ts';
import { compiledFolder } from './system/compiled-folder.ts';
import { findHome } from './system/folders.ts';
import { columnOffset, partLoader, wrapped } from './system/parts.ts';

/** A digest of all parts, inserted by the build. It is necessary because V8 only compares the length of the source. */
declare const BUILD: string;

/** The time after which no more compiled code is collected at exit, in milliseconds. */
const STORE_MS = 8;

const root = import.meta.dirname;
const scripts = new Map<string, Script>();
let cache: CodeCache | undefined;
let isOpen = false;

/** Loads a part by its path below dist/, and returns its exports. */
export const load = partLoader({ root, compile, outside: createRequire(import.meta.filename) });

function compile(part: string): Script {
  const filename = join(root, part);
  const source = wrapped(readFileSync(filename, 'utf8'));
  // The entry is too small to cache. It prints help without loading any other part.
  if (!part.startsWith('chunks/')) return new Script(source, { filename, columnOffset });
  if (!isOpen) open();
  const cachedData = cache?.codeOf(part);
  const script = new Script(source, { filename, columnOffset, ...(cachedData && { cachedData }) });
  // All cached code was compiled with the same flags, so V8 would reject the other parts too.
  if (script.cachedDataRejected) cache?.clear();
  scripts.set(part, script);
  return script;
}

/** Sets V8's flags and opens the cache. Call it before compiling, because V8 rejects code compiled with other flags. */
function open(): void {
  isOpen = true;
  const { env, getuid, version, arch } = process;
  // undici's parser is WebAssembly, and V8 would spend another 100 ms and 30 MiB on optimizing it. Set the flag only
  // for versions that were tested, because V8 prints a warning for an unknown flag.
  if (version.startsWith('v20.')) setFlagsFromString('--liftoff-only');
  if (env.NODE_DISABLE_COMPILE_CACHE) return;
  const folder = compiledFolder({ env, home: findHome() }, getuid?.());
  if (folder === undefined) return;
  cache = openCodeCache(folder, `${version}-${arch}-${BUILD}`);
  process.on('exit', () => store(cache));
}

/** Stores the compiled code of this command, unless a similar command has already stored its code. */
function store(cache: CodeCache | undefined): void {
  const kind = kindOf(process.argv);
  const missing = [...scripts].filter(([part]) => cache?.codeOf(part) === undefined);
  if (missing.length === 0 && cache?.knows(kind)) return;
  const begun = performance.now();
  const made = new Map<string, Uint8Array>();
  for (const [part, script] of new Map([...missing, ...scripts])) {
    if (made.size > 0 && performance.now() - begun > STORE_MS) break;
    made.set(part, script.createCachedData());
  }
  cache?.store(made, kind);
}

/**
 * Returns the kind of a command as a number. Commands of the same kind call mostly the same functions. The words are
 * not stored, because they may be secret.
 */
function kindOf([, , ...words]: readonly string[]): number {
  const text = `${words.slice(0, 2).join(' ')} ${process.stdout.isTTY === true}`;
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) % 256;
  return sum;
}

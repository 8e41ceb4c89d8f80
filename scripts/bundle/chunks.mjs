/** Which file of the bundle a module is in. */
import { resolve } from 'node:path';

/** What a request that fetches a record does without. */
const seldom = new RegExp(
  [
    'undici/lib/(web/|llhttp/llhttp-wasm)',
    'src/commands/operation/(chart|download|pages|wait|skeleton)',
    'src/input/assignments',
    'src/flows/',
  ].join('|'),
);

/**
 * The file of a module, where one is better than the many that come of themselves (each costs its part of a millisecond):
 * what stands before all, what a shell's question needs too, the tree of commands, what every command needs beside it, and
 * the rest of what these import.
 */
export function groupOf(id, context) {
  const isIn = (from, beyond) => reached(from, beyond, context).has(id);
  const isSeldom = seldom.test(id);
  if (isIn('src/start.ts')) return 'start';
  if (id.includes('/commander/')) return 'tree';
  if (isIn('src/main.ts', /src\/cli\/program/)) return 'main';
  if (isIn('src/commands/completion/answer.ts')) return 'main';
  if (isIn('src/main.ts')) return 'tree';
  if (isIn('src/cli/front.ts')) return isSeldom ? 'more' : 'operation';
  if (isIn('src/transport/send.ts')) return isSeldom ? 'undici' : 'send';
  return null;
}

/** The modules that a file imports, with theirs, but for those of modules like `beyond`. */
function reached(from, beyond, context) {
  const all = new Set();
  const add = (id) => {
    if (all.has(id)) return;
    all.add(id);
    if (!beyond?.test(id)) context.getModuleInfo(id)?.importedIds.forEach(add);
  };
  add(resolve(from));
  return all;
}

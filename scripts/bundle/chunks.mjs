/** Decides which file of the bundle a module is in. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Modules that a request for a record does not need. */
const seldom = new RegExp(
  [
    'undici/lib/(web/|llhttp/llhttp-wasm)',
    'src/commands/operation/(chart|download|dry-run|pages|skeleton|wait)',
    'src/(documents/pointer|input/(assignments|file-pieces|times|whole))',
    'src/flows/',
    // Only after a failure.
    'src/cli/failure',
    'src/invocation/(credential-advice|explain|listing)',
    'src/render/nearest',
    'src/request/(curl|multipart|reason)',
    'src/system/child',
  ].join('|'),
);

/** The files with the operations of one noun, of which a command needs its own. */
const areas = new Set(
  [
    ...readFileSync(resolve('src/operations/areas.ts'), 'utf8').matchAll(/^import \* as \w+ from '\.\/([\w-]+)\.ts'/gm),
  ].map(([, area]) => area),
);

/**
 * The file of a module. Each file takes part of a millisecond to load, so modules that are needed together share one: those
 * needed first, those needed for completions, the command tree, those needed by every operation, the embedded service, and
 * what these import.
 * Null leaves the choice to the bundler.
 */
export function groupOf(id, context) {
  const isIn = (from, beyond) => reached(from, beyond, context).has(id);
  const isSeldom = seldom.test(id);
  // Only text that is not ASCII needs it.
  if (id.includes('/get-east-asian-width/')) return 'width';
  if (isIn('src/start.ts') || /\/src\/(output\/color|render\/signs|system\/owner)\.ts$/.test(id)) return 'start';
  if (isIn('src/store/recalled.ts')) return 'recalled';
  if (isIn('src/describe/help/print.ts')) return 'print';
  if (id.includes('/commander/')) return 'tree';
  const [, area] = /src\/operations\/([\w-]+)\.ts$/.exec(id) ?? [];
  if (area === 'index' || area === 'resources') return area;
  if (area === 'records' || area === 'event-fields') return 'records';
  if (areas.has(area)) return `operations-${area}`;
  if (id.includes('/src/local/')) return 'local';
  if (isSeldom && (isIn('src/main.ts') || isIn('src/cli/front.ts'))) return 'more';
  if (isIn('src/main.ts', /src\/cli\/program/)) return 'main';
  if (isIn('src/commands/completion/answer.ts')) return 'main';
  if (isIn('src/main.ts')) return 'tree';
  if (isIn('src/cli/front.ts')) return 'operation';
  if (isIn('src/transport/send.ts')) return isSeldom ? 'undici' : 'send';
  if (isIn('src/invocation/embedded.ts')) return 'embedded';
  if (isIn('src/service/data/store.ts')) return 'store';
  return null;
}

/** The modules that a file imports, directly or indirectly. The imports of modules that match `beyond` are left out. */
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

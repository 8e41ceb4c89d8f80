/** Builds the content of the package: dist/ from src/, the help and manual pages, and the notices. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'rolldown';
import { asciiColumns, inAscii } from './bundle/ascii.mjs';
import { bundles, loaderBundle } from './bundle/bundles.mjs';
import { load } from './bundle/load.mjs';
import { lineMap } from './bundle/maps.mjs';
import { writeParser } from './bundle/options.mjs';
import { packagesOf } from './bundle/packages.mjs';
import { removeManList } from './man-list.mjs';
import './reader.mjs';
import { noticesOf } from './notices.mjs';

// An interrupted `npm pack` may have left it.
removeManList();
for (const folder of ['dist', 'man']) rmSync(folder, { recursive: true, force: true });
const start = performance.now();

/** Whether the loader loads a program, instead of Node. */
const isPart = (path) => !/\b(dist[\\/]load|document-process|expressions[\\/]thread)\.cjs$/.test(path);

const built = await build(bundles);
const programs = built.flatMap(({ output }, at) =>
  output.map((one) => ({ ...one, path: join(bundles[at].output.dir, one.fileName) })),
);
const digest = createHash('sha256');
for (const { path, code = '' } of programs) digest.update(`${path}\0${code}\0`);
const loader = await build(loaderBundle(digest.digest('hex').slice(0, 16)));
programs.push(...loader.output.map((one) => ({ ...one, path: join('dist', one.fileName) })));
const { wrapModule } = await load('src/system/parts.ts');
for (const { path, code } of programs)
  if (code !== undefined) writeFileSync(path, isPart(path) ? wrapModule(inAscii(code)) : inAscii(code));

// One small file with the maps of all chunks replaces the bundler's files.
const maps = {};
for (const { fileName, code, map } of programs) {
  if (!map) continue;
  rmSync(join('dist', `${fileName}.map`));
  const lines = lineMap(map, asciiColumns(code));
  if (lines) maps[fileName] = lines;
}
writeFileSync('dist/source-maps.json', JSON.stringify(maps));

writeParser('dist/chunks');

// jq, compressed, because it is the largest file of the package.
const wasm = readFileSync('node_modules/jq-wasm/dist/build/jq.wasm');
writeFileSync('dist/expressions/jq.wasm.br', brotliCompressSync(wasm));

// Help pages that are the same in every run.
const { allPages } = await load('src/cli/help-pages.ts');
for (const [name, page] of allPages()) {
  const file = join('dist/still', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(page));
}

// The other files that are packed but not in git. `npm pack` could not make them: .npmrc forbids scripts.
writeFileSync('THIRD-PARTY-NOTICES', noticesOf(packagesOf(built)));
execFileSync(process.execPath, ['bin/dtp.cjs', 'help', '--man', 'man'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const written = programs.filter(({ code }) => code !== undefined);
const kilobytes = Math.round(written.reduce((sum, { code }) => sum + code.length, 0) / 1000);
const seconds = ((performance.now() - start) / 1000).toFixed(1);
if (process.env.npm_config_loglevel !== 'silent')
  process.stdout.write(
    `Built dist/ in ${seconds} s: ${written.length} files, ${kilobytes} kB. Run it with: node bin/dtp.cjs\n`,
  );

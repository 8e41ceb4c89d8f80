/** Makes what the package holds: dist/ of src/, the pages of the help and of the manual, and the notices. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';
import { bundles } from './bundle/bundles.mjs';
import { load } from './bundle/load.mjs';
import { lineMap } from './bundle/maps.mjs';
import { packagesOf } from './bundle/packages.mjs';
import { removeManList } from './man-list.mjs';
import { noticesOf } from './notices.mjs';

// What a pack that broke off has left.
removeManList();
for (const folder of ['dist', 'man']) rmSync(folder, { recursive: true, force: true });

const built = await build(bundles);

// The maps of all chunks in one small file, in place of those that the bundler writes.
const maps = {};
for (const { fileName, map } of built.flatMap(({ output }) => output)) {
  if (!map) continue;
  rmSync(join('dist', `${fileName}.map`));
  const lines = lineMap(map);
  if (lines) maps[fileName] = lines;
}
writeFileSync('dist/source-maps.json', JSON.stringify(maps));

// The help, which is the same every time.
const { allPages } = await load('src/cli/help-pages.ts');
for (const [name, page] of allPages()) {
  const file = join('dist/still', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(page));
}

// What else the package holds and git does not: made here, as `npm pack` runs no script where .npmrc forbids it.
writeFileSync('THIRD-PARTY-NOTICES', noticesOf(packagesOf(built)));
execFileSync(process.execPath, ['bin/dtp.cjs', 'help', '--man', 'man'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});

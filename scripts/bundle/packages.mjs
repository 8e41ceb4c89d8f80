/** The packages whose code is in the bundles, and their licenses. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Packages that are included in others without a license file. Their license texts are in scripts/licenses. */
const unmarked = {
  'content-type': 'MIT',
  decNumber: 'ICU',
  jq: 'MIT',
  llhttp: 'MIT',
  oniguruma: 'BSD-2-Clause',
};
const texts = join(import.meta.dirname, '../licenses');

/**
 * The packages in these bundles, which are results of rolldown's `build`, by name and version: each with its license and
 * the content of its license files. Throws if the license of a package is unknown.
 */
export function packagesOf(bundles) {
  const modules = bundles
    .flatMap(({ output }) => output.flatMap((chunk) => Object.entries(chunk.modules ?? {})))
    .filter(([id, { renderedLength }]) => renderedLength > 0 && id.includes('node_modules'))
    .map(([id]) => id);
  const packages = new Map();
  const add = (one) => {
    const name = `${one.name} ${one.version}`.trim();
    packages.set(name, { ...one, texts: new Set([...(packages.get(name)?.texts ?? []), ...one.texts]) });
  };
  for (const id of modules) {
    const holder = packageOf(id);
    add(holder);
    for (const inner of innerPackages(id, holder)) add(inner);
  }
  return packages;
}

/** The package of a module, with the license files in its folder and in the folders between. */
function packageOf(id) {
  const found = [];
  for (let folder = dirname(id); ; folder = dirname(folder)) {
    found.push(...licensesIn(folder));
    const manifest = join(folder, 'package.json');
    // A package.json without a name only sets the module format of its folder.
    if (!existsSync(manifest) || !JSON.parse(readFileSync(manifest, 'utf8')).name) continue;
    const { name, version, license, repository } = JSON.parse(readFileSync(manifest, 'utf8'));
    if (typeof license !== 'string') throw new Error(`${name} ${version} does not declare a license`);
    return { name, version, license, source: addressOf(repository), texts: found };
  }
}

const licensesIn = (folder) =>
  readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());

/** The packages that are bundled in a module. Bundlers mark them with paths in comments. */
function innerPackages(id, holder) {
  const code = readFileSync(id, 'utf8');
  const marks = code.matchAll(
    /^\/\/.*node_modules\/\.pnpm\/[^/]*?@([\d.]+)[^/]*\/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/gm,
  );
  const inner = new Map([...marks].map(([, version, name]) => [name, version]));
  // undici's parser, as WebAssembly.
  if (/\/undici\/lib\/llhttp\//.test(id)) inner.set('llhttp', '');
  // jq and the libraries in it, as WebAssembly.
  if (/\/jq-wasm\/dist\//.test(id)) for (const name of ['jq', 'oniguruma', 'decNumber']) inner.set(name, '');
  return [...inner].map(([name, version]) => ({
    ...licenseOf(name, id),
    name,
    version,
    holder: holder.name,
  }));
}

function licenseOf(name, id) {
  if (unmarked[name])
    return { license: unmarked[name], texts: [readFileSync(join(texts, `${name}.txt`), 'utf8').trim()] };
  const folder = join(id.slice(0, id.lastIndexOf('node_modules')), 'node_modules', name);
  if (!existsSync(folder)) throw new Error(`${name} is bundled, but its license is unknown`);
  return packageOf(join(folder, 'package.json'));
}

function addressOf(repository) {
  const address = (repository?.url ?? repository ?? '').replace(/^git\+/, '').replace(/\.git$/, '');
  const [, path] = /^(?:github:|git:\/\/github\.com\/)?([\w.-]+\/[\w.-]+)$/.exec(address) ?? [];
  return path ? `https://github.com/${path}` : address;
}

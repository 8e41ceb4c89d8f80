/** Whose code the bundles hold, and under which licence. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What lies in others without a licence of its own: who it is, and where the text is kept here. */
const unmarked = { 'content-type': 'MIT', llhttp: 'MIT' };
const texts = join(import.meta.dirname, '../licences');

/**
 * The packages of all that these bundles hold, as rolldown's `build` gives them, by name and version: each with its licence
 * and the texts of it. Throws where nothing says what the licence of a package is.
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

/** The package of a module, with the licences of its folder and of those between. */
function packageOf(id) {
  const found = [];
  for (let folder = dirname(id); ; folder = dirname(folder)) {
    found.push(...licencesIn(folder));
    const manifest = join(folder, 'package.json');
    // One without a name says only how a folder's modules are read.
    if (!existsSync(manifest) || !JSON.parse(readFileSync(manifest, 'utf8')).name) continue;
    const { name, version, license, repository } = JSON.parse(readFileSync(manifest, 'utf8'));
    if (typeof license !== 'string') throw new Error(`${name} ${version} does not declare a licence`);
    return { name, version, license, source: addressOf(repository), texts: found };
  }
}

const licencesIn = (folder) =>
  readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());

/** What a module was itself bundled from: bundlers mark it by paths in comments. */
function innerPackages(id, holder) {
  const code = readFileSync(id, 'utf8');
  const marks = code.matchAll(
    /^\/\/.*node_modules\/\.pnpm\/[^/]*?@([\d.]+)[^/]*\/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/gm,
  );
  const inner = new Map([...marks].map(([, version, name]) => [name, version]));
  // undici's parser, as WebAssembly.
  if (/\/undici\/lib\/llhttp\//.test(id)) inner.set('llhttp', '');
  return [...inner].map(([name, version]) => ({
    ...licenceOf(name, id),
    name,
    version,
    holder: holder.name,
  }));
}

function licenceOf(name, id) {
  if (unmarked[name])
    return { license: unmarked[name], texts: [readFileSync(join(texts, `${name}.txt`), 'utf8').trim()] };
  const folder = join(id.slice(0, id.lastIndexOf('node_modules')), 'node_modules', name);
  if (!existsSync(folder)) throw new Error(`${name} is bundled, and nothing says what its licence is`);
  return packageOf(join(folder, 'package.json'));
}

function addressOf(repository) {
  const address = (repository?.url ?? repository ?? '').replace(/^git\+/, '').replace(/\.git$/, '');
  const [, path] = /^(?:github:|git:\/\/github\.com\/)?([\w.-]+\/[\w.-]+)$/.exec(address) ?? [];
  return path ? `https://github.com/${path}` : address;
}

/**
 * Tells what users get of others: what the bundles hold, and what is installed along with them. `sbom` prints the list as
 * CycloneDX; `audit` ends with 1 where a vulnerability of it is known that is high or critical. npm knows the bundled
 * packages as those of developers only, so its own answers are narrowed to the list.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import { bundles } from './bundle/bundles.mjs';
import { packagesOf } from './bundle/packages.mjs';

const root = resolve(import.meta.dirname, '..');

async function printMaterials() {
  const bundled = await bundledPackages();
  const materials = npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only');
  const { bomFormat, components } = materials;
  if (bomFormat !== 'CycloneDX') fail(`npm made no list: ${materials.error?.summary ?? 'it says nothing'}`);
  const installed = installedPackages();
  const known = components.filter(
    ({ name, version }) => bundled.has(`${name} ${version}`) || installed.has(`${name} ${version}`),
  );
  const listed = new Set(known.map(({ name, version }) => `${name} ${version}`));
  // What a bundled package itself was bundled from is in nobody's tree.
  const inner = [...bundled].filter(([name]) => !listed.has(name)).map(([, one]) => innerComponent(one));
  const all = [...known, ...inner];
  const refs = new Set([materials.metadata.component['bom-ref'], ...all.map((one) => one['bom-ref'])]);
  const dependencies = materials.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  // Which npm calls by its folder.
  const component = { ...materials.metadata.component, name: 'dtp' };
  const metadata = { ...materials.metadata, component };
  const text = JSON.stringify({ ...materials, metadata, components: all, dependencies }, undefined, 2);
  process.stdout.write(`${text}\n`);
}

const innerComponent = ({ name, version, license, holder }) => ({
  'bom-ref': `${holder}/${name}@${version}`,
  type: 'library',
  name,
  ...(version && { version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` }),
  licenses: [{ license: { id: license } }],
});

async function audit() {
  // A registry that is away is not waited for.
  const bounds = ['--fetch-retries=0', '--fetch-timeout=30000'];
  const report = npm('audit', '--json', '--package-lock-only', ...bounds);
  if (!report.vulnerabilities) {
    // A mirror may not have them; nothing is known then, and nothing is claimed.
    const why = report.statusCode ? `the registry answers with ${report.statusCode}` : 'no registry answers';
    process.stdout.write(`audit: not done, as ${why}\n`);
    return;
  }
  const bundled = await bundledPackages();
  const installed = installedPackages();
  const { packages } = lockfile();
  const isShipped = ({ name, nodes }) =>
    nodes.some((place) => {
      const one = `${name} ${packages[place]?.version}`;
      return bundled.has(one) || installed.has(one);
    });
  const shipped = Object.values(report.vulnerabilities).filter(isShipped);
  const grave = shipped.filter(({ severity }) => severity === 'high' || severity === 'critical');
  for (const { name, severity, via } of grave) {
    const why = via.map((one) => (typeof one === 'string' ? `by ${one}` : `${one.title}, ${one.url}`));
    process.stdout.write(`audit: ${severity}: ${name}: ${why.join('; ')}\n`);
  }
  if (grave.length > 0) fail('take in the mended versions: npm audit fix');
  process.stdout.write(`audit: none that is high or critical in ${bundled.size + installed.size} packages\n`);
}

const bundledPackages = async () =>
  packagesOf(await build(bundles.map((one) => ({ ...one, cwd: root, write: false, logLevel: 'silent' }))));

/** Names and versions of what npm installs with the package: the driver and what it brings. */
const installedPackages = () =>
  new Set(
    Object.entries(lockfile().packages)
      .filter(([place, { dev, devOptional }]) => place !== '' && !dev && !devOptional)
      .map(([place, { version }]) => `${place.split('node_modules/').at(-1)} ${version}`),
  );

function lockfile() {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
}

/** What npm prints, which is JSON also where it fails. */
function npm(...args) {
  const { stdout } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32',
  });
  try {
    return JSON.parse(stdout);
  } catch {
    return {};
  }
}

function fail(message) {
  process.stderr.write(`shipped: ${message}\n`);
  process.exit(1);
}

const [task] = process.argv.slice(2);
if (task === 'sbom') await printMaterials();
else if (task === 'audit') await audit();
else fail('say which: sbom or audit');

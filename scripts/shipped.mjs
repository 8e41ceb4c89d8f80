/**
 * Lists the third-party packages that users get: those in the bundles, and those installed with them. `sbom` prints the
 * list as CycloneDX. `audit` exits with 1 if one of them has a known vulnerability of high or critical severity. To npm,
 * the bundled packages are development dependencies, so its output is filtered by the list.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import { bundles } from './bundle/bundles.mjs';
import { packagesOf } from './bundle/packages.mjs';
import './reader.mjs';

const root = resolve(import.meta.dirname, '..');

async function printMaterials() {
  const bundled = await bundledPackages();
  const materials = npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only');
  const { bomFormat, components } = materials;
  if (bomFormat !== 'CycloneDX') fail(`npm sbom failed: ${materials.error?.summary ?? 'no reason given'}`);
  const installed = installedPackages();
  const known = components.filter(
    ({ name, version }) => bundled.has(`${name} ${version}`) || installed.has(`${name} ${version}`),
  );
  const listed = new Set(known.map(({ name, version }) => `${name} ${version}`));
  // Packages that are bundled in a bundled package are unknown to npm.
  const inner = [...bundled]
    .filter(([name]) => !listed.has(name))
    .map(([, one]) => innerComponent(one, installedVersion(one.holder)));
  const all = [...known, ...inner];
  const refs = new Set([materials.metadata.component['bom-ref'], ...all.map((one) => one['bom-ref'])]);
  const dependencies = materials.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  // npm uses the name of the folder.
  const component = { ...materials.metadata.component, name: 'dtp' };
  const metadata = { ...materials.metadata, component };
  const text = JSON.stringify({ ...materials, metadata, components: all, dependencies }, undefined, 2);
  process.stdout.write(`${text}\n`);
}

/** Some packages, such as undici, do not say which version of another one they include. The SBOM then names theirs. */
const innerComponent = ({ name, version, license, holder }, holderVersion) => ({
  'bom-ref': `${holder}/${name}${version && `@${version}`}`,
  type: 'library',
  name,
  version: version || `bundled with ${holder} ${holderVersion}`,
  ...(version && { purl: `pkg:npm/${name.replace('@', '%40')}@${version}` }),
  licenses: [{ license: { id: license } }],
});

const installedVersion = (name) => lockfile().packages[`node_modules/${name}`]?.version;

async function audit() {
  // Do not wait long for a registry that does not respond.
  const bounds = ['--fetch-retries=0', '--fetch-timeout=30000'];
  const report = npm('audit', '--json', '--package-lock-only', ...bounds);
  if (!report.vulnerabilities) {
    // Some mirrors have no advisories. Then nothing is known, and nothing is claimed.
    const why = report.statusCode ? `the registry responded with ${report.statusCode}` : 'the registry did not respond';
    process.stdout.write(`audit: skipped: ${why}\n`);
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
  if (grave.length > 0) fail('update to fixed versions: npm audit fix');
  process.stdout.write(`audit: no high or critical vulnerabilities in ${bundled.size + installed.size} packages\n`);
}

const bundledPackages = async () =>
  packagesOf(await build(bundles.map((one) => ({ ...one, cwd: root, write: false, logLevel: 'silent' }))));

/** Names and versions of the packages that npm installs with dtp: the driver and its dependencies. */
const installedPackages = () =>
  new Set(
    Object.entries(lockfile().packages)
      .filter(([place, { dev, devOptional }]) => place !== '' && !dev && !devOptional)
      .map(([place, { version }]) => `${place.split('node_modules/').at(-1)} ${version}`),
  );

function lockfile() {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
}

/** The output of npm, which is JSON even if npm fails. */
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
else fail('pass sbom or audit');

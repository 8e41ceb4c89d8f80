/** The list of everything in the release with its version, as CycloneDX: our packages, Node, and the parts of Node. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchNode, here, nodes, VERSION } from '../binary/nodes.mjs';

/** What Node lists with its parts, but are not parts. A part that this build of Node does not have has no version. */
const notParts = new Set(['node', 'modules', 'napi', 'cldr', 'tz', 'unicode']);

/** Writes `dtp-<version>.cdx.json`. */
export function writeMaterials({ version, out, seconds }) {
  const text = execFileSync(process.execPath, ['scripts/shipped.mjs', 'sbom'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const { serialNumber: _, ...bom } = JSON.parse(text);
  const metadata = { ...bom.metadata, timestamp: new Date(seconds * 1000).toISOString() };
  const components = [...bom.components, nodeComponent()];
  const name = `dtp-${version}.cdx.json`;
  writeFileSync(join(out, name), `${JSON.stringify({ ...bom, metadata, components }, undefined, 2)}\n`);
}

/** The Node in the executables. */
function nodeComponent() {
  const node = join(fetchNode(here, 'build'), nodes[here].program);
  const versions = JSON.parse(execFileSync(node, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' }));
  return {
    'bom-ref': `node@${VERSION}`,
    type: 'platform',
    name: 'node',
    version: VERSION,
    purl: `pkg:generic/node@${VERSION}`,
    licenses: [{ license: { id: 'MIT' } }],
    components: Object.entries(versions)
      .filter(([name, version]) => version !== '' && !notParts.has(name))
      .map(([name, version]) => ({ 'bom-ref': `node/${name}@${version}`, type: 'library', name, version })),
  };
}

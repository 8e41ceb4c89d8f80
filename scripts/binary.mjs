/**
 * Builds executables from dist/ that include Node: `build/dtp-<platform>-<arch>[.exe]`, for this machine, or for others
 * with `--platform NAME` (repeatable) or `--all`. `--out FOLDER` writes them to another folder. Exits with 69 if Node
 * cannot be fetched.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'rolldown';
import { fetchNode, here, nodes, VERSION } from './binary/nodes.mjs';
import { slimNode } from './binary/slim.mjs';
import './reader.mjs';
import { load } from './bundle/load.mjs';

const root = resolve(import.meta.dirname, '..');
const cache = join(root, 'build');
const UNAVAILABLE = 69;

const { values } = parseArgs({
  options: {
    platform: { type: 'string', multiple: true, default: [here] },
    all: { type: 'boolean' },
    out: { type: 'string', default: cache },
  },
});
const platforms = values.all ? Object.keys(nodes) : values.platform;
for (const platform of [here, ...platforms])
  if (!nodes[platform])
    fail(UNAVAILABLE, `no Node ${VERSION} for ${platform}. Available: ${Object.keys(nodes).join(', ')}`);

// This machine's Node builds the executables, and must have the same version as the Node in them.
const programs = Object.fromEntries([here, ...platforms].map((platform) => [platform, programOf(platform)]));
if (spawnSync(programs[here], ['--version']).status !== 0)
  fail(UNAVAILABLE, `the npm registry's Node for ${here}, which is for glibc, does not run on this machine`);

const folder = mkdtempSync(join(tmpdir(), 'dtp-binary-'));
try {
  const main = 'start.cjs';
  await build({
    input: join(root, 'scripts/binary/start.cjs'),
    platform: 'node',
    output: { file: join(folder, main), format: 'cjs', minify: true },
    logLevel: 'warn',
  });
  const parts = await writeParts(join(folder, 'parts'));
  const caches = writeCaches(programs[here], join(folder, 'parts'), join(folder, 'caches'));
  mkdirSync(values.out, { recursive: true });
  for (const platform of platforms) {
    const output = resolve(values.out, `dtp-${platform}${platform.startsWith('win') ? '.exe' : ''}`);
    const configuration = join(folder, 'sea.json');
    writeFileSync(
      configuration,
      JSON.stringify({
        // The executable contains this path, which must be the same in every build.
        main,
        executable: programs[platform],
        output,
        disableExperimentalSEAWarning: true,
        // V8 rejects a code cache from another platform.
        assets: platform === here ? { ...parts, ...caches } : parts,
      }),
    );
    const stdio = ['ignore', 'ignore', 'inherit'];
    execFileSync(programs[here], ['--build-sea', configuration], { cwd: folder, stdio });
    writeFileSync(`${output}.LICENSES`, licensesOf(platform));
    process.stdout.write(`${relative('', output)}\n`);
    if (!platform.startsWith('darwin')) continue;
    // Adding the tool invalidates the signature of Node's authors.
    if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', output]);
    else process.stderr.write(`The executable is not signed. To start it, run: codesign --sign - ${output}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function programOf(platform) {
  try {
    return slimNode(join(fetchNode(platform, cache), nodes[platform].program), platform);
  } catch (error) {
    if (error.code === 'ENOENT') return fail(UNAVAILABLE, 'llvm-strip is missing. Install LLVM');
    // Only a failed download is reported here. Any other error, such as a wrong digest, is thrown.
    if (!('status' in error)) throw error;
    return fail(UNAVAILABLE, `Node ${VERSION} for ${platform} cannot be fetched: ${error.message}`);
  }
}

/**
 * Writes the parts of the tool, with all programs that it loads itself wrapped as functions. Returns their files by their
 * path below dist/.
 */
async function writeParts(to) {
  const { wrapModule } = await load('src/system/parts.ts');
  const sources = {
    ...filesBelow(join(root, 'dist')),
    'libsql.cjs': join(root, 'scripts/binary/libsql.cjs'),
  };
  for (const [path, source] of Object.entries(sources)) {
    const content = readFileSync(source);
    mkdirSync(dirname(join(to, path)), { recursive: true });
    const isWhole = path === 'libsql.cjs' || path === 'service/document-process.cjs';
    writeFileSync(join(to, path), isWhole ? wrapModule(content.toString()) : content);
  }
  return filesBelow(to);
}

/** Writes the code caches, which are the same in every build. Returns their files by their name in the executable. */
function writeCaches(node, parts, to) {
  // The tables of strings are in the same order, and no compiled function is dropped.
  const same = ['--hash-seed=1', '--no-flush-bytecode', '--single-threaded'];
  execFileSync(node, [...same, join(root, 'scripts/binary/warm.cjs'), parts, to], {
    // In a terminal, a slow command would show its progress.
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      DTP_API_KEY: 'none',
      DTP_CONFIG_DIR: join(to, 'config'),
      DTP_DATA_DIR: join(to, 'data'),
      DTP_STATE_DIR: join(to, 'state'),
    },
  });
  return filesBelow(to, '.cache');
}

function filesBelow(folder, end = '') {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(end))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [relative(folder, file).replaceAll('\\', '/'), file]));
}

/** Our license, those of the bundled packages, and Node's, which is missing in its package for Windows. */
function licensesOf(platform) {
  const nodes = [platform, here].map((one) => join(cache, `node-${VERSION}-${one}`, 'LICENSE'));
  const ours = ['LICENSE', 'THIRD-PARTY-NOTICES'].map((name) => join(root, name));
  return [...ours, ...nodes.filter((file) => existsSync(file)).slice(0, 1)]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

function fail(code, message) {
  process.stderr.write(`error: ${message}\n`);
  process.exit(code);
}

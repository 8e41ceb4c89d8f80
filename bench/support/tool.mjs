/** How the measurements start the tool: its files, and an isolated folder and environment. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');
const script = join(root, 'bin/dtp.cjs');

/** A command line that runs the tool, including the program. */
export const dtp = (...argv) => [process.execPath, script, ...argv];

/** The same with another Node. */
export const dtpUnder = (node, ...argv) => [node, script, ...argv];

/** The version of a Node, such as "v24.1.0". */
export const versionOf = (node) => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();

/** The standalone executable for this machine. Undefined if it was not built. */
export function findBinary() {
  const folder = join(root, 'build');
  const name = `dtp-${process.platform}-${process.arch}`;
  const found = existsSync(folder) && readdirSync(folder).find((one) => [name, `${name}.exe`].includes(one));
  return found ? join(folder, found) : undefined;
}

/**
 * A temporary folder, and an environment that makes the tool use only that folder. Apart from the PATH, no variable is
 * passed on: Node would read NODE_EXTRA_CA_CERTS at every start, and NODE_OPTIONS would change what is measured.
 */
export function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-bench-'));
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: folder,
    DTP_STATE_DIR: join(folder, 'state'),
    DTP_CONFIG_DIR: join(folder, 'config'),
    DTP_DATA_DIR: join(folder, 'data'),
  };
  return { folder, env, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

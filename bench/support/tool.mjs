/** The tool as the measurements start it: its files, and the folder and environment that keep it to itself. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');
const script = join(root, 'bin/dtp.cjs');

/** A command line of the tool, the program first. */
export const dtp = (...argv) => [process.execPath, script, ...argv];

/** The same under another Node. */
export const dtpUnder = (node, ...argv) => [node, script, ...argv];

/** The standalone executable for this machine; undefined where none is built. */
export function findBinary() {
  const folder = join(root, 'build');
  const name = `dtp-${process.platform}-${process.arch}`;
  const found = existsSync(folder) && readdirSync(folder).find((one) => [name, `${name}.exe`].includes(one));
  return found ? join(folder, found) : undefined;
}

/**
 * A folder of its own, and the environment that keeps the tool in it. Nothing else is handed on: Node would read
 * NODE_EXTRA_CA_CERTS at every start, and NODE_OPTIONS would measure something else.
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

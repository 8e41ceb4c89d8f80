/** The built tool as the measurements start it: in a folder that is removed, and watched for its memory. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');

/** A folder of its own, and the environment that keeps the tool in it. Node reads NODE_EXTRA_CA_CERTS at every start. */
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

/** Looks now and then; the function that it gives ends that, and tells the most that the process held, in MiB (Linux). */
export function watchPeak(child) {
  let peak = Number.NaN;
  const look = setInterval(() => {
    try {
      const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      if (kib) peak = Number(kib) / 1024;
    } catch {}
  }, 20);
  return () => {
    clearInterval(look);
    return peak;
  };
}

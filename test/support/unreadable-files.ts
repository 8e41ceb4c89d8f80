/** Files and folders that cannot be read, whoever runs the test: root may read a file with any mode. */
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

/** Fails every attempt to open or list the path with this error code, until the test ends or it is undone. */
export function deny(path: string, code: 'EACCES' | 'EIO'): () => void {
  const { open, readdir, rm } = fs;
  const refuse = (name: unknown) => {
    if (name === path) throw Object.assign(new Error(`${code}: ${path}`), { code });
  };
  const stats = fs.lstat(path);
  Object.assign(fs, {
    open: async (...args: Parameters<typeof open>) => refuse(args[0]) ?? open(...args),
    readdir: async (...args: Parameters<typeof readdir>) => refuse(args[0]) ?? readdir(...args),
    // A folder that cannot be listed cannot be deleted. A file can.
    rm: async (...args: Parameters<typeof rm>) => {
      if ((await stats).isDirectory()) refuse(args[0]);
      return rm(...args);
    },
  });
  const undo = () => {
    Object.assign(fs, { open, readdir, rm });
    syncBuiltinESMExports();
  };
  syncBuiltinESMExports();
  onTestFinished(undo);
  return undo;
}

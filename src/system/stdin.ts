/** Standard input. Node reads a folder as one that is empty; here it fails, as a folder does. */
import { fstatSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadStream } from 'node:tty';

/** Made when it is asked for, which few commands do. */
export function standardInput(): ReadStream | Readable {
  return isFolder(0) ? folderInput() : process.stdin;
}

function isFolder(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isDirectory();
  } catch {
    return false;
  }
}

const folderInput = () =>
  new Readable({
    read() {
      this.destroy(Object.assign(new Error('standard input is a folder'), { code: 'EISDIR' }));
    },
  });

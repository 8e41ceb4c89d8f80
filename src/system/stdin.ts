/** Opens standard input. Node reads a folder as empty, but here it fails. */
import { fstatSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadStream } from 'node:tty';

/** Created on first use, because few commands need it. */
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

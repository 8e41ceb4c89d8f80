/** Opens standard input. If it is a folder, reading fails, while Node would read nothing and report no error. */
import { fstatSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadStream } from 'node:tty';

/** Returns the stream of standard input. Call it on first use, because few commands read standard input. */
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

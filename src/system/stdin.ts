/** Opens standard input. If it is a folder or closed, reading fails, while Node would read nothing without an error. */
import { constants, fstatSync, readFileSync, readlinkSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { attempt } from '../caught.ts';

/** Returns the stream of standard input. Call it on first use, because few commands read standard input. */
export function standardInput(): ReadStream | Readable {
  if (isFolder(0)) return failingInput('standard input is a folder', 'EISDIR');
  return isClosed() ? failingInput('standard input is closed', 'EBADF') : process.stdin;
}

/**
 * Whether standard input was closed when the process started, as by `<&-` in a shell. Node then opens /dev/null for
 * reading and writing. With `</dev/null`, it is open for reading only. Other systems than Linux do not show this.
 */
const isClosed = (): boolean =>
  attempt(() => {
    if (readlinkSync('/proc/self/fd/0') !== '/dev/null') return false;
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync('/proc/self/fdinfo/0', 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & 0o3) === constants.O_RDWR;
  }, false);

const isFolder = (descriptor: number): boolean => attempt(() => fstatSync(descriptor).isDirectory(), false);

const failingInput = (message: string, code: string) =>
  new Readable({
    read() {
      this.destroy(Object.assign(new Error(message), { code }));
    },
  });

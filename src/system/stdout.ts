/** Wraps standard output so that it writes everything or fails. */
import { writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/** Replaces `stdout` if it is a file, because Node's stream ignores partial writes, which happen on a full disk. */
export function wholeStdout(
  stdout: NodeJS.WriteStream & { readonly fd: number },
): Writable & Pick<NodeJS.WriteStream, 'isTTY'> & { readonly isFile?: boolean } {
  const { fd } = stdout;
  // Node treats terminals and pipes as sockets, which continue after a partial write.
  return 'connecting' in stdout ? stdout : Object.assign(fileStream(fd), { isTTY: false, isFile: true });
}

const fileStream = (fd: number): Writable =>
  new Writable({
    write: (chunk: Uint8Array, _, done) => {
      try {
        for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });

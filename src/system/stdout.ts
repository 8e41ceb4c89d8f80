/** Standard output as a stream that writes all of what it is given, or fails. */
import { writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/** What stands for `stdout`: Node's own stream of a file takes no notice of a write that took a part, as on a disk that fills. */
export function wholeStdout(
  stdout: NodeJS.WriteStream & { readonly fd: number },
): Writable & Pick<NodeJS.WriteStream, 'isTTY'> & { readonly isFile?: boolean } {
  const { fd } = stdout;
  // A terminal and a pipe, which are sockets to Node, write on by themselves.
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

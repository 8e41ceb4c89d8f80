/** Wraps standard output so that it writes everything or fails, to files and pipes without loading streams. */
import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { attempt, systemCode } from '../caught.ts';
import { builtin } from './builtin.ts';

/** Replaces `stdout` if it is a file, because Node's stream ignores partial writes, which happen on a full disk. */
export function wholeStdout(stdout: NodeJS.WriteStream & { readonly fd: number }) {
  const { fd } = stdout;
  // Node treats terminals and pipes as sockets, which continue after a partial write.
  return 'connecting' in stdout ? stdout : Object.assign(fileStream(fd), { isTTY: false, isFile: true });
}

const fileStream = (fd: number): Writable =>
  new (builtin('node:stream').Writable)({
    write: (chunk: Uint8Array, _, done) => {
      try {
        for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });

/** Whether standard output is a file or a pipe. Unlike `process.stdout`, this does not load Node's streams. */
export const isPlainStdout = (): boolean =>
  attempt(() => {
    const found = fstatSync(STDOUT);
    return process.platform !== 'win32' && (found.isFile() || found.isFIFO() || found.isSocket());
  }, false);

/**
 * Writes to standard output at once. Returns the bytes that a full pipe does not take, if whoever opened it chose that
 * writing must not wait. Throws the error of a failed write.
 */
export function writePlain(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; )
    try {
      at += writeSync(STDOUT, bytes, at);
    } catch (error) {
      if (systemCode(error) === 'EAGAIN') return bytes.subarray(at);
      throw error;
    }
  return new Uint8Array();
}

const STDOUT = 1;

/** Whether the reader has closed the pipe, which is not an error. */
export const isClosed = (error: unknown): boolean => systemCode(error) === 'EPIPE';

/** Writes the output of commands to stdout. Commands write to stdout only through this file. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';

/**
 * Resolves when the system has accepted the chunk, so that a slow reader gets all output. Throws EPIPE for a closed
 * pipe, and `error` for other failures, such as a full disk.
 */
export async function write(context: Context, chunk: string | Uint8Array): Promise<void> {
  if (chunk.length === 0) return;
  const error = await new Promise<NodeJS.ErrnoException | null | undefined>((done) => {
    context.stdout.write(chunk, done);
  });
  if (!error) return;
  if (error.code === 'EPIPE') throw error;
  const { reasonOf } = await import('../store/files.ts');
  throw new DtpError('error', `the result could not be written: ${reasonOf(error)}`, { cause: error });
}

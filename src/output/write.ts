/** The one way to stdout. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';

/**
 * Ends when the system has taken it, so that a slow reader is waited for and nothing is cut at the end. Throws EPIPE where
 * the reader has gone, and `error` for a full disk or the like.
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

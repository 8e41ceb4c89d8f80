/** The one way to stdout. */
import type { Context } from '../context.ts';

/** Ends when the system has taken it, so that a slow reader is waited for and nothing is cut at the end. */
export async function write(context: Context, chunk: string | Uint8Array): Promise<void> {
  if (chunk.length === 0) return;
  await new Promise<void>((done, failed) => {
    context.stdout.write(chunk, (error) => (error ? failed(error) : done()));
  });
}

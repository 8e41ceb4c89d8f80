/** Movement on a terminal while something takes long. */
import type { Context } from '../context.ts';

/** Milliseconds before anything is shown: what is quick shows nothing. */
const patience = 300;

/** `work`, with a spinner on stderr where that is a terminal and nobody asked for quiet. ora is loaded only when it turns. */
export async function withSpinner<T>(context: Context, text: string, work: () => Promise<T>): Promise<T> {
  const { env, stderr } = context;
  if (!stderr.isTTY || env.CI || env.TERM === 'dumb') return work();
  const done = new AbortController();
  const turning = context.clock
    .sleep(patience, done.signal)
    .then(async () => {
      const { default: ora } = await import('ora');
      if (done.signal.aborted) return undefined;
      // Without these, ora would read the terminal's input and hold the process.
      return ora({ text, stream: stderr, discardStdin: false, hideCursor: true }).start();
    })
    .catch(() => undefined);
  try {
    return await work();
  } finally {
    done.abort();
    (await turning)?.stop();
  }
}

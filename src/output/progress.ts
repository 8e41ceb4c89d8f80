/** Movement on a terminal while something takes long. */
import { type Context, changed } from '../context.ts';
import { visible } from '../render/sanitize.ts';
import type { Globals } from '../settings/global-flags.ts';

/** The same world without movement, for `--no-progress`. */
export const withProgress = (context: Context, { progress }: Globals): Context =>
  progress === false ? changed(context, { env: { ...context.env, DTP_NO_PROGRESS: '1' } }) : context;

/** Milliseconds before anything is shown: what is quick shows nothing. */
const patience = 300;

/**
 * `work`, with a spinner on stderr where that is a terminal and nobody asked for quiet; `tell` changes its text. ora is
 * loaded only when it turns.
 */
export async function withSpinner<T>(
  context: Context,
  text: string,
  work: (tell: (text: string) => void) => Promise<T>,
): Promise<T> {
  const { env, stderr } = context;
  // A terminal that does not know its width would keep ora clearing lines for ever.
  const isMoving = stderr.isTTY && stderr.columns && !env.CI && !env.DTP_NO_PROGRESS && env.TERM !== 'dumb';
  if (!isMoving) return work(() => undefined);
  let spinner: { text: string } | undefined;
  let latest = text;
  const done = new AbortController();
  const turning = context.clock
    .sleep(patience, done.signal)
    .then(async () => {
      const { default: ora } = await import('ora');
      if (done.signal.aborted) return undefined;
      // Without these, ora would read the terminal's input and hold the process.
      const turning = ora({ text: latest, stream: stderr, discardStdin: false, hideCursor: true }).start();
      spinner = turning;
      return turning;
    })
    .catch(() => undefined);
  try {
    return await work((now) => {
      // It may quote what the service said.
      latest = visible(now);
      if (spinner) spinner.text = latest;
    });
  } finally {
    done.abort();
    (await turning)?.stop();
  }
}

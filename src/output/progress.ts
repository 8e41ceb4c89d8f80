/** The progress display on a terminal. */
import { type Context, changed } from '../context.ts';
import { visible } from '../render/sanitize.ts';
import type { Globals } from '../settings/global-flags.ts';

/** Applies `--no-progress` to the context. */
export const withProgress = (context: Context, { progress }: Globals): Context =>
  progress === false ? changed(context, { env: { ...context.env, DTP_NO_PROGRESS: '1' } }) : context;

/** Milliseconds before the spinner appears, so that quick work shows nothing. */
const patience = 300;

/**
 * Runs `work` with a spinner on stderr, unless stderr is not a terminal or progress is disabled. `show` changes the
 * words next to the spinner. The ora package is only loaded when the spinner appears.
 */
export async function withSpinner<T>(
  context: Context,
  text: string,
  work: (show: (text: string) => void) => Promise<T>,
): Promise<T> {
  const { env, stderr } = context;
  // On a terminal without a known width, ora would clear lines forever.
  const isShown = stderr.isTTY && stderr.columns && !env.CI && !env.DTP_NO_PROGRESS && env.TERM !== 'dumb';
  if (!isShown) return work(() => undefined);
  let spinner: { text: string } | undefined;
  let latest = text;
  const done = new AbortController();
  const starting = context.clock
    .sleep(patience, done.signal)
    .then(async () => {
      const { default: ora } = await import('ora');
      if (done.signal.aborted) return undefined;
      // With `discardStdin`, ora would read the terminal's input and keep the process running.
      const started = ora({ text: latest, stream: stderr, discardStdin: false, hideCursor: true }).start();
      spinner = started;
      return started;
    })
    .catch(() => undefined);
  try {
    return await work((now) => {
      // `now` may contain strings from the service.
      latest = visible(now);
      if (spinner) spinner.text = latest;
    });
  } finally {
    done.abort();
    (await starting)?.stop();
  }
}

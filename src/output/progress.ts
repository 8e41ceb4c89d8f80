/** Shows the progress display on a terminal. */

import { type Context, changeContext, type Waiting } from '../context.ts';
import { timeText } from '../render/amounts.ts';
import { type Progress, progressText } from '../render/progress.ts';
import { visible } from '../render/sanitize.ts';
import { hasPlainSigns, signsFor } from '../render/signs.ts';
import { widthOf } from '../render/width.ts';
import type { Globals } from '../settings/global-flags.ts';
import { isOn } from '../settings/switches.ts';
import { colorOf } from './color.ts';

export const withProgress = (context: Context, { progress }: Globals): Context =>
  progress === false ? changeContext(context, { env: { ...context.env, DTP_NO_PROGRESS: '1' } }) : context;

/** The delay in milliseconds before anything is shown. Quick work shows nothing. */
const patience = 500;

export type Show = (now: string | Progress) => void;

/**
 * Runs `work` and shows a line on stderr with what is being done, the progress and the elapsed time. Shows nothing if
 * stderr is not a terminal or progress is disabled. The ora package is loaded only when the line appears.
 */
export async function withSpinner<T>(context: Context, text: string, work: (show: Show) => Promise<T>): Promise<T> {
  const { clock, env, stderr, agent, report } = context;
  if (report) {
    report(text);
    return work(report);
  }
  // On a terminal without a known width, ora would clear lines forever.
  const isShown =
    !agent && stderr.isTTY && stderr.columns && !isOn(env.CI) && !isOn(env.DTP_NO_PROGRESS) && env.TERM !== 'dumb';
  if (!isShown) return work(() => undefined);
  const start = clock.now();
  let shown: { text: string } | undefined;
  let latest = text;
  let progress: Progress | undefined;
  let waiting: Waiting | undefined;
  const done = new AbortController();
  const signed = signsFor(stderr, env);
  const label = () => signed(waiting ? `${waiting.reason}; trying again` : latest);
  const update = () => {
    if (shown && shown.text !== label()) shown.text = label();
  };
  const display = (why: Waiting | undefined) => {
    waiting = why;
    update();
  };
  // Called for each frame, so that the elapsed time advances even if nothing else changes.
  const suffixText = () => {
    if (waiting?.until !== undefined)
      return `(${timeText(Math.max(0, Math.ceil((waiting.until - clock.now()) / 1000)))} left)`;
    const room = (stderr.columns || 80) - widthOf(latest) - signWidth;
    return waiting ? '' : signed(progressText(progress, clock.now() - start, room));
  };
  const starting = clock
    .sleep(patience, done.signal)
    .then(async () => {
      const { default: ora } = await import('ora');
      if (done.signal.aborted) return undefined;
      // With `discardStdin`, ora would read the terminal's input and keep the process running.
      const color: 'cyan' | false = colorOf(context, {}, true) && 'cyan';
      const look = { color, ...(hasPlainSigns(env) && { spinner: 'line' as const }) };
      const options = { text: label(), suffixText, ...look, stream: stderr, discardStdin: false, hideCursor: true };
      const started = ora(options).start();
      shown = started;
      return started;
    })
    .catch(() => undefined);
  context.displays.add(display);
  try {
    return await work((now) => {
      if (typeof now !== 'string') progress = now;
      // The label may contain strings from the service.
      latest = visible((typeof now === 'string' ? now : now.text) ?? latest);
      update();
    });
  } finally {
    context.displays.delete(display);
    done.abort();
    (await starting)?.stop();
  }
}

/** The width in columns of the spinner, the spaces next to it, and a free column at the right edge. */
const signWidth = 4;

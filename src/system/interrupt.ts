/** Handles the signals that end a command. The first signal asks the command to stop, the second exits at once. */
import { performance } from 'node:perf_hooks';
import { ExitCode, signals } from '../errors.ts';

export type Interrupt = ReturnType<typeof openInterrupt>;

/**
 * Equal signals within this time count as one, in milliseconds. The reason is that `timeout` of coreutils signals a
 * command and then its whole process group.
 */
const ONE_SIGNAL_MS = 100;

export function openInterrupt() {
  const interrupt = new AbortController();
  let graceMs = 250;
  let first: { readonly name: string; readonly code: number; readonly at: number } | undefined;
  let forced: NodeJS.Timeout | undefined;
  const force = () => {
    clearTimeout(forced);
    if (first === undefined || graceMs === Infinity) return;
    const { name, code } = first;
    forced = setTimeout(() => end(name, code), graceMs).unref();
  };
  for (const [name, code] of Object.entries(signals))
    process.on(name, () => {
      const at = performance.now();
      if (first === undefined) {
        first = { name, code, at };
        interrupt.abort(new ExitCode(code));
        force();
      } else if (name !== first.name || at - first.at > ONE_SIGNAL_MS) end(name, code);
    });
  return {
    /** Aborted by the first signal. The reason is the `ExitCode` for that signal. */
    signal: interrupt.signal,
    /**
     * Sets how long the command may take to stop, in milliseconds. The time starts with the first signal, or with this
     * call if a signal has already been received. `Infinity` means no limit.
     */
    setGrace: (ms: number) => {
      graceMs = ms;
      force();
    },
  };
}

/**
 * Exits at once. The exit can hang, for example while a file on an unreachable network drive is being opened. Therefore
 * the listeners are removed first, so that the next signal ends the process.
 */
function end(name: string, code: number): never {
  process.removeAllListeners(name);
  process.exit(code);
}

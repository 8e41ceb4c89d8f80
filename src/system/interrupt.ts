/** The signals that end a command: the first asks it to end, the second ends the process at once. */
import { performance } from 'node:perf_hooks';
import { ExitCode, signals } from '../errors.ts';

export interface Interrupt {
  /** Aborted by the first signal, with its exit code. */
  readonly signal: AbortSignal;
  /** How long a command may take to end by itself, in milliseconds from now on; `Infinity` for as long as it takes. */
  readonly setGrace: (ms: number) => void;
}

/** `timeout` of coreutils signals its command and then the command's whole group, which is one signal and not two. */
const ONE_SIGNAL_MS = 100;

/** Listens to the signals of this process. */
export function openInterrupt(): Interrupt {
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
    signal: interrupt.signal,
    setGrace: (ms) => {
      graceMs = ms;
      force();
    },
  };
}

/** A file that is being opened, such as one of a network that is away, holds even this up: the next signal is the system's. */
function end(name: string, code: number): never {
  process.removeAllListeners(name);
  process.exit(code);
}

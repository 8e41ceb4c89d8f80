/** Everything outside the program that it may use. main.ts creates the real one, and tests create their own. */
import type { Readable, Writable } from 'node:stream';
import type { Clock } from './clock.ts';
import type { Profiles } from './store/profiles.ts';
import type { Spool } from './store/spool.ts';
import type { Program } from './system/child.ts';
import type { Probe } from './transport/probe.ts';
import type { Sender, SendOptions } from './transport/send.ts';

export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** Whether the stream is a file. CI runners do not look for workflow commands in files. */
  readonly isFile?: boolean;
}

/** Records what a command does. */
export interface Journal {
  readonly warned: (text: string) => void;
  /** Called when a request is sent. */
  readonly sent: () => void;
  readonly answered: (status: number) => void;
}

export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly stdin: Readable & Terminal;
  readonly stdout: Writable & Terminal;
  readonly stderr: Writable & Terminal;
  readonly clock: Clock;
  /**
   * The current date and time, for values that are stored, shown or sent. Not for waits, because the clock may jump.
   */
  readonly date: () => Date;
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number;
  readonly uuid: () => string;
  /** Aborted by the user's interrupt. */
  readonly signal: AbortSignal;
  /** Sets how long an interrupted command may take to end by itself, in milliseconds from now. The default is 250. */
  readonly setGrace: (ms: number) => void;
  readonly pid: number;
  /** The effective user id. Undefined on Windows, where file owners are different. */
  readonly uid: number | undefined;
  /** The version of Node, such as `v20.18.1`, and its platform, such as `linux`. */
  readonly runtime: { readonly version: string; readonly platform: string };
  /** The warnings that were already printed and must not be repeated. */
  readonly warned: Set<string>;
  /** Absent if nothing is recorded. */
  readonly journal?: Journal;
  /** These are slow to load, so they are opened on demand. */
  readonly openProfiles: (folder: string) => Promise<Profiles>;
  readonly openSpool: (folder: string) => Promise<Spool>;
  readonly openSend: (options: SendOptions) => Promise<Sender>;
  readonly openProbe: () => Promise<Probe>;
  /**
   * Runs a program on our streams and returns its exit code. The program receives an interrupt exactly once. Throws
   * `usage` if the program cannot be started.
   */
  readonly spawn: (program: Program) => Promise<number>;
  /** Creates a folder that is deleted when this process exits. */
  readonly openTemporary: () => string;
  /** Opens a URL in the user's browser. Throws if that fails. */
  readonly openBrowser: (url: string) => Promise<void>;
  /**
   * Runs this tool again in a separate process and returns its output. Undefined if it fails, or if it is still
   * running `withinMs` after this process started. In the latter case, it continues in the background.
   */
  readonly runAside: (argv: readonly string[], withinMs: number) => Promise<string | undefined>;
  /** Returns the output of a `credential_command`. Throws `config` if it fails or takes longer than 3 s. */
  readonly exec: (command: string) => Promise<string>;
}

/**
 * Returns a copy of the context with changes. A spread would evaluate the getters, and so create values that are only
 * created on demand.
 */
export const changed = <T extends Context, Changes extends Partial<Context>>(context: T, changes: Changes) =>
  Object.defineProperties({} as T & Changes, {
    ...Object.getOwnPropertyDescriptors(context),
    ...Object.getOwnPropertyDescriptors(changes),
  });

/** What the program may touch of the world. main.ts makes the real one, a test its own. */
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
  /** Whether it is a file of the disk, which no CI runner reads along. */
  readonly isFile?: boolean;
}

/** What is told of a command beside its streams. */
export interface Journal {
  readonly warned: (text: string) => void;
  /** A request goes out. */
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
  /** The date and the time of day, for what is stored, shown or sent. A wait that used it would jump with it. */
  readonly date: () => Date;
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number;
  readonly uuid: () => string;
  /** Aborted by the user's interrupt. */
  readonly signal: AbortSignal;
  /** How long an interrupted command may take to end by itself, in milliseconds from the call on, if 250 are too few. */
  readonly setGrace: (ms: number) => void;
  readonly pid: number;
  /** The user that files are read as; undefined on Windows, where files have owners of another kind. */
  readonly uid: number | undefined;
  /** The Node that runs this, such as `v20.18.1`, and its platform, such as `linux`. */
  readonly runtime: { readonly version: string; readonly platform: string };
  /** Warnings that this process has given, of those that are given once. */
  readonly warned: Set<string>;
  /** Absent where nobody wants to be told. */
  readonly journal?: Journal;
  /** Slow to load, so opened where they are needed. */
  readonly openProfiles: (folder: string) => Promise<Profiles>;
  readonly openSpool: (folder: string) => Promise<Spool>;
  readonly openSend: (options: SendOptions) => Promise<Sender>;
  readonly openProbe: () => Promise<Probe>;
  /**
   * Runs a program on our own streams and gives its exit code. An interrupt reaches it exactly once. Throws `usage` if it
   * cannot be started.
   */
  readonly spawn: (program: Program) => Promise<number>;
  /** Makes a folder that is deleted when this process exits. */
  readonly openTemporary: () => string;
  /** Hands an address to the user's browser. Throws where there is none. */
  readonly openBrowser: (address: string) => Promise<void>;
  /**
   * Runs this tool once more, beside this process: what it printed, or undefined where it failed or had not ended when this
   * process was `withinMs` old. Then it goes on by itself.
   */
  readonly runAside: (argv: readonly string[], withinMs: number) => Promise<string | undefined>;
  /** What a shell command prints within `limitMs` milliseconds. Throws `config` if it fails. */
  readonly exec: (command: string, limitMs: number) => Promise<string>;
}

/** The same world but for `changes`. Not by spreading, which would ask for all that is only made when it is asked for. */
export const changed = <T extends Context, Changes extends Partial<Context>>(context: T, changes: Changes) =>
  Object.defineProperties({} as T & Changes, {
    ...Object.getOwnPropertyDescriptors(context),
    ...Object.getOwnPropertyDescriptors(changes),
  });

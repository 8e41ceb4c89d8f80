/** Defines the Context: everything that commands use from outside the program. main.ts and the tests create one. */
import type { Readable, Writable } from 'node:stream';
import type { Clock } from './clock.ts';
import type { Deed } from './render/job-summary.ts';
import type { Progress } from './render/progress.ts';
import type { Profiles } from './store/profiles.ts';
import type { Spool } from './store/spool.ts';
import type { Program } from './system/child.ts';
import type { KeychainRequest } from './system/keychain.ts';
import type { Probe } from './transport/probe.ts';
import type { Sender, SendOptions } from './transport/send.ts';

export interface StreamInfo {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** Whether the stream is a file. CI runners do not look for workflow commands in files. */
  readonly isFile?: boolean;
}

/** Records the warnings, requests, responses and the outcome of a command. */
export interface Journal {
  readonly warned: (text: string) => void;
  /** Sets what the command has done, for the summary of a CI job. */
  readonly did: (deed: Deed) => void;
  readonly sent: () => void;
  readonly answered: (status: number) => void;
}

/** Why a request waits to be sent again. */
export interface Waiting {
  readonly reason: string;
  /** When there are no more attempts, by the clock of the context. Undefined if that does not depend on the time. */
  readonly until: number | undefined;
}

export interface Agent {
  /** Its name, if it was detected. */
  readonly name?: string | undefined;
  /** Whether the user asked for results for a model, with --agent or DTP_AGENT. Detection alone changes no result. */
  readonly isAsked: boolean;
}

export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly stdin: Readable & StreamInfo;
  readonly stdout: Writable & StreamInfo;
  readonly stderr: Writable & StreamInfo;
  readonly clock: Clock;
  /** The current time, for values that are stored, shown or sent. Waits use `clock`, because the date may jump. */
  readonly date: () => Date;
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number;
  readonly uuid: () => string;
  /** Aborted by the first signal that asks the process to end, such as Ctrl-C. */
  readonly signal: AbortSignal;
  /** Sets how long the command may take to end, in ms (default: 250), from the interrupt or, if later, this call. */
  readonly setGrace: (ms: number) => void;
  readonly pid: number;
  /** The effective user id. Undefined on Windows, which has no numeric user ids. */
  readonly uid: number | undefined;
  /** Detects the agent that runs the tool. Without this function, no agent is detected. */
  readonly findAgent?: () => Promise<Agent | undefined>;
  /** Set if the command runs for an agent. Nobody answers prompts, or looks at color and progress. */
  readonly agent?: Agent | undefined;
  /** The version of Node, such as `v20.18.1`, and its platform, such as `linux`. */
  readonly runtime: { readonly version: string; readonly platform: string };
  /** The warnings that were already printed. They are not printed again. */
  readonly warned: Set<string>;
  /** The secrets that were used so far. Nothing that is logged, or that an agent reads, may contain them. */
  readonly secrets: Set<string>;
  /** The visible progress displays. Each is called with the reason while a failed request waits to be sent again. */
  readonly displays: Set<(waiting: Waiting | undefined) => void>;
  /** Takes the progress of the work instead of the terminal, for a client that asks for it. */
  readonly report?: ((now: string | Progress) => void) | undefined;
  /** Not set if nothing is recorded. */
  readonly journal?: Journal;
  /** The code of profiles, spool, sender and probe is slow to load, so each is opened only when it is needed. */
  readonly openProfiles: (folder: string) => Promise<Profiles>;
  readonly openSpool: (folder: string) => Promise<Spool>;
  readonly openSend: (options: SendOptions) => Promise<Sender>;
  readonly openProbe: () => Promise<Probe>;
  /**
   * Runs a program with the standard streams of this process and returns its exit code. An interrupt reaches the
   * program exactly once. Throws `usage` if the program cannot be started.
   */
  readonly spawn: (program: Program) => Promise<number>;
  /** Creates a folder that is deleted when this process exits. */
  readonly openTemporary: () => string;
  /** Opens a URL in the user's browser. Throws if that fails. */
  readonly openBrowser: (url: string) => Promise<void>;
  /**
   * Runs this tool in a separate process with other arguments and returns its output. Undefined if that process fails,
   * or if it is still running `withinMs` milliseconds after this process started. In the second case, it continues to
   * run in the background.
   */
  readonly runAside: (argv: readonly string[], withinMs: number) => Promise<string | undefined>;
  /** Returns the output of a `credential_command`. Throws `config` if it fails or takes longer than 3 s. */
  readonly exec: (command: string) => Promise<string>;
  /** Uses the keychain of the operating system. Returns the secret of a `get`, if there is one. Throws `config`. */
  readonly keychain: (request: KeychainRequest) => Promise<string | undefined>;
}

/** Returns a copy with some properties replaced. A spread would call the getters, and so open standard input. */
export const changeContext = <T extends Context, Changes extends Partial<Context>>(context: T, changes: Changes) =>
  Object.defineProperties({} as T & Changes, {
    ...Object.getOwnPropertyDescriptors(context),
    ...Object.getOwnPropertyDescriptors(changes),
  });

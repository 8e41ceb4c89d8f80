/** A Context for one test, and the program run in it, without touching the real process. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import type { Context } from '../../src/context.ts';
import { runMain } from '../../src/main.ts';
import { isOnWindows } from '../../src/system/platform.ts';
import { folderInRepository } from '../../src/system/repository.ts';
import type { Sender } from '../../src/transport/send.ts';
import { wallClock } from './clocks.ts';
import { removeFolder } from './folders.ts';
import { rememberAll } from './known-workspaces.ts';

export interface World {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** Whether standard input, stdout and stderr are terminals. */
  readonly tty?: boolean;
  /** With `tty` and TERM=dumb: the lines to type, each once stderr shows its string after the previous line. */
  readonly typed?: readonly (readonly [at: string, line: string])[];
  /** With `tty` and TERM=dumb: the answer to each prompt, which is the end of what stderr shows. */
  readonly answers?: (prompt: string) => string;
  /** With `tty`: stdout is still a pipe, as in `dtp … | jq .`. */
  readonly piped?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd?: string;
  readonly home?: string;
  /** The user id to report; the real one if absent. */
  readonly uid?: number;
  /** The user who called sudo. */
  readonly sudoUid?: number;
  /** The workspace of the credential in `env`, as if an earlier command had found it. */
  readonly own?: string;
  readonly clock?: Clock;
  /** If absent, the clock's time. */
  readonly date?: Context['date'];
  readonly random?: () => number;
  readonly signal?: AbortSignal;
  readonly openSend?: Context['openSend'];
  readonly openProbe?: Context['openProbe'];
  readonly runtime?: Context['runtime'];
  readonly spawn?: Context['spawn'];
  readonly exec?: Context['exec'];
  readonly keychain?: Context['keychain'];
  readonly displays?: Context['displays'];
  readonly openBrowser?: Context['openBrowser'];
  readonly findAgent?: Context['findAgent'];
  readonly runAside?: Context['runAside'];
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-test-'));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Runs a command line in this process. Without `openSend`, any request fails the test. */
export async function dtp(argv: readonly string[], world: World = {}): Promise<Ended> {
  const home = world.home ?? temporaryFolder();
  const state = world.env?.DTP_STATE_DIR ?? join(home, 'state');
  if (world.own !== undefined) await rememberAll(state, world.env ?? {}, world.own);
  const clock = world.clock ?? wallClock;
  const date = world.date ?? (() => new Date(clock.now()));
  const [stdout, stderr] = [collector(world.piped ? {} : world), collector(world)];
  const context: Context = {
    env: {
      DTP_CONFIG_DIR: join(home, 'config'),
      DTP_DATA_DIR: join(home, 'data'),
      DTP_STATE_DIR: join(home, 'state'),
      ...world.env,
    },
    cwd: world.cwd ?? home,
    home,
    stdin: world.answers
      ? answering(stderr.stream, world.answers)
      : world.typed
        ? keyboard(stderr.stream, world.typed)
        : Object.assign(Readable.from(world.stdin === undefined ? [] : [Buffer.from(world.stdin)]), {
            isTTY: world.tty === true && world.stdin === undefined,
          }),
    stdout: stdout.stream,
    stderr: stderr.stream,
    clock,
    date,
    random: world.random ?? (() => 0.5),
    uuid: () => '00000000-0000-4000-8000-000000000000',
    signal: world.signal ?? new AbortController().signal,
    setGrace: () => undefined,
    pid: process.pid,
    uid: world.uid ?? process.geteuid?.(),
    ...(world.findAgent && { findAgent: world.findAgent }),
    warned: new Set(),
    secrets: new Set(),
    displays: world.displays ?? new Set(),
    runtime: world.runtime ?? { version: 'v20.18.1', platform: isOnWindows ? 'win32' : 'linux' },
    openProfiles: async (folder) =>
      (await import('../../src/store/profiles.ts')).openProfiles(folder, {
        ...wallClock,
        inRepository: folderInRepository(context, 'config'),
        uid: world.runtime?.platform === 'win32' ? undefined : (world.uid ?? process.geteuid?.()),
        sudoUid: world.sudoUid,
        pid: process.pid,
        isAlive: () => true,
        beganAt: () => undefined,
      }),
    openSpool: async (folder) =>
      (await import('../../src/store/spool.ts')).openSpool(folder, {
        ...wallClock,
        date: () => new Date(),
        uid: world.uid ?? process.geteuid?.(),
        sudoUid: world.sudoUid,
        pid: process.pid,
        isAlive: () => true,
        beganAt: () => undefined,
      }),
    openSend: world.openSend ?? nothingIsSent,
    openProbe: world.openProbe ?? (() => Promise.reject(new Error('this test must not probe the network'))),
    spawn: world.spawn ?? (() => Promise.reject(new Error('this test must not run a program'))),
    openTemporary: temporaryFolder,
    openBrowser: world.openBrowser ?? (() => Promise.reject(new Error('this test must not open a browser'))),
    runAside: world.runAside ?? (() => Promise.reject(new Error('this test must not start a background process'))),
    exec: world.exec ?? (() => Promise.reject(new Error('this test must not run a command'))),
    keychain: world.keychain ?? (() => Promise.reject(new Error('this test must not use the keychain'))),
  };
  const code = await runMain(context, argv);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

const nothingIsSent: Context['openSend'] = async (): Promise<Sender> => ({
  send: (request) => Promise.reject(new Error(`sent: ${request.method} ${request.url}`)),
  close: async () => undefined,
});

/** Somebody at the keyboard, who waits for each question. */
function keyboard(screen: PassThrough, typed: NonNullable<World['typed']>) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const rest = [...typed];
  let shown = '';
  screen.on('data', (chunk: Buffer) => {
    shown += chunk;
    const [at, line] = rest[0] ?? [];
    if (at === undefined || !shown.includes(at)) return;
    rest.shift();
    shown = '';
    setImmediate(() => stdin.write(`${line}\r`));
  });
  return stdin;
}

/** Somebody at the keyboard, who answers whatever is asked. */
function answering(screen: PassThrough, answers: NonNullable<World['answers']>) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  let shown = '';
  screen.on('data', (chunk: Buffer) => {
    shown += chunk;
    const prompt = stripVTControlCharacters(shown);
    if (!/[:?)] $/.test(prompt)) return;
    shown = '';
    setImmediate(() => stdin.write(`${answers(prompt)}\r`));
  });
  return stdin;
}

function collector(world: World) {
  const chunks: Buffer[] = [];
  const stream = new PassThrough();
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const still = () => true;
  const moves = { cursorTo: still, moveCursor: still, clearLine: still };
  const rows = world.rows === undefined ? {} : { rows: world.rows };
  const terminal = world.tty ? { isTTY: true, columns: world.columns ?? 80, ...rows, ...moves } : {};
  return { stream: Object.assign(stream, terminal), text: () => Buffer.concat(chunks).toString() };
}

/** Creates the real Context, runs the command line, and converts errors to messages and exit codes. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orThrow } from './caught.ts';
import { reportFailure } from './cli/failure.ts';
import { isFollowed, openProgram, runCommandLine } from './cli/program.ts';
import type { Clock } from './clock.ts';
import { type Context, changeContext } from './context.ts';
import { DtpError, isCtrlC } from './errors.ts';
import { withAgent } from './output/agent.ts';
import { type OpenJournal, openJournal } from './output/journal.ts';
import { write } from './output/write.ts';
import { runChild } from './system/child.ts';
import { findHome } from './system/folders.ts';
import { type Interrupt, openInterrupt } from './system/interrupt.ts';
import { isOnWindows } from './system/platform.ts';
import { processes } from './system/processes.ts';
import { folderInRepository } from './system/repository.ts';
import { standardInput } from './system/stdin.ts';
import { wholeStdout } from './system/stdout.ts';

/** Runs the command line of this process and sets its exit code. */
export async function main(): Promise<void> {
  const interrupt = openInterrupt();
  // Install handlers before the first write, because an unhandled stream error would end the process with a stack
  // trace.
  const stdout = wholeStdout(process.stdout);
  for (const stream of [stdout, process.stderr]) stream.on('error', () => undefined);
  const context = realContext(interrupt, stdout);
  // The terminal has printed ^C. A progress display clears its line, but anything else would be next to it.
  interrupt.signal.addEventListener('abort', () => {
    if (isCtrlC(interrupt.signal) && process.stderr.isTTY && context.displays.size === 0) process.stderr.write('\n');
  });
  if (isOnWindows) (await import('./system/roaming.ts')).moveFromRoaming(context);
  const journal = await openJournal(context);
  // A signal may end the process before `run` returns. The journal must then be written too.
  process.on('exit', (code) => journal.end(code));
  process.exitCode = await runMain(context, process.argv.slice(2), journal);
  // Skip the teardown of Node 20, which can crash: it reads memory of the database driver that is already freed.
  process.once('beforeExit', () => process.exit());
  // Exit even if something is still open, such as a DNS lookup. After a signal, do not wait at all.
  setTimeout(() => process.exit(), interrupt.signal.aborted ? 0 : 1000).unref();
}

/** Runs a command line and returns its exit code. */
export async function runMain(outside: Context, argv: readonly string[], opened?: OpenJournal): Promise<number> {
  const journal = opened ?? (await openJournal(outside));
  if (argv[0] === '__complete') {
    journal.began('__complete', false);
    const { answerShell } = await import('./commands/completion/answer.ts');
    return answerShell(outside, argv);
  }
  const version: string[] = [];
  const context = changeContext(outside, { journal });
  const front = () => import('./cli/front.ts');
  const words = argv.length === 0 ? ['--help'] : argv;
  const program = openProgram(
    words,
    {
      operation: async (operation, typed, globals) =>
        (await front()).runTyped(await withAgent(context, globals), operation, typed, globals),
      local: async (command, input, globals) =>
        (await front()).runLocal(await withAgent(context, globals), command, input, { argv, globals }),
      answer: async (asked) => {
        const { answerShell } = await import('./commands/completion/answer.ts');
        await answerShell(context, asked);
      },
    },
    (text) => version.push(text),
  );
  journal.began(program.command, isFollowed(argv));
  let code = 0;
  try {
    await runCommandLine(program, words, context);
    await write(context, version.join(''));
  } catch (error) {
    const globals = program.globals();
    code = await reportFailure(await withAgent(context, globals, true), error, { globals, argv, journal });
  }
  journal.end(code);
  return code;
}

function realContext({ signal, setGrace }: Interrupt, stdout: Context['stdout']): Context {
  const user = { uid: process.geteuid?.(), sudoUid: Number(process.env.SUDO_UID) };
  const context: Context = {
    env: isOnWindows ? inUpperCase(process.env) : process.env,
    get cwd() {
      return workingFolder();
    },
    home: findHome(),
    get stdin() {
      return standardInput();
    },
    stdout,
    stderr: process.stderr,
    clock: realClock,
    date,
    random: Math.random,
    uuid: () => randomUUID(),
    signal,
    setGrace,
    findAgent: async () => (await import('./system/agent.ts')).detectedAgent(),
    pid: process.pid,
    uid: user.uid,
    runtime: { version: process.version, platform: process.platform },
    warned: new Set(),
    secrets: new Set(),
    displays: new Set(),
    openProfiles: async (folder) => {
      const { openProfiles } = await withoutListeners(() => import('./store/profiles.ts'));
      // Waiting for the lock may be interrupted, because nothing has been changed yet.
      const sleep = (ms: number) => realClock.sleep(ms, signal);
      const inRepository = folderInRepository(context, 'config');
      return openProfiles(folder, { now: realClock.now, sleep, ...user, inRepository, ...processes() });
    },
    openSpool: async (folder) => {
      const { openSpool } = await import('./store/spool.ts');
      return openSpool(folder, { ...realClock, date, ...user, ...processes() });
    },
    openSend: async (options) => {
      if (!('WebAssembly' in globalThis)) throw noParser();
      return (await import('./transport/send.ts')).openSend(options);
    },
    openProbe: async () => (await import('./transport/probe.ts')).openProbe(),
    spawn: (program) => runChild(program, signal),
    openTemporary,
    openBrowser: async (url) => {
      const { openBrowser } = await import('./system/browser.ts');
      return openBrowser(url, process.env.BROWSER);
    },
    runAside,
    exec: async (command) => (await import('./system/credential-command.ts')).credentialOutputOf(command, signal),
    keychain: async (request) => (await import('./system/keychain.ts')).useKeychain(request, signal),
  };
  return context;
}

/** The error for a Node without WebAssembly, which undici needs to parse responses. --jitless disables WebAssembly. */
const noParser = () =>
  new DtpError('config', 'this Node has no WebAssembly, which is required for HTTP', {
    hint: 'Run it without --jitless (check NODE_OPTIONS).',
  });

/** Returns the current folder. Throws `config` if it was deleted. */
const workingFolder = (): string =>
  orThrow(
    () => process.cwd(),
    (cause) =>
      new DtpError('config', 'the current folder no longer exists', { hint: 'Change to another folder.', cause }),
  );

/** Creates a folder and deletes it when the process exits, even with process.exit(). */
function openTemporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-'));
  process.on('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // A process that the command started may still be writing to the folder.
    }
  });
  return folder;
}

/** Windows ignores the case of names, so a copy of the variables must have one case to be searched and changed. */
const inUpperCase = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]));

/** Runs this tool in a separate session, so that it can outlive this process and does not receive Ctrl-C. */
function runAside(argv: readonly string[], withinMs: number): Promise<string | undefined> {
  const [program, script] = process.argv;
  // If the tool is a single executable file, process.argv[1] is that file and not a script.
  const first = script === undefined || script === program ? [] : [script];
  return new Promise((done) => {
    const child = spawn(process.execPath, [...process.execArgv, ...first, ...argv], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
      windowsHide: true,
    });
    // After a slow start, the time may already be over, and Node warns about negative timeouts.
    const leftMs = Math.max(0, withinMs - performance.now());
    const late = setTimeout(() => {
      child.stdout?.destroy();
      child.unref();
      done(undefined);
    }, leftMs);
    const end = (result: string | undefined) => {
      clearTimeout(late);
      done(result);
    };
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.on('error', () => end(undefined));
    child.on('close', (code) => end(code === 0 ? text : undefined));
  });
}

const ignore = () => undefined;

/**
 * Loads code that imports the conf package, and removes the signal listeners that the package adds. They would send
 * each signal to this process a second time, and the second signal kills it.
 */
async function withoutListeners<T>(load: () => Promise<T>): Promise<T> {
  const all = () =>
    process
      .eventNames()
      .filter((name) => typeof name === 'string' && name.startsWith('SIG'))
      .flatMap((name) => process.listeners(name as NodeJS.Signals).map((listener) => ({ name, listener })));
  // Without this listener, a write beyond the file size limit would kill the process. With it, only the write fails.
  if (!process.listeners('SIGXFSZ').includes(ignore)) process.on('SIGXFSZ', ignore);
  const before = new Set(all().map(({ listener }) => listener));
  const loaded = await load();
  for (const { name, listener } of all())
    if (!before.has(listener)) process.removeListener(name, listener as () => void);
  return loaded;
}

const date = () => new Date();

const realClock: Clock = {
  // Not `performance`, because Node would have to load it first.
  now: () => Number(process.hrtime.bigint()) / 1e6,
  // Not `node:timers/promises`: it is slow to load, and creates an error with a stack for each wait that is aborted.
  sleep: (ms, signal) =>
    new Promise((done, failed) => {
      if (signal?.aborted) return failed(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        failed(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        done();
      }, ms);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

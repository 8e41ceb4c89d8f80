/**
 * Tests dtp with the Windows build of Node under Wine. Sets it up first, from packages of Debian and npm. With names of
 * test files or folders as arguments, runs only these there.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import './reader.mjs';
import { notRun, readResults, sum } from './windows/results.mjs';
import { copyProject, drive, missing, runNode, setUp } from './windows/set-up.mjs';

const root = resolve(import.meta.dirname, '..');
const results = join(drive, 'results');
const recordings = join(drive, 'recordings');
const say = (text) => process.stdout.write(`${text}\n`);

const reason = missing();
if (reason !== undefined) {
  say(`The tests for Windows are skipped: ${reason}.`);
  process.exit();
}

/** Runs test files under Wine. Returns their results, with the name of this step. */
async function test(name, mode, paths) {
  const [output, report] = ['log', 'json'].map((end) => join(results, `${name}.${end}`));
  const options = ['--mode', mode, '--maxWorkers=2', '--reporter=json'];
  // Wine sometimes resets a connection that is just being opened.
  if (mode !== 'windows') options.push('--retry=1');
  for (const path of notRun) options.push('--exclude', path);
  const file = `--outputFile=C:\\results\\${name}.json`;
  const variables = {
    DTP_RECORDING: 'C:\\recordings',
    ...(process.env.DTP_SEED && { DTP_SEED: process.env.DTP_SEED }),
  };
  await runNode(['C:\\t\\node_modules\\vitest\\vitest.mjs', 'run', ...paths, ...options, file], variables, output);
  return readResults(report, output);
}

/** Stores what every operation prints here, for the comparison. */
function record() {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const file = 'test/windows/recording.windows.test.ts';
  const report = join(results, 'linux.json');
  const args = [vitest, 'run', file, '--mode', 'windows', '--reporter=json', `--outputFile=${report}`];
  const env = { ...process.env, DTP_RECORDING: recordings };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' });
  return new Promise((done) => child.on('close', () => done(readResults(report))));
}

const native = (name) => () => test(name, 'windows', [`test/windows/${name}.windows.test.ts`]);
const only = process.argv.slice(2);
const isNative = (path) => path.endsWith('.windows.test.ts');
const steps =
  only.length > 0
    ? { 'these files': () => test('only', only.every(isNative) ? 'windows' : 'test', only) }
    : {
        'every operation in five formats, on Linux': record,
        'every operation in five formats, compared with Linux': native('recording'),
        "the README's tasks": native('tasks'),
        'what Windows does differently': native('differences'),
        'kills and locks': native('kills'),
        'the fast tests': () => test('suite', 'test', []),
      };

const begun = performance.now();
const since = (time) => `${Math.round((performance.now() - time) / 1000)} s`;
const isNew = setUp();
copyProject();
say(`${isNew ? 'set up' : 'found'} Node for Windows under Wine, and copied the project to it (${since(begun)})`);
for (const folder of [results, recordings]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
}

const counts = [];
for (const [name, run] of Object.entries(steps)) {
  const time = performance.now();
  const { count, lines } = await run();
  counts.push(count);
  say(`${count.failed === 0 ? 'ok' : 'not ok'}  ${name}: ${sum([count])} (${since(time)})`);
  for (const line of lines) say(`    ${line}`);
}
say(`\n${sum(counts)}`);
process.exitCode = counts.some(({ failed }) => failed > 0) ? 1 : 0;

/**
 * Tests dtp with the Windows build of Node under Wine. Sets it up first, from packages of Debian and npm. With names of
 * test files or folders as arguments, runs only these there.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
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

const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/** Returns the names of the test files that these arguments of Vitest select. A name after --json would be overwritten. */
const filesOf = (args) =>
  JSON.parse(
    execFileSync(process.execPath, [vitest, 'list', '--filesOnly', ...args, '--json'], { cwd: root, encoding: 'utf8' }),
  ).map(({ file }) => relative(root, file));

/** Runs test files under Wine. Returns their results, with the name of this step. */
async function test(name, mode, paths) {
  const [output, report] = ['log', 'json'].map((end) => join(results, `${name}.${end}`));
  const selected = [...paths, '--mode', mode, ...notRun.flatMap((path) => ['--exclude', path])];
  const options = ['--maxWorkers=2', '--reporter=dot', '--reporter=json', `--outputFile=C:\\results\\${name}.json`];
  // Wine sometimes resets a connection that is just being opened.
  if (mode !== 'windows') options.push('--retry=1');
  const variables = {
    DTP_RECORDING: 'C:\\recordings',
    ...(process.env.DTP_SEED && { DTP_SEED: process.env.DTP_SEED }),
  };
  await runNode(['C:\\t\\node_modules\\vitest\\vitest.mjs', 'run', ...selected, ...options], variables, output);
  return readResults(report, output, filesOf(selected));
}

/** Stores what every operation prints here, for the comparison. */
function record() {
  const selected = ['test/windows/recording.windows.test.ts', '--mode', 'windows'];
  const report = join(results, 'linux.json');
  const args = [vitest, 'run', ...selected, '--reporter=json', `--outputFile=${report}`];
  const env = { ...process.env, DTP_RECORDING: recordings };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' });
  return new Promise((done) => child.on('close', () => done(readResults(report, undefined, filesOf(selected)))));
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

/**
 * Writes everything that the built tool says about itself to a folder: completions, the schema, man pages and all help
 * pages. `diff -r` of two such folders shows what a change of the source changes for users.
 *
 *   npm run build && node test/support/surface.mjs FOLDER
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const [folder] = process.argv.slice(2);
if (folder === undefined || folder.startsWith('-')) throw new Error('Pass the folder to write to.');
const home = mkdtempSync(join(tmpdir(), 'dtp-surface-'));

/** Runs the tool and returns its output. Throws if it fails. */
function run(argv) {
  const child = spawn(process.execPath, [join(root, 'bin/dtp.cjs'), ...argv], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, errors] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  return new Promise((done, failed) => {
    child.on('close', (code) =>
      code === 0 ? done(out) : failed(new Error(`dtp ${argv.join(' ')} exited with ${code}: ${errors}`)),
    );
  });
}

const save = async (name, argv) => writeFileSync(join(folder, name), await run(argv));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync(join(root, 'completions'), join(folder, 'completions'), { recursive: true });
await run(['help', '--man', join(folder, 'man')]);
await save('schema.json', ['schema', '--all']);
const { commands } = JSON.parse(await run(['schema', '--all']));
const pages = new Set(
  commands.flatMap(({ command }) => {
    const words = command.split(' ').filter((word) => word !== 'dtp');
    return words.map((_, at) => words.slice(0, at + 1).join(' '));
  }),
);
const jobs = [...['bash', 'zsh', 'fish', 'powershell'].map((shell) => [`completion.${shell}`, ['completion', shell]])];
for (const words of ['', ...pages])
  for (const all of [[], ['--all']])
    jobs.push([`help ${words}${all.join('')}.txt`, [...words.split(' ').filter(Boolean), '--help', ...all]]);
const { sections } = JSON.parse(await run(['help', 'topics', '-o', 'json']));
for (const { term } of sections[0].rows) jobs.push([`topic ${term}.txt`, ['help', term]]);
const workers = Array.from({ length: 2 }, async () => {
  for (let job = jobs.shift(); job; job = jobs.shift()) await save(...job);
});
await Promise.all(workers);
rmSync(home, { recursive: true, force: true });

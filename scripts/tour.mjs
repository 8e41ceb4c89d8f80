/**
 * The tour: the main commands of the tool, run on the embedded service with real input, which is the sample files and
 * GitHub's API document. On a terminal, each command has the terminal; elsewhere, its output is plain text. `--tool FILE`
 * runs another executable than that of this checkout, such as an installed one.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { hasReader } from './reader.mjs';

const { tool } = parseArgs({ options: { tool: { type: 'string' } } }).values;
const [program, ...first] =
  tool === undefined ? [process.execPath, resolve(import.meta.dirname, '../bin/dtp.cjs')] : [resolve(tool)];
const isTerminal = process.stdout.isTTY === true && process.stderr.isTTY === true;
const folder = mkdtempSync(join(tmpdir(), 'dtp-tour-'));
const { PATH, TERM, LANG, COLORTERM, NO_COLOR } = process.env;
const env = {
  ...Object.fromEntries(Object.entries({ PATH, TERM, LANG, COLORTERM, NO_COLOR }).filter(([, value]) => value)),
  HOME: folder,
  DTP_CONFIG_DIR: join(folder, 'config'),
  DTP_DATA_DIR: join(folder, 'data'),
  DTP_STATE_DIR: join(folder, 'state'),
  ...(!isTerminal && { DTP_OUTPUT: 'table', DTP_ERROR_FORMAT: 'text' }),
};
const learned = [];
let cwd = folder;

const say = (text) => process.stdout.write(`${text}\n`);
const bold = (text) => (isTerminal && !NO_COLOR && TERM !== 'dumb' ? `\u001b[1m${text}\u001b[22m` : text);

/** Begins a chapter. `sentence` says what a user has learned after it. */
function chapter(title, sentence) {
  learned.push([title, sentence]);
  say(`\n${bold(`# ${title}`)}`);
}

const readerLeft = new Error('nobody reads the tour');

/** Shows a command, as its user types it, and runs it. */
async function dtp(args, { input, code = 0 } = {}) {
  if (!hasReader()) throw readerLeft;
  say(bold(`$ dtp ${args.map(quoted).join(' ')}${input === undefined ? '' : ' < key.txt'}`));
  const ended = await run(args, input);
  if (ended !== code) throw new Error(`dtp ${args.join(' ')} exited with ${ended}`);
}

const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text}'`);

/** On a terminal, the command writes to it. Elsewhere, what it wrote follows in order: stdout, then stderr. */
function run(args, input) {
  return new Promise((done, failed) => {
    const output = isTerminal ? 'inherit' : 'pipe';
    const child = spawn(program, [...first, ...args], { env, cwd, stdio: ['pipe', output, output] });
    const texts = ['', ''];
    for (const [at, stream] of [child.stdout, child.stderr].entries())
      stream?.on('data', (chunk) => (texts[at] += chunk));
    child.on('error', failed);
    child.on('close', (code) => {
      for (const line of texts.join('').split('\n')) if (line !== '') say(line);
      done(code);
    });
    // The command may exit before it reads its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
  });
}

const server = spawn(program, [...first, 'serve', '--ephemeral', '-o', 'json'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((done) => server.once('close', done));
try {
  const service = JSON.parse(await new Promise((done) => server.stdout.once('data', (chunk) => done(String(chunk)))));
  say(`The embedded service listens on ${service.address}`);

  chapter('Log in', 'a credential is checked, then stored; dtp whoami shows whose it is');
  await dtp(['login', '--base-url', service.address, '--with-token'], { input: service.key });
  await dtp(['whoami']);

  chapter('Samples', 'dtp init --sample writes files to try things on');
  await dtp(['init', '--sample']);
  cwd = join(folder, 'petstore');

  chapter('Registry', 'a document of several files is one revision, which tags name');
  await dtp(['artifacts', 'push', 'openapi.yaml', 'petstore:v1']);
  await dtp(['artifacts', 'tags', 'add', 'petstore:v1', '--tag', 'stable']);
  await dtp(['artifacts', 'tags', 'list', 'petstore']);

  chapter('Code samples', 'a document becomes code samples in eight languages, also a large one');
  const preview = ['code-samples', 'preview'];
  await dtp([...preview, 'openapi.yaml', '--language', 'typescript', '--operation-ids', 'listPets']);
  const description = 'api.github.com.json';
  const compressed = readFileSync(join(import.meta.dirname, `../test/fixtures/${description}.br`));
  writeFileSync(join(cwd, description), brotliDecompressSync(compressed));
  await dtp([...preview, description, '--language', 'python', '--operation-ids', 'repos/get']);

  chapter('Reports', 'an uploaded report has a short URL, which opens in a browser');
  await dtp(['reports', 'upload', 'lint.html', '--type', 'linting', '--shorten']);

  chapter('Events', 'they wait on the disk in an outage, and are searched by run or time');
  await dtp(['events', 'post', '--body', '@events.ndjson']);
  await dtp(['events', 'search', '--execution-id', 'run-77']);
  await dtp(['events', 'search', '--since', '1h', '--no-success', '-o', 'json', '--query', '[].error']);

  chapter('Tokens', 'a new key stands alone on its line, so that it can be copied');
  await dtp(['ws', 'tokens', 'create', '--name', 'ci']);
  await dtp(['ws', 'tokens', 'list']);

  chapter('Errors', 'an error says what to do next');
  await dtp(['events', 'serch'], { code: 2 });

  say(`\n${bold('What you have seen')}`);
  const width = Math.max(...learned.map(([title]) => title.length));
  for (const [title, sentence] of learned) say(`  ${title.padEnd(width)}  ${sentence}`);
  say('\nEvery command above really ran, and nothing is left behind.');
} catch (error) {
  if (error !== readerLeft) throw error;
} finally {
  server.kill('SIGTERM');
  // The service writes its compile cache into the folder when it exits.
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

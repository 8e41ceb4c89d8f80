/**
 * The tour: the main commands of the tool, run on the embedded service with real input. Each command is shown with its
 * output. The input is GitHub's OpenAPI description in test/fixtures, and the events of this run. `--tool FILE` runs
 * another executable than that of this checkout, such as an installed one.
 */
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { hasReader } from './reader.mjs';

const { tool } = parseArgs({ options: { tool: { type: 'string' } } }).values;
const [program, ...first] =
  tool === undefined ? [process.execPath, resolve(import.meta.dirname, '../bin/dtp.cjs')] : [resolve(tool)];
const folder = mkdtempSync(join(tmpdir(), 'dtp-tour-'));
const description = 'api.github.com.json';
const compressed = readFileSync(join(import.meta.dirname, `../test/fixtures/${description}.br`));
writeFileSync(join(folder, description), brotliDecompressSync(compressed));
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  DTP_CONFIG_DIR: join(folder, 'config'),
  DTP_DATA_DIR: join(folder, 'data'),
  DTP_STATE_DIR: join(folder, 'state'),
  DTP_OUTPUT: 'table',
};
const execution = `tour-${randomUUID()}`;
const events = [];

const say = (text) => process.stdout.write(`${text}\n`);
const chapter = (title) => say(`\n# ${title}`);
const cut = (line) => (line.length > 110 ? `${line.slice(0, 109)}…` : line);

const readerLeft = new Error('nobody reads the tour');

/** Runs a command, shows it with its output, and records an event for it. */
async function dtp(args, { input, hidden = false, fine = [0] } = {}) {
  if (!hasReader()) throw readerLeft;
  if (!hidden) say(`$ dtp ${args.map(quoted).join(' ')}${input === undefined ? '' : ' < credential'}`);
  const started = new Date();
  const { code, stdout, stderr } = await finished(args, input);
  events.push(eventOf(args, started, code));
  if (!hidden) for (const line of `${stdout}${stderr}`.split('\n').slice(0, 14)) if (line !== '') say(cut(line));
  if (!fine.includes(code)) throw new Error(`dtp ${args.join(' ')} exited with ${code}: ${stderr}`);
  return { code, stdout };
}

const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text}'`);

function finished(args, input) {
  return new Promise((done, failed) => {
    const child = spawn(program, [...first, ...args], { env, cwd: folder });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.on('error', failed);
    child.on('close', (code) => done({ code, stdout, stderr }));
    child.stdin.end(input ?? '');
  });
}

const eventOf = (args, started, code) => ({
  id: randomUUID(),
  execution_id: execution,
  interaction_type: 'CLI_EXEC',
  local_started_at: started.toISOString(),
  local_completed_at: new Date().toISOString(),
  created_at: new Date().toISOString(),
  duration_ms: Date.now() - started.getTime(),
  success: code === 0,
  raw_command: `dtp ${args.slice(0, 3).join(' ')}`,
  hostname: hostname(),
});

/** Pushes a document as any OCI client would: its blob, an empty configuration, a manifest. */
async function push(base, key, repository, document) {
  const api = (path, options) =>
    fetch(`${base}/v1/oci/v2/${repository}/${path}`, {
      ...options,
      headers: { 'x-api-key': key, ...options.headers },
    });
  const blob = async (bytes) => {
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    const put = await api(`blobs/uploads/?digest=${digest}`, { method: 'POST', body: bytes });
    if (put.status !== 201) throw new Error(`pushing the blob returned ${put.status}`);
    return { digest, size: bytes.length };
  };
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: { mediaType: 'application/vnd.oci.empty.v1+json', ...(await blob(Buffer.from('{}'))) },
    layers: [{ mediaType: 'application/json', ...(await blob(document)) }],
  });
  const type = 'application/vnd.oci.image.manifest.v1+json';
  const put = await api('manifests/v1', { method: 'PUT', headers: { 'content-type': type }, body: manifest });
  if (put.status !== 201) throw new Error(`pushing the manifest returned ${put.status}`);
  return put.headers.get('docker-content-digest');
}

/** A lint report that lists the operations without a description. */
function lintReport(document) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
  );
  const bare = operations.filter((one) => one.operationId && !one.description);
  const rows = bare.map((one) => `<li>${one.method.toUpperCase()} ${one.path}: no description</li>`).join('\n');
  return `<!doctype html><title>${document.info.title}: ${bare.length} findings in ${operations.length} operations</title>\n<ul>\n${rows}\n</ul>\n`;
}

const server = spawn(program, [...first, 'serve', '--ephemeral', '-o', 'json'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((done) => server.once('close', done));
try {
  const service = JSON.parse(await new Promise((done) => server.stdout.once('data', (chunk) => done(String(chunk)))));
  say(`The embedded service listens on ${service.address}`);

  chapter('Log in');
  await dtp(['auth', 'login', '--base-url', service.address, '--with-token'], { input: service.key });
  await dtp(['auth', 'status']);

  chapter('Create a workspace token');
  await dtp(['ws', 'tokens', 'create', '--name', 'ci']);
  await dtp(['ws', 'tokens', 'list']);

  chapter('Store an API description and read it again');
  const stored = await dtp(
    [
      'schema-store',
      'create',
      '--spec',
      description,
      '--format',
      'json',
      '--package-name',
      'octokit',
      '--sdk-classname',
      'Octokit',
      '--yes',
      '-o',
      'json',
    ],
    { hidden: true },
  );
  const item = JSON.parse(stored.stdout);
  say(
    `$ dtp schema-store create --spec ${description} --format json --package-name octokit --sdk-classname Octokit --yes`,
  );
  say(`${item.id}: ${item.spec.length} characters, ${item.created_at}`);
  await dtp(['schema-store', 'get', '--id', item.id, '-O', 'item.json', '-o', 'json']);

  chapter('Upload a lint report and fetch it from its signed URL');
  const report = lintReport(JSON.parse(readFileSync(join(folder, description), 'utf8')));
  const checksum = createHash('md5').update(report).digest('hex');
  writeFileSync(join(folder, `${checksum}.html`), report);
  await dtp(['reports', 'upload', '--type', 'linting', '--file', `${checksum}.html`]);
  const signed = JSON.parse((await dtp(['reports', 'linting-url', checksum, '-o', 'json'])).stdout).url;
  say(`$ curl "$URL"`);
  const fetched = await (await fetch(signed)).text();
  say(cut(fetched.split('\n')[0]));
  if (fetched !== report) throw new Error('the report is not the one that was uploaded');

  chapter('Shorten the URL');
  await dtp(['short-urls', 'create', '--url', signed]);

  chapter('Tag a revision in the registry');
  const me = JSON.parse((await dtp(['auth', 'validate', '-o', 'json'], { hidden: true })).stdout);
  const repository = `${me.org_slug}/${me.workspace_slug}/github`;
  const digest = await push(service.address, service.key, repository, readFileSync(join(folder, description)));
  say(`(pushed ${repository}:v1 as any OCI client does)`);
  await dtp(['artifacts', 'revisions', 'list', 'github']);
  await dtp(['artifacts', 'tags', 'add', 'github', '--revision-digest', digest, '--tags', 'stable']);
  await dtp(['artifacts', 'tags', 'list', 'github']);

  chapter('Generate code samples in a job');
  const job = await dtp([
    'code-samples',
    'jobs',
    'create',
    '--schema-file',
    description,
    '--language',
    'typescript',
    '--operation-ids',
    'repos/get',
    '-o',
    'json',
  ]);
  const { job_id } = JSON.parse(job.stdout);
  for (;;) {
    const { code } = await dtp(['code-samples', 'jobs', 'get', job_id, '-o', 'yaml'], { fine: [0, 8] });
    if (code === 0) break;
    await new Promise((done) => setTimeout(done, 500));
  }

  chapter('Post the events of this tour and search them');
  writeFileSync(join(folder, 'events.json'), JSON.stringify(events));
  await dtp(['events', 'post', '--body', '@events.json']);
  await dtp(['events', 'search', '--execution-id', execution, '--limit', '5']);
  say('\nEvery command above really ran, and nothing is left behind.');
} catch (error) {
  if (error !== readerLeft) throw error;
} finally {
  server.kill('SIGTERM');
  // The service writes its compile cache into the folder when it exits.
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

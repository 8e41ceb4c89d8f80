/** The embedded service measured as `dtp serve`: event ingest, searches among many events, memory of a large upload. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const UPLOAD_MIB = Number(process.env.BENCH_UPLOAD_MIB ?? 1024);
const BATCH = 500;
const SEARCHES = 50;
const LIMIT = 100;

const bin = resolve(import.meta.dirname, '../bin/dtp.cjs');
const agent = new Agent({ keepAlive: true });

async function serve(folder) {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const child = spawn(process.execPath, [bin, 'serve', '--data', join(folder, 'data'), '-o', 'json'], {
    // The form of an upload is kept in the temporary folder: here, in one that is removed.
    env: { ...env, HOME: folder, DTP_CONFIG_DIR: join(folder, 'config'), TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((done) => child.once('close', done));
  const line = await Promise.race([
    new Promise((done) => child.stdout.once('data', done)),
    ended.then((code) => Promise.reject(new Error(`dtp serve ended with ${code}`))),
  ]);
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { ...JSON.parse(String(line)), stop };
}

/** Sends what `write` writes and answers the body of a 2XX. */
function call({ address, key }, method, path, headers, write) {
  const { hostname, port } = new URL(address);
  return new Promise((done, failed) => {
    const outgoing = request(
      { hostname, port, agent, method, path, headers: { 'x-api-key': key, ...headers } },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', failed);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode < 300) done(text);
          else failed(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`));
        });
      },
    );
    outgoing.on('error', failed);
    write(outgoing);
  });
}

/** As a pipeline would send it: twenty events of one action share what it is about; ids do not ascend. */
function eventOf(number) {
  const run = Math.floor(number / 20);
  const hash = (Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
  return {
    id: `${hash}-0000-4000-8000-${String(number).padStart(12, '0')}`,
    execution_id: `run-${run}`,
    interaction_type: ['CI_EXEC', 'CLI_EXEC', 'LINT', 'TARGET_GENERATE', 'PUBLISH'][number % 5],
    local_started_at: '2025-03-01T10:00:00.000Z',
    local_completed_at: '2025-03-01T10:00:01.000Z',
    created_at: new Date(1_740_000_000_000 + number * 1000).toISOString(),
    speakeasy_api_key_name: 'ci',
    speakeasy_version: '1.400.0',
    success: number % 10 !== 0,
    source_revision_digest: `sha256:${run % 5000}`,
    lint_report_digest: `lint-${run % 3000}`,
    openapi_diff_report_digest: `diff-${run % 2000}`,
    generate_gen_lock_id: `lock-${run % 200}`,
    generate_target: ['typescript', 'python', 'go', 'java'][number % 4],
  };
}

/** Four batches under way at a time. */
async function ingest(server) {
  const path = `/v1/workspace/${server.workspace_id}/events`;
  let next = 0;
  const lane = async () => {
    for (;;) {
      const from = next;
      if (from >= EVENTS) return;
      next = Math.min(from + BATCH, EVENTS);
      const body = JSON.stringify(Array.from({ length: next - from }, (_, at) => eventOf(from + at)));
      const length = Buffer.byteLength(body);
      const headers = { 'content-type': 'application/json', 'content-length': length };
      await call(server, 'POST', path, headers, (outgoing) => outgoing.end(body));
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: 4 }, lane));
  return EVENTS / ((performance.now() - start) / 1000);
}

const filters = {
  execution_id: (number) => `run-${Math.floor((number * EVENTS) / SEARCHES / 20)}`,
  source_revision_digest: (number) => `sha256:${number * 7}`,
  lint_report_digest: (number) => `lint-${number * 7}`,
  openapi_diff_report_digest: (number) => `diff-${number * 7}`,
  generate_gen_lock_id: (number) => `lock-${number}`,
  interaction_type: (number) => ['CI_EXEC', 'CLI_EXEC', 'LINT', 'TARGET_GENERATE', 'PUBLISH'][number % 5],
  success: (number) => String(number % 2 === 0),
};

async function search(server, name) {
  const times = [];
  let found = 0;
  for (let number = 0; number < SEARCHES; number++) {
    const query = new URLSearchParams({ [name]: filters[name](number), limit: LIMIT });
    const start = performance.now();
    const path = `/v1/workspace/${server.workspace_id}/events?${query}`;
    const text = await call(server, 'GET', path, {}, (outgoing) => outgoing.end());
    times.push(performance.now() - start);
    found += JSON.parse(text).length;
  }
  return { median: times.sort((a, b) => a - b)[SEARCHES / 2], found: found / SEARCHES };
}

async function upload(server) {
  const head = [
    '--dtp\r\ncontent-disposition: form-data; name="data"\r\ncontent-type: application/json\r\n\r\n{}\r\n',
    '--dtp\r\ncontent-disposition: form-data; name="file"; filename="report.html"\r\n\r\n',
  ].join('');
  const tail = '\r\n--dtp--\r\n';
  const piece = Buffer.alloc(1024 * 1024, 'report ');
  const length = head.length + UPLOAD_MIB * piece.byteLength + tail.length;
  const headers = { 'content-type': 'multipart/form-data; boundary=dtp', 'content-length': length };
  const start = performance.now();
  await call(server, 'POST', '/v1/reports', headers, async (outgoing) => {
    outgoing.write(head);
    for (let sent = 0; sent < UPLOAD_MIB; sent++)
      if (!outgoing.write(piece)) await new Promise((done) => outgoing.once('drain', done));
    outgoing.end(tail);
  });
  return (performance.now() - start) / 1000;
}

/** The most that the process ever held, in MiB; not known but on Linux. */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

async function within(work) {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-bench-'));
  try {
    const server = await serve(folder);
    try {
      await work(server);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const row = (what, figure, goal) =>
  process.stdout.write(`${what.padEnd(52)} ${figure.padStart(16)}   ${goal}\n`);

row('what', 'measured', 'goal');
await within(async (server) => {
  const rate = await ingest(server);
  row(`ingest of ${EVENTS} events, batches of ${BATCH}`, `${Math.round(rate)} /s`, '≥ 20000 /s');
  row('  peak memory', `${peakOf(server.pid).toFixed(0)} MiB`, '');
  for (const name of Object.keys(filters)) {
    const { median, found } = await search(server, name);
    row(`search by ${name} (${found} found), median`, `${median.toFixed(1)} ms`, '≤ 20 ms');
  }
});
await within(async (server) => {
  const before = peakOf(server.pid);
  const seconds = await upload(server);
  row(`upload of ${UPLOAD_MIB} MiB`, `${(UPLOAD_MIB / seconds).toFixed(0)} MiB/s`, '');
  row(`  peak memory (before: ${before.toFixed(0)} MiB)`, `${peakOf(server.pid).toFixed(0)} MiB`, '< 200 MB');
});
agent.destroy();

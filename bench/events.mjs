/** `dtp events post` of many events, beside a bare undici client that posts ready-made batches: rates and peak memory. */

import { spawn } from 'node:child_process';
import { createWriteStream, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { Agent } from 'undici';
import { bin, openFolder, watchPeak } from './support/tool.mjs';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const FEW = 10_000;
const BATCH = 500;
const CONCURRENCY = 4;

const { folder, env, remove } = openFolder();

/** About 500 bytes; twenty of one action, whose id they share. */
function eventOf(number) {
  const run = Math.floor(number / 20);
  const hash = (Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
  return JSON.stringify({
    id: `${hash}-0000-4000-8000-${String(number).padStart(12, '0')}`,
    execution_id: `run-${run}`,
    workspace_id: 'w_1',
    interaction_type: ['CI_EXEC', 'CLI_EXEC', 'LINT', 'TARGET_GENERATE', 'PUBLISH'][number % 5],
    local_started_at: '2025-03-01T10:00:00.000Z',
    created_at: new Date(1_740_000_000_000 + number * 1000).toISOString(),
    success: number % 10 !== 0,
    generate_gen_lock_id: `lock-${run % 200}`,
    raw_command: 'x'.repeat(180),
  });
}

async function writeEvents(count, workspace) {
  const file = join(folder, `events-${count}-${workspace}.ndjson`);
  const out = createWriteStream(file);
  for (let from = 0; from < count; from += 1000) {
    const lines = Array.from({ length: Math.min(1000, count - from) }, (_, at) => eventOf(from + at));
    if (!out.write(`${lines.join('\n').replaceAll('w_1', workspace)}\n`))
      await new Promise((done) => out.once('drain', done));
  }
  out.end();
  await finished(out);
  return file;
}

/** Reads each request away and says 204. In a process of its own, as the other side always is. */
function sink() {
  const server = createServer((request, response) => {
    request.on('end', () => response.writeHead(204).end());
    request.resume();
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
}

async function startSink() {
  const child = spawn(process.execPath, [import.meta.filename, 'sink'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = Number(await new Promise((done) => child.stdout.once('data', done)));
  return {
    address: `http://127.0.0.1:${port}`,
    key: 'bench-key',
    workspace: 'w_1',
    stop: () => child.kill(),
  };
}

async function startService() {
  const child = spawn(process.execPath, [bin, 'serve', '--data', join(folder, 'data'), '-o', 'json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const {
    address,
    key,
    workspace_id: workspace,
  } = JSON.parse(String(await new Promise((done) => child.stdout.once('data', done))));
  const ended = new Promise((done) => child.once('close', done));
  return { address, key, workspace, stop: () => child.kill() && ended };
}

/** Batches that are bytes already, over undici alone. */
async function bare({ address, key, workspace }, count) {
  const batches = [];
  for (let from = 0; from < count; from += BATCH) {
    const events = Array.from({ length: BATCH }, (_, at) => eventOf(from + at).replaceAll('w_1', workspace));
    batches.push(Buffer.from(`[${events.join(',')}]`));
  }
  const agent = new Agent({ connections: CONCURRENCY });
  const path = `/v1/workspace/${workspace}/events`;
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const start = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < batches.length) {
      const body = batches[next++];
      const { statusCode, body: answer } = await agent.request({
        origin: address,
        path,
        method: 'POST',
        headers,
        body,
      });
      await answer.dump();
      if (statusCode > 299) throw new Error(`status ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  await agent.close();
  return count / ((performance.now() - start) / 1000);
}

/** The rate, and the most memory that the process held, in MiB (Linux). */
function dtp(server, file, count) {
  const child = spawn(
    process.execPath,
    [
      bin,
      'events',
      'post',
      '--body',
      `@${file}`,
      '--batch-size',
      String(BATCH),
      '--concurrency',
      String(CONCURRENCY),
      '-o',
      'json',
    ],
    {
      env: {
        ...env,
        DTP_BASE_URL: server.address,
        DTP_API_KEY: server.key,
        DTP_WORKSPACE_ID: server.workspace,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const peakOf = watchPeak(child);
  const start = performance.now();
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  return new Promise((done, failed) =>
    child.once('close', (code) => {
      const peak = peakOf();
      if (code !== 0 || JSON.parse(text).delivered !== count)
        return failed(new Error(`dtp ended with ${code}: ${text}`));
      done({ rate: count / ((performance.now() - start) / 1000), peak });
    }),
  );
}

const row = (...cells) =>
  process.stdout.write(
    `${cells.map((cell, at) => String(cell)[at ? 'padStart' : 'padEnd'](at ? 16 : 34)).join('')}\n`,
  );
const perSecond = (rate) => `${Math.round(rate)} /s`;

async function compare(name, start) {
  const server = await start();
  try {
    const few = await dtp(server, await writeEvents(FEW, server.workspace), FEW);
    const file = await writeEvents(EVENTS, server.workspace);
    const many = await dtp(server, file, EVENTS);
    row(`${name}: dtp, ${FEW} events`, perSecond(few.rate), `${few.peak.toFixed(0)} MiB`, '');
    row(`${name}: dtp, ${EVENTS} events`, perSecond(many.rate), `${many.peak.toFixed(0)} MiB`, '');
    return many.rate;
  } finally {
    await server.stop();
  }
}

if (process.argv[2] === 'sink') sink();
else
  try {
    row('what', 'rate', 'peak memory', 'ratio (goal)');
    for (const [name, start] of [
      ['sink', startSink],
      ['embedded service', startService],
    ]) {
      const rate = await compare(name, start);
      // The same events to a fresh store: what is stored already is quicker to refuse.
      rmSync(join(folder, 'data'), { recursive: true, force: true });
      const server = await start();
      const plain = await bare(server, Math.min(EVENTS, 200_000)).finally(server.stop);
      row(`${name}: bare undici`, perSecond(plain), '', `${(rate / plain).toFixed(2)} (0.60)`);
    }
  } finally {
    remove();
  }

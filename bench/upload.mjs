/** `dtp reports upload` of one big file, beside `curl -F` to the same sink: rates and peak memory. */

import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { bin, openFolder, watchPeak } from './support/tool.mjs';

const MIB = Number(process.env.BENCH_UPLOAD_MIB ?? 2048);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

const { folder, env: own, remove } = openFolder();
const env = { ...own, DTP_API_KEY: 'bench-key' };

/** Reads each request away and answers an address. In a process of its own, as the other side always is. */
function sink() {
  const server = createServer((request, response) => {
    request.on('end', () => response.end('{"url":"https://reports.example.test/1"}'));
    request.resume();
  });
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
}

async function startSink() {
  const child = spawn(process.execPath, [import.meta.filename, 'sink'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = Number(await new Promise((done) => child.stdout.once('data', done)));
  return { address: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

function writeFile() {
  const file = join(folder, 'report.html');
  const fd = openSync(file, 'w');
  const piece = Buffer.alloc(1024 * 1024, 'The report. ');
  for (let at = 0; at < MIB; at++) writeSync(fd, piece);
  closeSync(fd);
  return file;
}

/** The rate in MiB/s, and the most memory that the process held, in MiB (Linux). */
function run(command, argv) {
  const start = performance.now();
  const child = spawn(command, argv, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const peakOf = watchPeak(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk;
    });
  return new Promise((done, failed) =>
    child.once('close', (code) => {
      const peak = peakOf();
      if (code !== 0 || !text.includes('reports.example.test'))
        return failed(new Error(`${command} ended with ${code}: ${text}`));
      done({ rate: MIB / ((performance.now() - start) / 1000), peak });
    }),
  );
}

const best = (runs) => ({
  rate: Math.max(...runs.map(({ rate }) => rate)),
  peak: Math.max(...runs.map(({ peak }) => peak)),
});

const row = (...cells) =>
  process.stdout.write(
    `${cells.map((cell, at) => String(cell)[at ? 'padStart' : 'padEnd'](at ? 16 : 34)).join('')}\n`,
  );

if (process.argv[2] === 'sink') sink();
else
  try {
    const file = writeFile();
    const { address, stop } = await startSink();
    const [curls, dtps] = [[], []];
    try {
      for (let round = 0; round < ROUNDS; round++) {
        curls.push(
          await run('curl', [
            ...['-sS', '-H', 'x-api-key: bench-key', '-F', 'data={"type":"linting"}'],
            ...['-F', `file=@${file}`, `${address}/v1/reports`],
          ]),
        );
        dtps.push(
          await run(process.execPath, [
            ...[bin, 'reports', 'upload', '--type', 'linting', '--file', file],
            ...['--base-url', address, '-o', 'json', '--timeout', '10m'],
          ]),
        );
      }
    } finally {
      stop();
    }
    const [curl, dtp] = [best(curls), best(dtps)];
    row(`${MIB} MiB, best of ${ROUNDS}`, 'rate', 'peak memory', 'ratio (goal)');
    row('curl -F', `${Math.round(curl.rate)} MiB/s`, `${curl.peak.toFixed(0)} MiB`, '');
    row(
      'dtp reports upload',
      `${Math.round(dtp.rate)} MiB/s`,
      `${dtp.peak.toFixed(0)} MiB (120)`,
      `${(dtp.rate / curl.rate).toFixed(2)} (0.80)`,
    );
  } finally {
    remove();
  }

/** `dtp artifacts revisions list --all -o ndjson` over many pages: when the first line comes, and the most memory held. */

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { bin, openFolder, watchPeak } from './support/tool.mjs';

const PAGES = Number(process.env.BENCH_PAGES ?? 10_000);
const FEW = 100;
const ROWS = 50;

const { env, remove } = openFolder();

/** Counts what was asked when the first line came. */
let asked = 0;

function serve(pages) {
  const server = createServer((request, response) => {
    asked++;
    const page = Number(new URL(request.url, 'http://x').searchParams.get('next_page_token') ?? 1);
    const items = Array.from({ length: ROWS }, (_, row) => ({
      id: `${page}-${row}`,
      digest: `sha256:${'0'.repeat(56)}${String(page).padStart(8, '0')}`,
      namespace_name: 'bench',
      tags: ['latest'],
      created_at: '2026-01-31T12:00:00.000Z',
      updated_at: '2026-01-31T12:00:00.000Z',
    }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ items, next_page_token: page < pages ? String(page + 1) : '' }));
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

async function measure(pages) {
  asked = 0;
  const server = await serve(pages);
  const address = `http://127.0.0.1:${server.address().port}`;
  const child = spawn(
    process.execPath,
    [bin, 'artifacts', 'revisions', 'list', 'bench', '--all', '-o', 'ndjson'],
    {
      env: { ...env, DTP_BASE_URL: address, DTP_API_KEY: 'bench-key' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const peakOf = watchPeak(child);
  const start = performance.now();
  let lines = 0;
  let first;
  child.stdout.on('data', (chunk) => {
    first ??= asked;
    for (const byte of chunk) if (byte === 10) lines++;
  });
  const code = await new Promise((done) => child.once('close', done));
  const peak = peakOf();
  server.close();
  if (code !== 0 || lines !== pages * ROWS) throw new Error(`dtp ended with ${code} after ${lines} lines`);
  return { seconds: (performance.now() - start) / 1000, peak, first };
}

try {
  for (const pages of [FEW, PAGES]) {
    const { seconds, peak, first } = await measure(pages);
    process.stdout.write(
      `${String(pages).padStart(6)} pages: ${(pages / seconds).toFixed(0)} pages/s, peak ${peak.toFixed(0)} MiB, first line after ${first} page(s)\n`,
    );
  }
} finally {
  remove();
}

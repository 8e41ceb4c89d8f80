/** `dtp artifacts revisions list --all -o ndjson` with many pages: rate, time to the first line, total time, memory. */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { run } from './support/process.mjs';
import { revisionsText } from './support/records.mjs';
import { count, measured, report, scaled } from './support/report.mjs';
import { dtp } from './support/tool.mjs';

const PAGES = scaled(10_000, 4);
const HALF = Math.round(PAGES / 2);
const ROWS = 50;
/** If all pages were held in memory, twice as many would double it. Garbage collection causes smaller differences. */
const FLAT = 1.25;
/** How long the second page waits for the first line at most, in milliseconds. */
const PATIENCE = 5000;

/** The second page waits for `first`, the first line of stdout. `answered` counts the pages sent. */
function serve(pages, first) {
  let answered = 0;
  const server = createServer(async (request, response) => {
    const page = Number(new URL(request.url, 'http://sink').searchParams.get('next_page_token') ?? 1);
    if (page === 2) await Promise.race([first, new Promise((late) => setTimeout(late, PATIENCE).unref())]);
    answered++;
    response.setHeader('content-type', 'application/json');
    const next = page < pages ? String(page + 1) : '';
    response.end(`{"items":[${revisionsText(page * ROWS, (page + 1) * ROWS)}],"next_page_token":"${next}"}`);
  });
  const listening = { server, answered: () => answered };
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(listening)));
}

const ours = () => dtp('artifacts', 'revisions', 'list', 'bench', '--all', '-o', 'ndjson');
const bare = (address) => [
  ...[process.execPath, join(import.meta.dirname, 'support/bare-pages.mjs')],
  `${address}/v1/artifacts/namespaces/bench/revisions`,
];

async function list(pages, { env, folder }, commandOf = ours) {
  let came;
  const first = new Promise((done) => {
    came = done;
  });
  const { server, answered } = await serve(pages, first);
  let before;
  const onData = () => {
    before ??= answered();
    came();
  };
  const address = `http://127.0.0.1:${server.address().port}`;
  const settings = { DTP_BASE_URL: address, DTP_API_KEY: 'bench-key' };
  const { ms, peak, lines } = await run(commandOf(address), {
    env: { ...env, ...settings },
    cwd: folder,
    onData,
  });
  server.close();
  if (lines !== pages * ROWS) throw new Error(`${lines} lines of ${pages} pages`);
  return { ms, peak, before };
}

async function measure(place) {
  await list(2, place);
  const half = await list(HALF, place);
  const all = await list(PAGES, place);
  const plain = await list(PAGES, place, bare);
  const to = `${count(HALF)} pages`;
  const what = `list --all of ${count(PAGES)} pages`;
  return [
    measured('undici, JSON.parse and JSON.stringify of the same pages', PAGES / (plain.ms / 1000), 'pages/s'),
    measured(what, PAGES / (all.ms / 1000), 'pages/s', {
      ...{ ratio: plain.ms / all.ms, to: 'undici and JSON', atLeast: 0.8 },
    }),
    measured(`${what}, answered before the first line`, all.before, 'pages', { atMost: 1 }),
    measured(`${what}, time`, all.ms / 1000, 's', { ratio: all.ms / half.ms, to, atMost: 2.2 }),
    measured(`${what}, memory`, all.peak, 'MB', {
      ratio: all.peak / half.peak,
      to,
      atMost: FLAT,
    }),
  ];
}

await report('pages', measure);

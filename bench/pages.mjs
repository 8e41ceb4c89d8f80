/** `dtp artifacts revisions list --all -o ndjson` with many pages: time to the first line, total time, and memory. */
import { createServer } from 'node:http';
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

async function list(pages, { env, folder }) {
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
  const settings = { DTP_BASE_URL: `http://127.0.0.1:${server.address().port}`, DTP_API_KEY: 'bench-key' };
  const line = dtp('artifacts', 'revisions', 'list', 'bench', '--all', '-o', 'ndjson');
  const { ms, peak, lines } = await run(line, { env: { ...env, ...settings }, cwd: folder, onData });
  server.close();
  if (lines !== pages * ROWS) throw new Error(`${lines} lines of ${pages} pages`);
  return { ms, peak, before };
}

async function measure(place) {
  await list(2, place);
  const half = await list(HALF, place);
  const all = await list(PAGES, place);
  const to = `${count(HALF)} pages`;
  const what = `list --all of ${count(PAGES)} pages`;
  return [
    measured(what, PAGES / (all.ms / 1000), 'pages/s'),
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

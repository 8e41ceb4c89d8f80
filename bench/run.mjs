/**
 * Runs the measurements one after another, each in a separate process, and stores their rows: `npm run bench` for all,
 * `npm run bench -- startup render` for some. The options of `startup` and `memory` are passed on to them.
 *
 *   --check          store nothing: compare with the stored ratios, and fail if one is more than 15 % worse
 *   --results FILE   where the rows are stored (bench/results.json)
 *   --page FILE      the page that shows them all (bench/RESULTS.md)
 *   --readme FILE    the page that shows a few of them (README.md)
 *   --fleet FILE     the page that shows those of fleets (docs/many-machines.md)
 *
 * With a scale, as in BENCH_SCALE=0.01, the figures mean nothing. They are stored only if all four files are named.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasReader } from '../scripts/reader.mjs';
import { scale } from './support/report.mjs';
import { fleetWith, pageWith, readmeWith, readResults, runNow, worseThan, writeResults } from './support/results.mjs';
import { root } from './support/tool.mjs';

const benches = [
  ...['startup', 'memory', 'render', 'events', 'upload', 'pages', 'service', 'database', 'page', 'workers', 'outage'],
];
const ours = ['results', 'page', 'readme', 'fleet', 'check'];

const { values, positionals, tokens } = parseArgs({
  allowPositionals: true,
  tokens: true,
  options: {
    check: { type: 'boolean' },
    results: { type: 'string' },
    page: { type: 'string' },
    readme: { type: 'string' },
    fleet: { type: 'string' },
    node: { type: 'string', multiple: true },
    peer: { type: 'string', multiple: true },
    peers: { type: 'boolean' },
    binary: { type: 'string' },
  },
});

const unknown = positionals.filter((name) => !benches.includes(name));
if (unknown.length > 0) throw new Error(`no measurement "${unknown[0]}". Available: ${benches.join(', ')}`);

/** The options that a measurement takes. */
const taken = { startup: ['node', 'peer', 'peers', 'binary'], memory: ['node'] };

const optionsOf = (bench) =>
  tokens
    .filter(({ kind, name }) => kind === 'option' && taken[bench]?.includes(name))
    .flatMap(({ name, value }) => (value === undefined ? [`--${name}`] : [`--${name}`, value]));

/** The rows of a measurement. Undefined if it failed; it has then printed the reason. */
function rowsOf(name) {
  const script = join(import.meta.dirname, `${name}.mjs`);
  const child = spawn(process.execPath, [script, ...optionsOf(name)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let rows;
  child.on('message', (sent) => {
    rows = sent;
  });
  return new Promise((done) => child.on('close', (code) => done(code === 0 ? rows : undefined)));
}

const isStored = !values.check && (scale === 1 || ours.every((name) => name === 'check' || values[name] !== undefined));
const file = values.results ?? join(root, 'bench/results.json');
const page = values.page ?? join(root, 'bench/RESULTS.md');
const readme = values.readme ?? join(root, 'README.md');
const fleet = values.fleet ?? join(root, 'docs/many-machines.md');
const stored = readResults(file);
// Called before the first results are written, which would count as changes to the commit.
const now = runNow();

const rewrite = (path, change) => writeFileSync(path, change(readFileSync(path, 'utf8')));

/** Called after each measurement, so that an interruption only loses the current one. */
function store(name, rows) {
  if (!isStored) return;
  stored[name] = { ...now, rows };
  // In the order of the list, whichever measurements ran.
  const results = Object.fromEntries(benches.filter((one) => stored[one]).map((one) => [one, stored[one]]));
  writeResults(file, results);
  rewrite(page, (text) => pageWith(text, results));
  rewrite(readme, (text) => readmeWith(text, results));
  rewrite(fleet, (text) => fleetWith(text, results));
}

let [met, missed, worse] = [0, 0, 0];
for (const name of benches) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  if (!hasReader()) break;
  const rows = await rowsOf(name);
  process.stdout.write('\n');
  if (rows === undefined) process.exitCode = 1;
  else if (values.check) {
    const lines = worseThan(stored[name]?.rows ?? [], rows);
    worse += lines.length;
    for (const line of lines) process.stdout.write(`worse: ${line}\n`);
  } else store(name, rows);
  met += rows?.filter((row) => row.met === true).length ?? 0;
  missed += rows?.filter((row) => row.met === false).length ?? 0;
}
process.stdout.write(`${met} goals met, ${missed} missed\n`);
if (values.check) process.stdout.write(`${worse} ratios more than 15 % worse than the stored ones\n`);
if (worse > 0) process.exitCode = 1;

/**
 * Runs the measurements one after the other, each a process of its own, and keeps their rows: `npm run bench`, or some of
 * them, `npm run bench -- startup render`. What `startup` takes is handed on to it.
 *
 *   --results FILE   where the rows are kept (bench/results.json)
 *   --readme FILE    where the table of them stands (README.md)
 *
 * At a scale, BENCH_SCALE=0.01, the figures mean nothing, and are kept only where both files are named.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { scale } from './support/report.mjs';
import { machineNow, readResults, withTable, writeResults } from './support/results.mjs';
import { root } from './support/tool.mjs';

const benches = ['startup', 'memory', 'render', 'events', 'upload', 'pages', 'service', 'outage'];

const { values, positionals, tokens } = parseArgs({
  allowPositionals: true,
  tokens: true,
  options: {
    results: { type: 'string' },
    readme: { type: 'string' },
    node: { type: 'string', multiple: true },
    peer: { type: 'string', multiple: true },
    peers: { type: 'boolean' },
    binary: { type: 'string' },
  },
});

const unknown = positionals.filter((name) => !benches.includes(name));
if (unknown.length > 0) throw new Error(`no measurement "${unknown[0]}"; there are ${benches.join(', ')}`);

const forStartup = tokens
  .filter(({ kind, name }) => kind === 'option' && name !== 'results' && name !== 'readme')
  .flatMap(({ name, value }) => (value === undefined ? [`--${name}`] : [`--${name}`, value]));

/** The rows; undefined where it failed, and said why. */
function rowsOf(name) {
  const script = join(import.meta.dirname, `${name}.mjs`);
  const child = spawn(process.execPath, [script, ...(name === 'startup' ? forStartup : [])], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let rows;
  child.on('message', (sent) => {
    rows = sent;
  });
  return new Promise((done) => child.on('close', (code) => done(code === 0 ? rows : undefined)));
}

const isKept = scale === 1 || (values.results !== undefined && values.readme !== undefined);
const file = values.results ?? join(root, 'bench/results.json');
const readme = values.readme ?? join(root, 'README.md');
const kept = readResults(file);

/** After each measurement: one that is cut short costs only itself. */
function keep(name, rows) {
  kept[name] = { ...machineNow(), rows };
  if (!isKept) return;
  // In the order of the list, whichever ran.
  const results = Object.fromEntries(benches.filter((one) => kept[one]).map((one) => [one, kept[one]]));
  writeResults(file, results);
  writeFileSync(readme, withTable(readFileSync(readme, 'utf8'), results));
}

let [met, missed] = [0, 0];
for (const name of benches) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const rows = await rowsOf(name);
  process.stdout.write('\n');
  if (rows === undefined) process.exitCode = 1;
  else keep(name, rows);
  met += rows?.filter((row) => row.met === true).length ?? 0;
  missed += rows?.filter((row) => row.met === false).length ?? 0;
}
process.stdout.write(`${met} goals met, ${missed} missed\n`);

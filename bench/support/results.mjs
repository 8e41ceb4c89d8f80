/** The results of the last runs: a file of all rows, and the README's table of those that a reader wants. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { figureOf, goalOf, ratioOf } from './report.mjs';

const [begin, end] = ['<!-- bench -->', '<!-- /bench -->'];

/** What a run was made on. */
export const machineNow = () => ({
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cores: availableParallelism(),
  memory_gb: Math.round(totalmem() / 1e9),
});

/** Each measurement by its name, with the machine and the date of its own run; empty where there is no file yet. */
export function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return {};
  }
}

export const writeResults = (file, results) =>
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);

/** The README with the table between its two markers. Throws where they are not there. */
export function withTable(readme, results) {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the README lacks ${begin} and ${end}`);
  return `${readme.slice(0, from)}${begin}\n${tableOf(results)}${readme.slice(to)}`;
}

function tableOf(results) {
  const runs = Object.values(results);
  const rows = runs.flatMap((run) => run.rows.filter(({ headline }) => headline));
  const lines = rows.map((row) => `| ${row.name} | ${figureOf(row)} | ${ratioOf(row)} | ${goalOf(row)} |\n`);
  const machines = new Set(runs.map(machineText));
  return [
    `Measured on ${[...machines].join('; ')}.\n\n`,
    '| What | Measured | Beside | Goal |\n|---|---|---|---|\n',
    ...lines,
  ].join('');
}

const machineText = ({ date, node, platform, cores, memory_gb: memory }) =>
  `${date} with ${cores} core${cores === 1 ? '' : 's'}, ${memory} GB, Node ${node.slice(1)}, ${platform}`;

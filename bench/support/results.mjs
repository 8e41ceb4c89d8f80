/** The results of the last runs: a file of all rows, the page bench/RESULTS.md, and some rows in other documents. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { figureOf, goalOf, ratioOf } from './report.mjs';
import { root } from './tool.mjs';

/** The date, the commit and the machine of a run. */
export const runNow = () => ({
  date: new Date().toISOString().slice(0, 10),
  commit: commitNow(),
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cores: availableParallelism(),
  memory_gb: Math.round(totalmem() / 1e9),
});

/** The commit of the checkout, with "-dirty" if files were changed since. A folder without git has no commit. */
function commitNow() {
  try {
    const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], options).trim();
  } catch {
    return 'unknown';
  }
}

/** Each measurement by its name, with the date, commit and machine of its run; empty if the file does not exist yet. */
export function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return {};
  }
}

/** Ratios vary by less than this between runs on a quiet machine. */
const TOLERANCE = 1.15;

/**
 * A line for each row whose ratio is worse than the stored one by more than 15 %. Only ratios with a goal count, because the
 * goal says which direction is worse, and other figures depend on the machine.
 */
export function worseThan(stored, rows) {
  return rows.flatMap((row) => {
    const before = stored.find(({ name }) => name === row.name);
    if (!before?.ratio || !row.ratio || row.goal === undefined) return [];
    const change = row.goal.startsWith('≥') ? before.ratio / row.ratio : row.ratio / before.ratio;
    return change > TOLERANCE ? [`${row.name}: ${ratioOf(row)}, was ${before.ratio.toFixed(2)} ×`] : [];
  });
}

export const writeResults = (file, results) => writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);

/** The README with its few rows between the two markers. */
export function readmeWith(readme, results) {
  const runs = Object.values(results).filter(({ rows }) => rows.some(({ headline }) => headline));
  const rows = runs.flatMap((run) => run.rows.filter(({ headline }) => headline));
  const machines = [...new Set(runs.map(machineText))].join('; ');
  return between(readme, `${tableOf(rows)}\nMeasured with ${machines}.\n`);
}

/** bench/RESULTS.md with a table of every row for each measurement between the two markers. */
export const pageWith = (page, results) => between(page, Object.entries(results).map(sectionOf).join('\n'));

const sectionOf = ([name, run]) =>
  `## ${name}\n\nCommit ${run.commit}, ${run.date}, ${machineText(run)}.\n\n${tableOf(run.rows)}`;

/** docs/many-machines.md with what a service sees of a fleet after an outage, and what posting costs. */
export const fleetWith = (page, { outage, workers }) =>
  [
    [' outage', outage, outage?.rows.filter(({ name }) => name.startsWith('fleet'))],
    [' workers', workers, workers?.rows],
  ].reduce(
    (text, [name, run, rows]) =>
      run ? between(text, `${tableOf(rows)}\nCommit ${run.commit}, ${machineText(run)}.\n`, name) : text,
    page,
  );

/** A page with other text between the markers of a name. Throws if it does not have both. */
function between(page, text, name = '') {
  const [begin, end] = [`<!-- bench${name} -->`, `<!-- /bench${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the page lacks ${begin} and ${end}`);
  return `${page.slice(0, from)}${begin}\n${text}${page.slice(to)}`;
}

/** The columns of goals and notes are there only if a row has one. */
function tableOf(rows) {
  const isShown = [true, true, true, ...['goal', 'note'].map((key) => rows.some((row) => row[key] !== undefined))];
  const cells = rows.map((row) => [row.name, figureOf(row), ratioOf(row), goalOf(row), row.note ?? '']);
  const lines = [['What', 'Measured', 'Compared with', 'Goal', 'Note'], Array(5).fill('---'), ...cells];
  return lines.map((line) => `| ${line.filter((_, column) => isShown[column]).join(' | ')} |\n`).join('');
}

const machineText = ({ node, platform, cores, memory_gb: memory }) =>
  `${cores} core${cores === 1 ? '' : 's'}, ${memory} GB, Node ${node.slice(1)}, ${platform}`;

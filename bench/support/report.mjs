/** The result of a measurement: rows, which are printed as a table and sent to `npm run bench` if that started it. */
import '../../scripts/reader.mjs';
import { openFolder } from './tool.mjs';

/** Reduces every size for a quick run, whose figures mean nothing. */
export const scale = Number(process.env.BENCH_SCALE ?? 1);
export const scaled = (count, least = 1) => Math.max(least, Math.round(count * scale));

/** A number with separators, such as `10,000`. */
export const count = (number) => number.toLocaleString('en-US');

/**
 * A row: a figure with its unit, a ratio to something else, a goal for either, and whether it is met. `atMost` and `atLeast`
 * refer to the ratio if there is one. Rows with `headline` are in the README too. A figure that could not be measured is null.
 */
export function measured(name, figure, unit, { ratio, to, atMost, atLeast, headline, note } = {}) {
  const judged = ratio ?? figure;
  const goal = atMost ?? atLeast;
  return {
    name,
    figure: rounded(figure),
    unit,
    ...(ratio === undefined ? {} : { ratio: rounded(ratio), to }),
    ...(goal === undefined
      ? {}
      : {
          goal: `${atMost === undefined ? '≥' : '≤'} ${count(goal)} ${ratio === undefined ? unit : '×'}`,
          met: Number.isFinite(judged) ? (atMost === undefined ? judged >= goal : judged <= goal) : null,
        }),
    ...(headline ? { headline } : {}),
    ...(note === undefined ? {} : { note }),
  };
}

const rounded = (number) => (Number.isFinite(number) ? Number(number.toPrecision(6)) : null);

/** `12.3 ms`: three digits, or all digits before the point, because no figure is more exact. */
export const figureOf = ({ figure, unit }) =>
  figure === null ? 'unknown' : `${count(figure >= 100 ? Math.round(figure) : Number(figure.toPrecision(3)))} ${unit}`;

export const ratioOf = ({ ratio, to }) =>
  ratio === undefined ? '' : `${ratio === null ? '?' : ratio.toFixed(2)} × ${to}`;

export const goalOf = ({ goal, met }) =>
  goal === undefined ? '' : `${goal}, ${met === null ? 'unknown' : met ? 'met' : 'missed'}`;

/** The rows as an aligned table. */
function tableOf(name, rows) {
  const cells = rows.map((row) => [row.name, figureOf(row), ratioOf(row), goalOf(row), row.note ?? '']);
  const all = [[name, 'measured', 'compared with', 'goal', ''], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)));
  const line = (texts) =>
    texts.map((text, column) => (column === 1 ? text.padStart : text.padEnd).call(text, widths[column]));
  return all.map((texts) => `${line(texts).join('  ').trimEnd()}\n`).join('');
}

/** Runs a measurement in a temporary folder, and prints its rows. */
export async function report(name, measure) {
  const { folder, env, remove } = openFolder();
  process.on('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const rows = await measure({ folder, env });
  process.stdout.write(tableOf(name, rows));
  if (process.send) await new Promise((done) => process.send(rows, done));
}

/** Prints why something is not measured. */
export const skip = (why) => process.stderr.write(`skipped: ${why}\n`);

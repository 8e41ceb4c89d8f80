/** Short runs of the measurements: each gives rows with figures, which are stored and shown on both pages. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { worseThan } from '../../bench/support/results.mjs';
import { temporaryFolder } from '../support/context.ts';

const root = resolve(import.meta.dirname, '../..');

interface Row {
  readonly name: string;
  readonly figure: number | null;
  readonly unit: string;
  readonly goal?: string;
  readonly met?: boolean | null;
  readonly headline?: boolean;
}

type Results = Readonly<
  Record<string, { readonly date: string; readonly commit: string; readonly rows: readonly Row[] }>
>;

/** `npm run bench`, without the build. Only the PATH of the test's environment is passed on. */
function bench(folder: string, ...names: readonly string[]): Promise<string> {
  const files = [
    ...['--results', join(folder, 'results.json')],
    ...['--page', join(folder, 'RESULTS.md'), '--readme', join(folder, 'README.md')],
    ...['--fleet', join(folder, 'fleet.md')],
  ];
  const env = { PATH: process.env.PATH, TMPDIR: folder, BENCH_SCALE: '0.0005' };
  const child = spawn(process.execPath, [join(root, 'bench/run.mjs'), ...names, ...files], { env });
  let [text, errors] = ['', ''];
  child.stdout.on('data', (piece) => (text += piece));
  child.stderr.on('data', (piece) => (errors += piece));
  return new Promise((done, failed) =>
    child.on('close', (code) => (code === 0 ? done(text) : failed(new Error(`${code}: ${errors}`)))),
  );
}

/** The pages, with something between their markers. */
function writePages(folder: string, inside: string) {
  writeFileSync(join(folder, 'fleet.md'), `${page(inside, ' outage')}${page(inside, ' workers')}`);
  for (const name of ['README.md', 'RESULTS.md']) writeFileSync(join(folder, name), page(inside));
}

const page = (inside: string, name = '') =>
  `# dtp\n\n<!-- bench${name} -->\n${inside}<!-- /bench${name} -->\n\nThe end.\n`;

/** The first cells of the rows of all tables. */
const namesIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^\| (?!What|---)/.test(line))
    .map((line) => line.split(' | ')[0]?.slice(2));

test('each measurement gives rows with figures, all on one page and five in the README', async () => {
  const folder = temporaryFolder();
  writePages(folder, '| old |\n');
  const text = await bench(folder);

  const results: Results = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
  const names = [
    ...['startup', 'memory', 'render', 'events', 'upload', 'pages', 'service', 'database', 'page', 'workers', 'outage'],
  ];
  expect(Object.keys(results)).toEqual(names);
  const rows = Object.values(results).flatMap((run) => run.rows);
  for (const { name, figure, unit, goal, met } of rows) {
    expect(text, name).toContain(name);
    // Memory is only known on Linux.
    if (unit !== 'MB' || process.platform === 'linux') expect(figure, name).toBeGreaterThan(0);
    expect(typeof goal, name).toBe(met === undefined ? 'undefined' : 'string');
  }
  expect(rows.length).toBeGreaterThan(50);
  for (const { date, commit } of Object.values(results)) {
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(commit).toMatch(/^([\da-f]{7,}(-dirty)?|unknown)$/);
  }

  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const shown = rows.filter(({ headline }) => headline).map(({ name }) => name);
  expect(shown).toHaveLength(5);
  expect(namesIn(readme)).toEqual(shown);
  const all = readFileSync(join(folder, 'RESULTS.md'), 'utf8');
  expect(namesIn(all)).toEqual(rows.map(({ name }) => name));
  const fleet = readFileSync(join(folder, 'fleet.md'), 'utf8');
  const ofFleets = (results.outage?.rows ?? []).filter(({ name }) => name.startsWith('fleet'));
  expect(namesIn(fleet)).toEqual([...ofFleets, ...(results.workers?.rows ?? [])].map(({ name }) => name));
  for (const [name, { commit }] of Object.entries(results)) expect(all).toContain(`## ${name}\n\nCommit ${commit}, `);
  for (const written of [readme, all, fleet]) {
    expect(written).not.toContain('old');
    expect(written).toMatch(/^# dtp\n\n<!-- bench[ a-z]* -->\n/);
    expect(written).toMatch(/<!-- \/bench[ a-z]* -->\n\nThe end\.\n$/);
  }
});

test("a run of some measurements keeps the others' earlier results", async () => {
  const folder = temporaryFolder();
  const before = {
    date: '2020-02-02',
    commit: '0123abc',
    node: 'v1.0.0',
    platform: 'p',
    cores: 1,
    memory_gb: 1,
  };
  const row = { name: 'a page', figure: 7, unit: 'MB', ratio: 0.5, to: 'half', headline: true };
  const kept = { pages: { ...before, rows: [row] }, outage: { ...before, rows: [row] } };
  writeFileSync(join(folder, 'results.json'), JSON.stringify(kept));
  writePages(folder, '');
  await bench(folder, 'outage');

  const results: Results = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
  expect(results.pages).toEqual(kept.pages);
  expect(results.outage?.date).not.toBe('2020-02-02');
  // Simulated with a fixed seed, so the same on any machine.
  expect(results.outage?.rows[1]).toMatchObject({ figure: 6490, ratio: 1.29112, goal: '≤ 2 ×', met: true });
  // A fleet of a thousand clients, which is the least that is simulated.
  expect(results.outage?.rows[6]).toMatchObject({ figure: 500, ratio: 30 });
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(readme).toContain('| a page | 7 MB | 0.50 × half |\n');
  expect(readme).toContain('Measured with 1 core, 1 GB, Node 1.0.0, p.\n');
  const all = readFileSync(join(folder, 'RESULTS.md'), 'utf8');
  expect(all).toContain('## pages\n\nCommit 0123abc, 2020-02-02, 1 core, 1 GB, Node 1.0.0, p.\n\n');
});

test('an unknown measurement is an error', async () => {
  await expect(bench(temporaryFolder(), 'speed')).rejects.toThrow('no measurement "speed"');
});

test.each([
  ['a slower command', { ratio: 1, goal: '≤ 2 ×' }, { ratio: 1.16, goal: '≤ 2 ×' }, 1],
  ['a little slower', { ratio: 1, goal: '≤ 2 ×' }, { ratio: 1.14, goal: '≤ 2 ×' }, 0],
  ['a faster command', { ratio: 1, goal: '≤ 2 ×' }, { ratio: 0.5, goal: '≤ 2 ×' }, 0],
  ['a lower rate', { ratio: 1, goal: '≥ 0.8 ×' }, { ratio: 0.8, goal: '≥ 0.8 ×' }, 1],
  ['a higher rate', { ratio: 1, goal: '≥ 0.8 ×' }, { ratio: 2, goal: '≥ 0.8 ×' }, 0],
  ['a row without a goal', { ratio: 1 }, { ratio: 9 }, 0],
  ['a new row', undefined, { ratio: 9, goal: '≤ 2 ×' }, 0],
  ['a row that was not measured', { ratio: 1, goal: '≤ 2 ×' }, { ratio: null, goal: '≤ 2 ×' }, 0],
])('--check compares ratios: %s', (_, before, now, count) => {
  const rowOf = (row: object | undefined) => (row ? [{ name: 'a', to: 'b', ...row }] : []);
  expect(worseThan(rowOf(before), rowOf(now))).toHaveLength(count);
});

test('--check stores nothing', async () => {
  const folder = temporaryFolder();
  writePages(folder, 'old');
  expect(await bench(folder, 'outage', '--check')).toContain('0 ratios more than 15 % worse');
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain('old');
});

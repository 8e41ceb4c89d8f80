/** Source positions of an error: with --debug, a stack trace names lines of src/, even in the built tool. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, resolve } from 'node:path';
import { build, type OutputChunk } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dtp, home } from '../support/process.ts';

const root = resolve(import.meta.dirname, '../..');
const place = { folder: '', remove: () => {} };
const copy = () => join(place.folder, 'copy');
const maps = () => join(copy(), 'dist/source-maps.json');
const readsOfMaps = () => join(place.folder, 'reads');

beforeAll(() => {
  Object.assign(place, home());
  for (const name of ['bin', 'dist', 'package.json']) cpSync(join(root, name), join(copy(), name), { recursive: true });
});
afterAll(() => place.remove());

const failing = ['--debug', '--error-format', 'text', 'ws', 'list'];
const tool = () => join(copy(), 'bin/dtp.cjs');

/** The source lines in a stack trace, in order. */
const linesNamed = (stderr: string): readonly string[] =>
  [...stderr.matchAll(/^ {4}at (?:async )?(src\/[\w/.-]+\.ts):(\d+)$/gm)].map(([, file = '', line]) => {
    expect(existsSync(join(root, file)), file).toBe(true);
    return readFileSync(join(root, file), 'utf8').split('\n')[Number(line) - 1] ?? 'no such line';
  });

test('a user error has the lines that it came through', async () => {
  const { code, stderr } = await dtp(place.folder, failing);
  const [thrown, ...callers] = linesNamed(stderr);
  expect(code).toBe(3);
  expect(thrown).toContain("new DtpError('config', 'no base URL is configured'");
  expect(callers.length).toBeGreaterThan(3);
  for (const line of callers) expect(line).toMatch(/[\w)]\(/);
});

test('so does a bug in the tool', async () => {
  const broken = join(place.folder, 'broken.cjs');
  writeFileSync(broken, `require('node:crypto').randomUUID = () => { throw new TypeError('broken') };`);
  writeFileSync(join(place.folder, 'report.html'), '<html>');
  const upload = ['reports', 'upload', '--type', 'linting', '--file', 'report.html'];
  const argv = ['--debug', '--error-format', 'text', ...upload, '--base-url', 'http://127.0.0.1:9'];
  const env = { NODE_OPTIONS: `--require=${broken}`, DTP_API_KEY: 'k-1' };
  const { code, stderr } = await dtp(place.folder, argv, { env });
  expect([code, stderr]).toEqual([1, expect.stringContaining('TypeError: broken\n')]);
  expect(linesNamed(stderr)[0]).toContain('randomUUID()');
});

test.each([
  ['missing', () => rmSync(maps())],
  ['cut short', () => writeFileSync(maps(), readFileSync(join(root, 'dist/source-maps.json')).subarray(0, 999))],
  ['of another build', () => writeFileSync(maps(), '{"chunks/main.cjs":{"version":3,"sources":[],"mappings":""}}')],
])('if the maps are %s, the stack names the built files, and nothing else changes', async (_, damage) => {
  // Code that another installation compiled has the paths of its files.
  const env = { DTP_STATE_DIR: join(place.folder, 'state-of-copy') };
  const { stderr: whole } = await dtp(place.folder, failing, { tool: tool(), env });
  expect(linesNamed(whole)).not.toEqual([]);
  damage();
  try {
    const { code, stderr } = await dtp(place.folder, failing, { tool: tool(), env });
    expect([code, linesNamed(stderr)]).toEqual([3, []]);
    expect(stderr).toMatch(/ at .*dist\/chunks\/main\.cjs:\d+:\d+\)?\n/);
    expect(stderr.split('\n').length).toBe(whole.split('\n').length);
  } finally {
    cpSync(join(root, 'dist/source-maps.json'), maps());
  }
});

test('they are only read for a stack trace', async () => {
  const watch = join(place.folder, 'watch.cjs');
  writeFileSync(
    watch,
    `const fs = require('node:fs');
    const real = fs.readFileSync;
    fs.readFileSync = (path, ...rest) => {
      if (/source-maps/.test(String(path))) fs.appendFileSync(process.env.READS, 'x');
      return real(path, ...rest);
    };`,
  );
  const env = { NODE_OPTIONS: `--require=${watch}`, READS: readsOfMaps() };
  const [, ...quiet] = failing;
  for (const argv of [quiet, ['--debug', ...quiet, '--error-format', 'json'], ['--debug', 'config', 'path']])
    await dtp(place.folder, argv, { env });
  expect(existsSync(readsOfMaps())).toBe(false);
  await dtp(place.folder, failing, { env });
  expect(existsSync(readsOfMaps())).toBe(true);
});

test('the reduced maps agree with the full ones', async () => {
  // TypeScript does not know these, because scripts have no types.
  const { bundles } = await import(join(root, 'scripts/bundle/bundles.mjs'));
  const { lineMap } = await import(join(root, 'scripts/bundle/maps.mjs'));
  const { asciiColumns, inAscii } = await import(join(root, 'scripts/bundle/ascii.mjs'));
  const { output } = await build({ ...bundles[0], cwd: root, write: false });
  const chunks = output.filter((one): one is OutputChunk => one.type === 'chunk');
  let compared = 0;
  for (const { code, map, fileName } of chunks) {
    // Code that the bundler itself generated.
    if (!map) {
      expect(fileName).toBe('rolldown-runtime.cjs');
      continue;
    }
    const columnAt = asciiColumns(code);
    const written = inAscii(code).split('\n');
    const small = lineMap(map, columnAt);
    if (!small) {
      expect(map.sources.filter((source) => /^[./]*src\//.test(source))).toEqual([]);
      continue;
    }
    const [whole, lean] = [
      new SourceMap({ ...JSON.parse(map.toString()), mappings: `${map.mappings};` }),
      new SourceMap(small),
    ];
    code.split('\n').forEach((line, row) => {
      for (const { 0: word, index } of line.matchAll(/[\w$]+(?=[.(])/g)) {
        const { originalSource = '', originalLine } = whole.findEntry(row, index) as Partial<Found>;
        const own = /^(?:\.\.\/)*(src\/.*)$/.exec(originalSource)?.[1];
        const column = columnAt(row, index);
        const found = lean.findEntry(row, column) as Partial<Found>;
        expect(written[row]?.startsWith(word, column)).toBe(true);
        const there = `${fileName}:${row + 1}:${index + 1}`;
        expect([there, found.originalSource, found.originalLine]).toEqual([there, own, own && originalLine]);
        if (own !== undefined) compared++;
      }
    });
  }
  expect(compared).toBeGreaterThan(10_000);
});

interface Found {
  readonly originalSource: string;
  readonly originalLine: number;
}

test('the built files are ASCII', () => {
  const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
  const programs = files.filter((name) => name.endsWith('.cjs'));
  expect(programs.length).toBeGreaterThan(10);
  for (const name of programs)
    expect([name, /[^\0-\x7f]/.test(readFileSync(join(root, 'dist', name), 'utf8'))]).toEqual([name, false]);
});

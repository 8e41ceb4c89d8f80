/** `dtp init --sample`: the sample files of `examples/petstore`, in a new folder. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';
import { shellWord } from '../../src/shell.ts';
import { dtp, temporaryFolder } from '../support/context.ts';

const examples = resolve(import.meta.dirname, '../../examples/petstore');

/** The files below a folder, by path. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

const text = { env: { DTP_ERROR_FORMAT: 'text' } };

test.each([
  ['', 'petstore'],
  ['shop', 'shop'],
  ['new/shop', 'new/shop'],
])('--sample %s writes all examples to %s', async (given, folder) => {
  const home = temporaryFolder();
  const argv = ['init', '--sample', ...(given === '' ? [] : [given])];
  const { code, stdout, stderr } = await dtp(argv, { home });
  expect([code, stderr]).toEqual([0, '']);
  const written = contentOf(join(home, folder));
  expect(written).toEqual(contentOf(examples));
  expect(JSON.parse(stdout)).toEqual({ folder, files: expect.toSatisfy((names) => isEqual(names, written)) });
});

const isEqual = (names: readonly string[], written: object): boolean =>
  [...names].sort().join() === Object.keys(written).sort().join().replaceAll(sep, '/');

test('an absolute path may be outside of the repository', async () => {
  const [home, other] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(home, '.git'));
  expect(await dtp(['init', '--sample', join(other, 'shop')], { home })).toMatchObject({ code: 0 });
  expect(contentOf(join(other, 'shop'))).toEqual(contentOf(examples));
});

test('on a terminal, it ends with the next commands, for the service that is configured', async () => {
  const local = await dtp(['init', '--sample', 'my shop'], { tty: true });
  expect(local.stdout).toMatch(/^✔ Wrote 9 files to my shop$/m);
  expect(local.stdout).toContain(
    `  cd ${shellWord('my shop')}\n  dtp events post --body @events.ndjson --profile local\n`,
  );
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k' };
  const { stdout } = await dtp(['init', '--sample'], { tty: true, env });
  expect(stdout).toContain('  cd petstore\n  dtp events post --body @events.ndjson\n');
});

test.each([
  ['an empty folder', (path: string) => mkdirSync(path)],
  ['a file', (path: string) => writeFileSync(path, 'mine')],
])('%s is not changed', async (_, make) => {
  const home = temporaryFolder();
  make(join(home, 'petstore'));
  const { code, stdout, stderr } = await dtp(['init', '--sample'], { home, ...text });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('petstore already exists and was not changed');
  expect(contentOf(home)).toEqual(
    Object.fromEntries(Object.entries(contentOf(home)).filter(([, one]) => one === 'mine')),
  );
});

test.each([['--local'], ['--no-event'], ['--folder-file'], ['--completions'], ['--ci', 'print'], ['--with-token']])(
  'it sets up nothing, so %s is refused',
  async (...flags) => {
    const home = temporaryFolder();
    const { code, stderr } = await dtp(['init', '--sample', 'shop', ...flags], { home, stdin: 'key', ...text });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`run dtp init ${flags[0]} separately`)]);
    expect(readdirSync(home)).not.toContain('shop');
  },
);

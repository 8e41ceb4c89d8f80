/**
 * The package: it contains only what it needs to run, names the packages that it bundles, and works without its
 * driver.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type OutputChunk } from 'rolldown';
import { beforeAll, expect, test } from 'vitest';
import { fileFolder, install, npm, pack, root } from '../support/package.ts';
import { dtp, home, serve } from '../support/process.ts';

const folder = fileFolder();
const installed = join(folder, 'node_modules/dtp');
const bin = join(installed, 'bin/dtp.cjs');

beforeAll(async () => {
  const tarball = await pack(folder);
  // Not globally, because npm installs every optional package there.
  await install(folder, ['--no-save', '--prefix', folder, '--omit=optional', tarball]);
});

const filesOf = (place: string): readonly string[] =>
  readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => statSync(join(place, name)).isFile());

const read = (name: string) => readFileSync(join(installed, name), 'utf8');

const allowed = [
  /^(package\.json|README\.md|llms\.txt|LICENSE|THIRD-PARTY-NOTICES)$/,
  /^bin\/dtp\.cjs$/,
  /^dist\/(load|start|print|recalled|rolldown-runtime)\.cjs$/,
  /^dist\/chunks\/llhttp\.wasm$/,
  /^dist\/source-maps\.json$/,
  /^dist\/(chunks|expressions|service)\/[\w-]+\.cjs$/,
  /^dist\/expressions\/jq\.wasm\.br$/,
  /^dist\/still\/(commands|topics)\/[\w.-]+\.json$/,
  /^completions\/(_dtp|dtp\.(bash|fish|ps1))$/,
  /^docs\/([\w-]+\.md|pictures\/[\w-]+\.(svg|png))$/,
  /^man\/dtp[\w-]*\.[17]$/,
];

test('it contains only what it needs to run', () => {
  const files = filesOf(installed);
  expect(files.filter((name) => !allowed.some((one) => one.test(name)))).toEqual([]);
  for (const one of allowed) expect(files.filter((name) => one.test(name))).not.toEqual([]);
  expect(files.filter((name) => name.endsWith('.cjs') && /sourceMappingURL/.test(read(name)))).toEqual([]);
});

test('it installs no other packages than the driver and the library for the keychain, and is small', () => {
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json'));
  expect(dependencies).toBeUndefined();
  expect(Object.keys(optionalDependencies)).toEqual(['@napi-rs/keyring', 'libsql']);
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['dtp']);
  const bytes = filesOf(installed).reduce((sum, name) => sum + statSync(join(installed, name)).size, 0);
  expect(bytes).toBeLessThan(5_000_000);
});

test('npm links every page of the manual', () => {
  const { man } = JSON.parse(read('package.json')) as { readonly man: readonly string[] };
  expect(man).toEqual(
    readdirSync(join(installed, 'man'))
      .sort()
      .map((name) => `man/${name}`),
  );
});

/** The copy that was packed. */
const checkout = join(folder, 'checkout');
const manifest = () => readFileSync(join(checkout, 'package.json'), 'utf8');
const committed = readFileSync(join(root, 'package.json'), 'utf8');

test("only the packed package.json lists the manual's pages: packing leaves package.json unchanged", () => {
  expect(JSON.parse(committed)).not.toHaveProperty('man');
  expect(manifest()).toBe(committed);
  const run = (...args: readonly string[]) => execFileSync(process.execPath, args, { cwd: checkout });
  for (const task of ['add', 'add']) run('scripts/man-list.mjs', task);
  expect(JSON.parse(manifest()).man).toEqual(JSON.parse(read('package.json')).man);
  for (const task of ['remove', 'remove']) run('scripts/man-list.mjs', task);
  expect(manifest()).toBe(committed);
});

test('the next build removes a list that an interrupted pack left', async () => {
  execFileSync(process.execPath, ['scripts/man-list.mjs', 'add'], { cwd: checkout });
  expect(manifest()).not.toBe(committed);
  await npm(checkout, ['run', 'build']);
  expect(manifest()).toBe(committed);
});

/** From the package.json of each bundled package, located from the modules that the bundler includes. */
async function bundledPackages(): Promise<ReadonlyMap<string, string>> {
  // TypeScript has no types for scripts.
  const { input } = await import(join(root, 'scripts/bundle/options.mjs'));
  const entries = ['src/start.ts', 'src/service/document-process.ts', 'src/expressions/thread.ts'].map((name) =>
    join(root, name),
  );
  const { output } = await build({ ...input, cwd: root, input: entries, write: false, logLevel: 'silent' });
  const chunks = output.filter((one): one is OutputChunk => one.type === 'chunk');
  const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules));
  const taken = modules.filter(([id, { renderedLength }]) => renderedLength > 0 && /node_modules/.test(id));
  return new Map(taken.map(([id]) => manifestAbove(dirname(id))));
}

function manifestAbove(place: string): readonly [name: string, license: string] {
  if (readdirSync(place).includes('package.json')) {
    const { name, version, license } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
    if (name) return [`${name} ${version}`, license];
  }
  return manifestAbove(dirname(place));
}

/** The notices by their first line; the second line is the license. */
const notices = (): ReadonlyMap<string, readonly string[]> => {
  const [, ...all] = read('THIRD-PARTY-NOTICES').split(`\n${'='.repeat(80)}\n`);
  return new Map(all.map((text) => text.trim().split('\n')).map(([name = '', ...lines]) => [name, lines]));
};

test('each package in the bundle has its notice, with its license and the license text', async () => {
  const bundled = await bundledPackages();
  expect(bundled.size).toBeGreaterThan(40);
  const given = notices();
  for (const [name, license] of bundled) expect([name, given.get(name)?.[0]]).toEqual([name, license]);
  const short = [...given].filter(([, lines]) => lines.join('\n').length < 500).map(([name]) => name);
  expect(short).toEqual([]);
});

test('so does each package inside of a bundled package', () => {
  const inner = [...notices()].filter(([, lines]) => lines.some((line) => /^bundled in /.test(line)));
  expect(inner.map(([name]) => name.split(' ')[0])).toEqual([
    ...[
      'ajv',
      'ajv-formats',
      'content-type',
      'decNumber',
      'fast-deep-equal',
      'fast-uri',
      'jq',
      'json-schema-traverse',
      'llhttp',
      'oniguruma',
    ],
  ]);
});

test('no license requires more than a notice, except one whose source is named', () => {
  const free = /^(MIT|ISC|ICU|BSD-[23]-Clause|Apache-2\.0|0BSD|Unlicense|BlueOak-1\.0\.0|CC0-1\.0)$/;
  const others = [...notices()].filter(([, [license = '']]) => !free.test(license));
  expect(others.map(([name, lines]) => [name.split(' ')[0], lines[0], lines[2]])).toEqual([
    [
      '@jmespath-community/jmespath',
      'MPL-2.0',
      `Its source, unchanged, is the npm package ${others[0]?.[0].replace(' ', '@')}.`,
    ],
  ]);
});

const at = (place: string, argv: readonly string[], env = {}) => dtp(place, argv, { env, tool: bin });

test('without the driver, everything works except the embedded service, which says what is missing', async () => {
  const { folder: place, remove } = home();
  const served = await serve(place);
  try {
    expect(await at(place, ['--version'])).toMatchObject({ code: 0, stderr: '' });
    expect(await at(place, ['help', 'ws'])).toMatchObject({ code: 0, stderr: '' });
    expect((await at(place, ['completion', 'bash'])).stdout).toBe(read('completions/dtp.bash'));
    const env = {
      DTP_BASE_URL: served.address,
      DTP_API_KEY: served.key,
      DTP_WORKSPACE_ID: served.workspace_id,
    };
    const remote = await at(place, ['ws', 'current', '-o', 'json'], env);
    expect(JSON.parse(remote.stdout)).toMatchObject({ workspace: { id: served.workspace_id } });
    for (const argv of [['--profile', 'local', 'ws', 'list'], ['serve'], ['dev', '--', 'true']]) {
      const ended = await at(place, ['--error-format', 'text', ...argv]);
      expect(ended).toMatchObject({ code: 3, stdout: '' });
      expect(ended.stderr).toMatch(
        /^error: the embedded service cannot load its database driver: Cannot find module 'libsql'\n {2}Install dtp with its optional dependencies/,
      );
    }
  } finally {
    await served.stop();
    remove();
  }
});

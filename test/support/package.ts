/** The package as a user gets it: packed from a copy of the checkout, and installed into an empty folder. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

export const root = resolve(import.meta.dirname, '../..');

/** A folder for a whole test file. */
export function fileFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-package-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs npm in `folder` and returns its output. Throws with its stderr if it fails. */
export async function npm(folder: string, args: readonly string[]): Promise<string> {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const env = { ...process.env, ...machineSettings(), HOME: home };
  const { stdout } = await promisify(execFile)('npm', [...args], { cwd: folder, env });
  return stdout.trim();
}

/** npm's configuration and cache on this machine. A different HOME or prefix would hide them. */
function machineSettings(): Readonly<Record<string, string | undefined>> {
  const args = ['config', 'get', 'userconfig', 'globalconfig', 'cache'];
  const text = execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [`npm_config_${name}`, value]),
  );
}

/** Installs without scripts, and from the cache if possible. */
export const install = (folder: string, args: readonly string[]): Promise<string> =>
  npm(folder, [
    'install',
    ...['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=0'],
    ...args,
  ]);

/** Packs a copy, which builds it: other tests use the build of this checkout. Returns the tarball. */
export async function pack(folder: string): Promise<string> {
  const copy = join(folder, 'checkout');
  mkdirSync(copy);
  for (const name of [
    'package.json',
    'README.md',
    'LICENSE',
    'bin',
    'completions',
    'docs',
    'examples',
    'scripts',
    'src',
  ])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const file = await npm(copy, ['pack', '--silent', '--no-ignore-scripts']);
  return join(copy, file);
}

/** Whether npm failed because the registry did not answer, and not because of the request. */
export const isUnreachable = (error: unknown): boolean =>
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|_CERT|CERT_/.test(
    String((error as { readonly stderr?: string }).stderr),
  );

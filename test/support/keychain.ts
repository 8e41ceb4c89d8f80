/** A keychain for one test: gnome-keyring on a separate D-Bus session. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { attempt } from '../../src/caught.ts';
import { until } from './stubborn-processes.ts';

const isInstalled = (program: string) =>
  attempt(() => execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }) !== undefined, false);

const library = attempt(() => createRequire(import.meta.url).resolve('@napi-rs/keyring'), undefined);

/** Why a test cannot have a keychain. Undefined if it can. */
export const missingKeychain =
  process.platform !== 'linux'
    ? 'the tests would use the keychain of this user'
    : library === undefined
      ? '@napi-rs/keyring is not installed'
      : ['dbus-daemon', 'gnome-keyring-daemon']
          .map((one) => (isInstalled(one) ? '' : `${one} is missing`))
          .find(Boolean);

if (missingKeychain !== undefined) process.stderr.write(`skipped: no keychain for tests: ${missingKeychain}\n`);

export interface Keychain {
  /** The variables with which a command finds the keychain. */
  readonly env: Readonly<Record<string, string>>;
  readonly stop: () => void;
}

/** Starts a D-Bus session in the folder. Without `password`, it has no keychain. */
export async function openKeychain(folder: string, password?: string): Promise<Keychain> {
  const runtime = join(folder, 'run');
  rmSync(runtime, { recursive: true, force: true });
  mkdirSync(runtime, { mode: 0o700 });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    XDG_RUNTIME_DIR: runtime,
    XDG_DATA_HOME: join(folder, 'keys'),
  };
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
    // No service is started by itself.
    env: { ...env, XDG_DATA_DIRS: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const address = await new Promise<string>((done) => bus.stdout.once('data', (text) => done(String(text).trim())));
  const session = { XDG_RUNTIME_DIR: runtime, DBUS_SESSION_BUS_ADDRESS: address };
  const started: ChildProcess[] = [bus];
  if (password !== undefined) {
    const argv = ['--foreground', '--unlock', '--components=secrets', `--control-directory=${runtime}`];
    const daemon = spawn('gnome-keyring-daemon', argv, {
      env: { ...env, ...session },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    started.unshift(daemon);
    daemon.stdin.end(password);
    await until(() => existsSync(join(runtime, 'control')) && hasOwner(address));
  }
  const stop = () => {
    for (const one of started) one.kill('SIGKILL');
  };
  return { env: session, stop };
}

/** Whether somebody answers for the Secret Service. */
const hasOwner = (address: string): boolean =>
  execFileSync(
    'dbus-send',
    [
      `--bus=${address}`,
      '--print-reply',
      '--dest=org.freedesktop.DBus',
      '/',
      'org.freedesktop.DBus.NameHasOwner',
      'string:org.freedesktop.secrets',
    ],
    { encoding: 'utf8' },
  ).includes('true');

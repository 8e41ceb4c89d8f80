/** Uses the keychain of the operating system, in another process, because a keychain may wait for the user forever. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { attempt } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { builtin } from './builtin.ts';

/** `set` returns the secret that it replaces, if there is one. */
export interface KeychainRequest {
  readonly task: 'get' | 'set' | 'delete';
  readonly account: string;
  readonly secret?: string | undefined;
  /** The maximum time, in milliseconds. */
  readonly limitMs: number;
}

/**
 * The program of the process. On Linux, it only uses the Secret Service: the library would fall back to the keyring of
 * the kernel, which forgets everything when the machine restarts.
 */
const PROGRAM = `process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', async ({ library, task, account, secret }) => {
  const run = async () => {
    const entry = new (require(library).AsyncEntry)('dtp', account, { linux: { store: 'secret-service' } });
    if (task === 'delete') return void (await entry.deletePassword());
    const before = await entry.getPassword();
    if (task === 'get') return before ?? undefined;
    await entry.setPassword(secret);
    if ((await entry.getPassword()) === secret) return before ?? undefined;
    await (before == null ? entry.deletePassword() : entry.setPassword(before));
    throw new Error('it did not store the credential');
  };
  process.send(await run().then((value) => ({ value }), (error) => ({ fault: String(error?.message ?? error) })));
});`;

/** Throws `config` if the keychain cannot be used in time. If interrupted, throws the reason of the interrupt. */
export async function useKeychain({ limitMs, ...request }: KeychainRequest, interrupt: AbortSignal) {
  interrupt.throwIfAborted();
  const library = findLibrary();
  const child = spawn(process.execPath, ['-e', PROGRAM], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
    // Node reads `package.json` there, and the current folder may have one that others have written.
    cwd: dirname(library),
  });
  const over = new AbortController();
  const late = setTimeout(() => over.abort(unusable(`it did not answer within ${limitMs / 1000} s`)), limitMs);
  const signal = AbortSignal.any([interrupt, over.signal]);
  try {
    return await new Promise<string | undefined>((done, failed) => {
      signal.addEventListener('abort', () => failed(signal.reason), { once: true });
      child.once('error', ({ message }) => failed(unusable(message)));
      child.once('exit', (code, by) => failed(unusable(`its process ended with ${by ?? code}`)));
      child.once('message', ({ value, fault }: { readonly value?: string; readonly fault?: string }) =>
        fault === undefined
          ? done(value)
          : failed(unusable(request.secret ? fault.replaceAll(request.secret, '***') : fault)),
      );
      // If this fails, one of the events above reports why. If no descriptor is free, `send` is undefined.
      child.send?.({ ...request, library }, () => undefined);
    });
  } finally {
    clearTimeout(late);
    child.kill('SIGKILL');
  }
}

/** Returns the path of the library, which is optional. */
function findLibrary(): string {
  if (builtin('node:sea').isSea()) throw unusable('this executable has no library for it. Install dtp with npm');
  const path = attempt(() => createRequire(import.meta.url).resolve('@napi-rs/keyring'), undefined);
  if (path === undefined) throw unusable('@napi-rs/keyring is missing. Install dtp with its optional dependencies');
  return path;
}

/** The library's message may have several lines. */
const unusable = (why: string) => new DtpError('config', `the keychain cannot be used: ${why.split('\n', 1).join()}`);

/** Reads files with secrets that the user names. */
import { messageOf } from '../../caught.ts';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { credentialLimit } from '../../limits.ts';
import { shellLine } from '../../shell.ts';

/** Returns the content of a file. Throws `config` if it cannot be read, or if other users may read or change it. */
export async function readSecretFile(context: Context, flag: string, path: string): Promise<string> {
  const { openNamed, readAllOf } = await import('../../files/open.ts');
  const name = `${flag}: ${path}`;
  try {
    const file = await openNamed(context, path, { name, mayBeOwn: true });
    const content = await readAllOf(file, context.signal, credentialLimit.bytes);
    // Root may own a file that a group needs, as in a container.
    const forbidden = file.stats.uid === 0n ? 0o027n : 0o077n;
    if (context.runtime.platform === 'win32' || (file.stats.mode & forbidden) === 0n)
      return Buffer.from(content ?? [])
        .toString()
        .trim();
  } catch (error) {
    if (error instanceof DtpError) throw new DtpError('config', error.message, error.facts);
    throw new DtpError('config', `${name}: ${messageOf(error)}`);
  }
  throw new DtpError('config', `${name} can be read or changed by other users`, {
    next: [shellLine(['chmod', '600', path])],
  });
}

/** Returns the key in the file of --owner-key-file. */
export async function readOwnerKey(context: Context, path: string | undefined): Promise<string | undefined> {
  const key = path && (await readSecretFile(context, '--owner-key-file', path));
  if (key === undefined || /^[\x21-\x7e]{32,1024}$/.test(key)) return key;
  throw new DtpError('config', `--owner-key-file: ${path} must have one key, of 32 to 1024 characters`, {
    hint: 'Create one with: openssl rand -hex 32',
  });
}

/** Reads the certificates of `--ca-cert`, or of the setting or variable that replaces it. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Setting, Settings } from '../settings/resolve.ts';
import { checkTrusted } from '../settings/trust.ts';
import { builtin } from '../system/builtin.ts';

/**
 * Returns the certificates (PEM) to trust in addition to the defaults. Throws `config` if the file cannot be read, has
 * no certificates or a broken one, or comes from an untrusted .dtp.json.
 */
export async function certificates(context: Context, settings: Settings): Promise<readonly string[]> {
  checkTrusted(settings, 'ca_cert');
  const setting = settings.values.ca_cert;
  if (!setting) return [];
  const extra = context.env.NODE_EXTRA_CA_CERTS;
  const more = async (path: string) => readFile(resolve(context.cwd, path), 'utf8').catch(() => '');
  // Node ignores NODE_EXTRA_CA_CERTS if other certificates are passed to it.
  return [await certificatesOf(context, setting), ...(extra ? [await more(extra)] : [])];
}

async function certificatesOf({ cwd }: Context, { value, source }: Setting): Promise<string> {
  const wrong = (words: string, hint: string) =>
    new DtpError('config', `${value} (from ${source}) ${words}`, { hint });
  const path = resolve(cwd, value);
  const failed = (error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? wrong('does not exist', 'Check the path, which is relative to the current directory.')
      : wrong(`cannot be read (${error.code})`, 'Check the permissions of the file and its folders.');
  };
  const there = await stat(path).catch(failed);
  // Reading a device may never end.
  if (!there.isFile() && !there.isFIFO())
    throw wrong('is not a file', 'Pass a file with certificates in PEM format.');
  const text = await readFile(path, 'utf8').catch(failed);
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw wrong('has no readable certificates (PEM)', asPem);
  const { X509Certificate } = builtin('node:crypto');
  // Node silently skips certificates that it cannot read.
  for (const [index, one] of found.entries())
    try {
      new X509Certificate(one);
    } catch {
      throw wrong(
        `is broken: certificate ${index + 1} of ${found.length} cannot be read`,
        'Get the certificates again, in PEM format.',
      );
    }
  return text;
}

const asPem =
  'Pass a file in PEM format. Convert one in DER format with: openssl x509 -inform der -in FILE -out ca.pem';

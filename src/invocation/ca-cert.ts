/** Reads the certificates of `--ca-cert`, or of the setting or variable that replaces it. */
import { orThrow, systemCode } from '../caught.ts';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { inputLimit } from '../limits.ts';
import type { Setting, Settings } from '../settings/resolve.ts';
import { checkTrusted } from '../settings/trust.ts';
import { builtin } from '../system/builtin.ts';

/** Returns more certificates (PEM) to trust. Throws `config` if the file is unusable or from an untrusted .dtp.json. */
export async function certificates(context: Context, settings: Settings): Promise<readonly string[]> {
  checkTrusted(settings, 'ca_cert');
  const setting = settings.values.ca_cert;
  if (!setting) return [];
  const extra = context.env.NODE_EXTRA_CA_CERTS;
  const more = (path: string) => contentOf(context, path, path).catch(() => '');
  // Node ignores NODE_EXTRA_CA_CERTS if other certificates are passed to it.
  return [await certificatesOf(context, setting), ...(extra ? [await more(extra)] : [])];
}

/** Reads a file of certificates. Certificates are public, so the file may be in a folder of dtp. */
async function contentOf(context: Context, path: string, name: string): Promise<string> {
  const { closeFile, openNamed, readAllOf } = await import('../files/open.ts');
  const file = await openNamed(context, path, { name, mayBeOwn: true });
  // Reading a device may never end.
  if (!file.stats.isFile() && !file.stats.isFIFO()) {
    await closeFile(file);
    throw Object.assign(new Error('it is a device'), { code: 'EISDIR' });
  }
  return Buffer.from((await readAllOf(file, context.signal, inputLimit.bytes)) ?? []).toString();
}

/** Reads a file in PEM format. `name` starts the messages. Throws `config` if the file cannot be read. */
export async function readPem(context: Context, path: string, name: string): Promise<string> {
  const wrong = (words: string, hint: string) => new DtpError('config', `${name} ${words}`, { hint });
  return contentOf(context, path, name).catch((error: unknown) => {
    context.signal.throwIfAborted();
    if (error instanceof DtpError) throw new DtpError('config', error.message, error.facts);
    const code = systemCode(error);
    if (code === 'ENOENT') throw wrong('does not exist', 'Check the path, which is relative to the current folder.');
    throw code === 'EISDIR'
      ? wrong('is not a file', 'Pass a file in PEM format.')
      : wrong(`cannot be read (${code})`, 'Check the permissions of the file and its folders.');
  });
}

async function certificatesOf(context: Context, { value, source }: Setting): Promise<string> {
  const name = `${value} (from ${source})`;
  const wrong = (words: string, hint: string) => new DtpError('config', `${name} ${words}`, { hint });
  const text = await readPem(context, value, name);
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw wrong('has no readable certificates (PEM)', asPem);
  const { X509Certificate } = builtin('node:crypto');
  // Node silently skips certificates that it cannot read.
  for (const [index, one] of found.entries()) {
    const what = `is broken: certificate ${index + 1} of ${found.length} cannot be read`;
    const broken = () => wrong(what, 'Get the certificates again, in PEM format.');
    orThrow(() => new X509Certificate(one), broken);
  }
  return text;
}

const asPem =
  'Pass a file in PEM format. Convert one in DER format with: openssl x509 -inform der -in FILE -out ca.pem';

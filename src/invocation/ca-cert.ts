/** Reads the certificates of `--ca-cert`, or of the setting or variable that replaces it. */
import { orThrow, systemCode } from '../caught.ts';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { inputLimit } from '../limits.ts';
import type { Settings } from '../settings/resolve.ts';
import { checkTrusted } from '../settings/trust.ts';
import { builtin } from '../system/builtin.ts';

/** Returns more certificates (PEM) to trust. Throws `config` if the file is unusable or from an untrusted .dtp.json. */
export async function certificates(context: Context, settings: Settings): Promise<readonly string[]> {
  checkTrusted(settings, 'ca_cert');
  const setting = settings.values.ca_cert;
  if (!setting) return [];
  const { value, source } = setting;
  const name = `${value} (from ${source})`;
  const own = certificatesIn(await readPem(context, value, name), wrongFile(name));
  const extra = context.env.NODE_EXTRA_CA_CERTS;
  // Node ignores NODE_EXTRA_CA_CERTS if other certificates are passed to it.
  if (!extra) return own;
  const more = await contentOf(context, extra, extra).catch(() => '');
  return [...own, more.replaceAll('-----BEGIN', '\n-----BEGIN')];
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

/** Creates the errors about a file whose messages start with `name`. */
export const wrongFile = (name: string) => (words: string, hint: string) =>
  new DtpError('config', `${name} ${words}`, { hint });

/** Reads a file in PEM format. `name` starts the messages. Throws `config` if the file cannot be read. */
export async function readPem(context: Context, path: string, name: string): Promise<string> {
  const wrong = wrongFile(name);
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

/**
 * Returns each certificate of a PEM file. Throws the error that `wrong` makes unless all of them can be read:
 * Node silently skips those that it cannot read, and those that do not begin on a new line.
 */
export function certificatesIn(text: string, wrong: (words: string, hint: string) => DtpError): readonly string[] {
  const { X509Certificate } = builtin('node:crypto');
  // A piece for each end, and one for a beginning without an end.
  const found = text
    .split(/(?<=-----END [A-Z0-9 ]*CERTIFICATE-----)/)
    .filter((one) => one.includes('CERTIFICATE-----'));
  if (found.length === 0) throw wrong('has no readable certificates (PEM)', asPem);
  return found.map((one, index) => {
    const what = `is broken: certificate ${index + 1} of ${found.length} cannot be read`;
    const broken = () => wrong(what, 'Get the certificates again, in PEM format.');
    return orThrow(() => new X509Certificate(one.slice(one.search(begin))).toString(), broken);
  });
}

const begin = /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/;

const asPem =
  'Pass a file in PEM format. Convert one in DER format with: openssl x509 -inform der -in FILE -out ca.pem';

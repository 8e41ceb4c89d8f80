/** The digests of a release's files. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The SHA-256 of a file as hexadecimal digits. */
export const digestOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Writes SHA256SUMS, which lists every other file of `folder` in the format of sha256sum. */
export function writeChecksums(folder) {
  const lines = readdirSync(folder)
    .sort()
    .map((name) => `${digestOf(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

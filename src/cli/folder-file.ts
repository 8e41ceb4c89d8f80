/** `.dtp.json`: settings of a folder and of those below it. Never a secret in it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DtpError } from '../errors.ts';
import { sources } from './sources.ts';

export interface FolderFile {
  /** '' where there is none. */
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export const noFolderFile: FolderFile = { path: '', values: {} };

const keys: ReadonlySet<string> = new Set([
  'profile',
  ...Object.entries(sources).flatMap(([key, source]) => ('file' in source ? [key] : [])),
]);

/** That of `folder` or of the nearest folder above. Throws `config` for one that cannot be used. */
export async function readFolderFile(folder: string): Promise<FolderFile> {
  const path = join(folder, '.dtp.json');
  if (!existsSync(path)) {
    const above = dirname(folder);
    return above === folder ? noFolderFile : readFolderFile(above);
  }
  // A pipe that anybody has laid there would be waited for.
  if (!statSync(path).isFile()) throw new DtpError('config', `${path} is not a file`);
  let values: unknown;
  try {
    values = JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    throw new DtpError('config', `${path} is not JSON: ${(error as Error).message}`);
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new DtpError('config', `${path} must hold a JSON object`);
  const odd = Object.keys(values).find((key) => !keys.has(key));
  if (odd !== undefined)
    throw new DtpError('config', `${path}: "${odd}" has no place there`, {
      hint: `It may hold ${[...keys].join(', ')}; never a secret.`,
    });
  return { path, values: values as Record<string, unknown> };
}

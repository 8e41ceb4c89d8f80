/** Stores the URL of the last report or run in one small private file, for `dtp open`. */
import { join } from 'node:path';
import { attempt } from '../caught.ts';
import { fieldsOf } from '../json-object.ts';
import { readPrivate } from '../system/owner.ts';
import { writePrivate } from './files.ts';

export interface LastLink {
  readonly kind: 'report' | 'run';
  /** The URL, which may contain a signature. */
  readonly url: string;
  readonly base_url: string;
  readonly profile: string;
}

const fileIn = (folder: string) => join(folder, 'last-link.json');

/** Stores a link and replaces the previous one. Throws if the link cannot be stored. */
export async function rememberLink(folder: string, link: LastLink): Promise<void> {
  await writePrivate(fileIn(folder), JSON.stringify(link));
}

/** Returns the stored link. Returns undefined if its file is missing or invalid, or if other users can write to it. */
export const recallLink = (folder: string, uid: number | undefined): LastLink | undefined =>
  attempt(() => {
    const { kind, url, base_url, profile } = fieldsOf(JSON.parse(readPrivate(fileIn(folder), uid).toString()));
    if ((kind !== 'report' && kind !== 'run') || typeof url !== 'string') return undefined;
    return { kind, url, base_url: String(base_url), profile: String(profile) };
  }, undefined);

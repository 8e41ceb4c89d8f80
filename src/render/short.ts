/** Short forms of ids and digests, for people only. Commands accept them again if they are unique. */

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const digest = /^(sha\d+:)([0-9a-f]{32,})$/;

/** The number of characters that are shown of an id, and of the digits of a digest. */
const [idLength, digestLength] = [8, 12];

export const hasShort = (text: string): boolean => uuid.test(text) || digest.test(text);

/** `ea31c0de` for a UUID, `sha256:4f0c91a2b7de` for a digest, and any other string unchanged. */
export const shortId = (text: string): string => cutTo(text, idLength, digestLength);

/** A thing that was looked up or picked. Without a name, it is called by its id. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** `deploy (ea31c0de)` */
export const nameAndId = ({ id, name }: Named): string => (name === id ? shortId(id) : `${name} (${shortId(id)})`);

function cutTo(text: string, ofId: number, ofDigest: number): string {
  const [, kind, digits = ''] = digest.exec(text) ?? [];
  if (kind !== undefined) return `${kind}${digits.slice(0, ofDigest)}`;
  return uuid.test(text) ? text.slice(0, ofId).replace(/-$/, '') : text;
}

/** The ends of the groups of a UUID. UUIDs that were made within a minute have the same first group. */
const longer = [
  [idLength, digestLength],
  [13, 20],
  [18, 32],
  [23, 48],
] as const;

/** Shortens strings that are shown below each other, no more than what keeps different ones apart. */
export function shortener(all: Iterable<string>): (text: string) => string {
  const texts = [...new Set(all)];
  for (const [ofId, ofDigest] of longer)
    if (new Set(texts.map((text) => cutTo(text, ofId, ofDigest))).size === texts.length)
      return (text) => cutTo(text, ofId, ofDigest);
  return (text) => text;
}

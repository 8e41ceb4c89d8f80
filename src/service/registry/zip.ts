/** A reader of ZIP files: the entries by the central directory, one of them unpacked. */
import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_SIZE = 22;
const ENTRY_SIZE = 46;
const LOCAL_SIZE = 30;

export interface ZipEntry {
  readonly name: string;
  /** 0 is stored, 8 is deflated. */
  readonly method: number;
  readonly packedSize: number;
  readonly size: number;
  /** CRC-32. */
  readonly checksum: number;
  readonly offset: number;
}

export const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 2).toString('latin1') === 'PK';

function endOf(zip: Buffer): number {
  // The comment after the record may be as long as 64 KiB.
  const first = Math.max(0, zip.length - END_SIZE - 0xffff);
  for (let at = zip.length - END_SIZE; at >= first; at--) if (zip.readUInt32LE(at) === END) return at;
  throw new Error('it has no central directory');
}

export function zipEntries(zip: Buffer): readonly ZipEntry[] {
  const end = endOf(zip);
  const entries: ZipEntry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error('its central directory is damaged');
    const nameEnd = at + ENTRY_SIZE + zip.readUInt16LE(at + 28);
    entries.push({
      name: zip.toString('utf8', at + ENTRY_SIZE, nameEnd),
      method: zip.readUInt16LE(at + 10),
      checksum: zip.readUInt32LE(at + 16),
      packedSize: zip.readUInt32LE(at + 20),
      size: zip.readUInt32LE(at + 24),
      offset: zip.readUInt32LE(at + 42),
    });
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

/** At most `limit` bytes: a small entry may unpack to a huge one. */
export function unpack(zip: Buffer, entry: ZipEntry, limit: number): Buffer {
  const local = entry.offset;
  const start = local + LOCAL_SIZE + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(start, start + entry.packedSize);
  if (entry.method === 0 && packed.byteLength > limit) throw new Error(`${entry.name} is too large`);
  if (entry.method === 0) return packed;
  if (entry.method === 8) return inflateRawSync(packed, { maxOutputLength: limit });
  throw new Error(`${entry.name} is packed with method ${entry.method}`);
}

/** The one reader of ZIP files: their entries, and the bytes of each. What they may hold, and how much, its callers decide. */
import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl';

export interface ArchiveEntry {
  /** As it stands there: it may lead anywhere. A folder ends with `/`. */
  readonly name: string;
  readonly size: number;
  /** CRC-32. */
  readonly checksum: number;
  /** Why it is neither a file nor a folder that can be read; undefined for a good one. */
  readonly fault: string | undefined;
  /** Its bytes, unpacked. Throws if they are not those of its size and checksum. */
  readonly pieces: () => AsyncIterable<Uint8Array>;
}

export interface Archive {
  /** Of the archive itself. */
  readonly size: number;
  readonly entries: () => AsyncIterable<ArchiveEntry>;
  readonly close: () => void;
}

/** Opens a file of the disk, or the bytes of one. Throws if it is no ZIP. */
export async function openArchive(source: string | Buffer): Promise<Archive> {
  // Names as bytes: a name that leads outside is told by the caller, in its words.
  const options = { autoClose: false, decodeStrings: false } as const;
  const zip = await (typeof source === 'string'
    ? openPromise(source, options)
    : fromBufferPromise(source, options));
  return {
    size: zip.fileSize,
    entries: async function* () {
      for await (const entry of zip.eachEntry()) yield entryOf(zip, entry);
    },
    close: () => zip.close(),
  };
}

function entryOf(zip: ZipFile, entry: Entry): ArchiveEntry {
  const name = nameOf(entry);
  const { uncompressedSize: size, crc32: checksum } = entry;
  const fault = faultOf(entry, name.endsWith('/'));
  return {
    name,
    size,
    checksum,
    fault,
    pieces: async function* () {
      if (fault !== undefined) throw new Error(`${name} cannot be read: ${fault}`);
      let sum = 0;
      for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
        sum = crc32(piece, sum);
        yield piece;
      }
      if (sum !== checksum) throw new Error(`${name} has a wrong checksum`);
    },
  };
}

/** Some writers do not say that their names are UTF-8. What is UTF-8 by chance in another encoding is ASCII. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | 0x800 : generalPurposeBitFlag;
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, true);
}

const regular = 0o100000;
const directory = 0o040000;

function faultOf(entry: Entry, isFolder: boolean): string | undefined {
  // The type of a Unix file; 0 where the archive is made elsewhere.
  const type = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (type !== 0 && type !== (isFolder ? directory : regular)) return 'it is a link or no regular file';
  if (entry.isEncrypted()) return 'it is encrypted';
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    return `it is packed with method ${entry.compressionMethod}`;
  return undefined;
}

/** Reads ZIP files: their entries, and the bytes of each. Callers must check the names and limit the sizes. */
import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl';

export type Archive = Awaited<ReturnType<typeof openArchive>>;
export type ArchiveEntry = ReturnType<typeof entryOf>;

/** Opens a file on the disk, or an archive in memory. Throws if it is not a ZIP file. */
export async function openArchive(source: string | Buffer) {
  // If yauzl decoded the names, it would throw for names that lead outside. The caller reports such names instead.
  const options = { autoClose: false, decodeStrings: false } as const;
  const zip = await (typeof source === 'string' ? openPromise(source, options) : fromBufferPromise(source, options));
  return {
    /** The size of the archive itself. */
    size: zip.fileSize,
    entries: async function* () {
      for await (const entry of zip.eachEntry()) yield entryOf(zip, entry);
    },
    close: () => zip.close(),
  };
}

function entryOf(zip: ZipFile, entry: Entry) {
  const name = nameOf(entry);
  const { uncompressedSize: size, crc32: checksum } = entry;
  const fault = faultOf(entry, name.endsWith('/'));
  return {
    /** The name in the archive. It may point outside the target folder. The name of a folder ends with `/`. */
    name,
    size,
    /** CRC-32. */
    checksum,
    /** Why it is not a readable file or folder. Undefined for a good entry. */
    fault,
    /** The unpacked bytes. Throws if they do not match the size or the checksum. */
    pieces: async function* () {
      if (fault !== undefined) throw new Error(`${name} cannot be read: ${fault}`);
      let sum = 0;
      for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
        sum = crc32(piece, sum);
        yield piece;
      }
      if (sum !== checksum) throw new Error(`${name} has the wrong checksum`);
    },
  };
}

/** Decodes a name. Valid UTF-8 is read as UTF-8, even if it is not marked: other encodings are rarely valid UTF-8. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | 0x800 : generalPurposeBitFlag;
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, true);
}

const regular = 0o100000;
const directory = 0o040000;

function faultOf(entry: Entry, isFolder: boolean): string | undefined {
  // The type of a Unix file, or 0 if the archive was created on another system.
  const type = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (type !== 0 && type !== (isFolder ? directory : regular)) return 'it is a link or not a regular file';
  if (entry.isEncrypted()) return 'it is encrypted';
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    return `it is packed with method ${entry.compressionMethod}`;
  return undefined;
}

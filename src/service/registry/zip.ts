/** Packs one file into a ZIP, as the registry stores documents. The same file always gives the same bytes. */
import { crc32, deflateRawSync } from 'node:zlib';

const DEFLATED = 8;
/** Version 2.0 of the format, which supports compression. */
const VERSION = 20;
/** January 1, 1980, which is the earliest date in a ZIP file. */
const DATE = 0x21;
const UTF_8 = 0x0800;

export function zipOf(name: string, text: string): Buffer {
  const bytes = Buffer.from(text);
  const packed = deflateRawSync(bytes);
  const title = Buffer.from(name);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(VERSION, 0);
  shared.writeUInt16LE(UTF_8, 2);
  shared.writeUInt16LE(DEFLATED, 4);
  shared.writeUInt16LE(DATE, 8);
  shared.writeUInt32LE(crc32(bytes), 10);
  shared.writeUInt32LE(packed.byteLength, 14);
  shared.writeUInt32LE(bytes.byteLength, 18);
  shared.writeUInt16LE(title.byteLength, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), shared, title, packed]);
  const entry = Buffer.concat([
    Buffer.from('PK\u0001\u0002', 'latin1'),
    Buffer.from([VERSION, 0]),
    shared,
    Buffer.alloc(14),
    title,
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.byteLength, 12);
  end.writeUInt32LE(local.byteLength, 16);
  return Buffer.concat([local, entry, end]);
}

/** Reads the compressed files in test/fixtures. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** Returns the content of a file. `name` is without `.br`. */
export const readFixture = (name: string): Buffer =>
  brotliDecompressSync(readFileSync(join(import.meta.dirname, '../fixtures', `${name}.br`)));

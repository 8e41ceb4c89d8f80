/** Content encodings, undone once and within a bound. */
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { DtpError } from '../errors.ts';

type Make = () => ReturnType<typeof createGunzip | typeof createInflate | typeof createBrotliDecompress>;

const decoders: ReadonlyMap<string, Make> = new Map<string, Make>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

/** Decoded bytes at most 64 MiB: 204 KB of gzip can hold 200 MiB. */
const limit = 64 * 1024 * 1024;

/** The body with its one encoding undone. We ask for none, but some proxies encode all the same. */
export function decoded(
  body: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
): AsyncIterable<Uint8Array> {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === '' || name === 'identity') return body;
  const make = decoders.get(name);
  return make ? decode(body, make, name) : refuse(body, name);
}

async function* decode(
  body: AsyncIterable<Uint8Array>,
  make: Make,
  name: string,
): AsyncGenerator<Uint8Array> {
  const source = Readable.from(body, { objectMode: false });
  const decoder = make();
  source.on('error', (error) => decoder.destroy(error));
  source.pipe(decoder);
  let size = 0;
  try {
    for await (const chunk of decoder as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > limit)
        throw new DtpError('bad_response', `the answer grew beyond 64 MiB as ${name} was undone`);
      yield chunk;
    }
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    throw code.startsWith('Z_') || code.startsWith('ERR_')
      ? new DtpError('bad_response', `the answer is not valid ${name}`, { cause: error })
      : error;
  } finally {
    source.destroy();
    decoder.destroy();
  }
}

// biome-ignore lint/correctness/useYield: it is the body of an answer that cannot be read.
async function* refuse(body: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  await body[Symbol.asyncIterator]().return?.();
  throw new DtpError(
    'bad_response',
    `the answer has the content encoding "${name}", which was not asked for`,
  );
}

/** Decodes the content encoding of a response body, such as gzip, up to a size limit. */
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { systemCode } from '../caught.ts';
import { DtpError, type Facts } from '../errors.ts';
import { answerLimit } from '../limits.ts';
import { readAll } from '../request/http.ts';

type Make = () => ReturnType<typeof createGunzip | typeof createInflate | typeof createBrotliDecompress>;

const decoders: ReadonlyMap<string, Make> = new Map<string, Make>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

/** Decodes a body, because some proxies encode unasked. Reading throws `bad_response` if it is invalid or too long. */
export function decoded(body: AsyncIterable<Uint8Array>, encoding: string | undefined): AsyncIterable<Uint8Array> {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === '' || name === 'identity') return body;
  const make = decoders.get(name);
  return make ? decode(body, make, name) : refuse(body, name);
}

async function* decode(body: AsyncIterable<Uint8Array>, make: Make, name: string): AsyncGenerator<Uint8Array> {
  const source = Readable.from(body, { objectMode: false });
  const decoder = make();
  source.on('error', (error) => decoder.destroy(error));
  source.pipe(decoder);
  let size = 0;
  try {
    const chunks: AsyncIterable<Uint8Array> = decoder;
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      // A small body can decode to a large one: 204 KB of gzip can hold 200 MiB.
      if (size > answerLimit.bytes)
        throw new DtpError('bad_response', `the response is larger than ${answerLimit.text} after ${name} decoding`);
      yield chunk;
    }
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (!code.startsWith('Z_') && !code.startsWith('ERR_')) throw error;
    source.unpipe();
    throw new DtpError('bad_response', `the response is not valid ${name}`, {
      ...(await readToEnd(source)),
      cause: error,
    });
  } finally {
    source.destroy();
    decoder.destroy();
  }
}

// biome-ignore lint/correctness/useYield: this is the body of a response that cannot be read.
async function* refuse(body: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const message = `the response has the content encoding "${name}", which was not requested`;
  throw new DtpError('bad_response', message, await readToEnd(body));
}

/** The maximum size of an undecodable body that is read to its end, in bytes. */
const drainLimit = 1024 * 1024;

/** Reads an undecodable body to its end. If it is cut off, throws the network error, because that may be retried. */
const readToEnd = async (body: AsyncIterable<Uint8Array>): Promise<Facts> =>
  (await readAll(body, drainLimit)) ? { isUndecodable: true } : {};

/** Content encodings, undone once and within a bound. */
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { systemCode } from '../caught.ts';
import { DtpError, type Facts } from '../errors.ts';
import { answerLimit } from '../limits.ts';

type Make = () => ReturnType<typeof createGunzip | typeof createInflate | typeof createBrotliDecompress>;

const decoders: ReadonlyMap<string, Make> = new Map<string, Make>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

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
    const chunks: AsyncIterable<Uint8Array> = decoder;
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      // 204 KB of gzip can hold 200 MiB.
      if (size > answerLimit.bytes)
        throw new DtpError(
          'bad_response',
          `the answer grew beyond ${answerLimit.text} as ${name} was undone`,
        );
      yield chunk;
    }
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (!code.startsWith('Z_') && !code.startsWith('ERR_')) throw error;
    source.unpipe();
    throw new DtpError('bad_response', `the answer is not valid ${name}`, {
      ...(await readToEnd(source)),
      cause: error,
    });
  } finally {
    source.destroy();
    decoder.destroy();
  }
}

// biome-ignore lint/correctness/useYield: it is the body of an answer that cannot be read.
async function* refuse(body: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  throw new DtpError(
    'bad_response',
    `the answer has the content encoding "${name}", which was not asked for`,
    await readToEnd(body),
  );
}

/** Bytes of a body that cannot be decoded that are read all the same. */
const scrap = 1024 * 1024;

/** Throws the network's error if the body breaks off: what is not whole may be asked for again. */
async function readToEnd(body: AsyncIterable<Uint8Array>): Promise<Facts> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > scrap) return {};
  }
  return { isUndecodable: true };
}

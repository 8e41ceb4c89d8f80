/** Pulls a revision: downloads its manifest and layers, verifies their digests, and unpacks the archives. */
import { orThrow } from '../caught.ts';
import { fieldsOf, type JsonObject } from '../json-object.ts';
import type { FileValue } from '../operations/operation.ts';
import {
  badResponse,
  digestOf,
  fileNameOf,
  isDigest,
  limits,
  openDigest,
  type Registry,
  titleAnnotation,
} from './registry.ts';

export type PulledFile = Pick<FileValue, 'name' | 'size'>;

export interface LayerStorage {
  readonly keep: (key: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  /** Whether the content starts like a ZIP file. */
  readonly isZip: (key: string) => Promise<boolean>;
  readonly unpack: (key: string) => Promise<readonly PulledFile[]>;
  readonly rename: (key: string, name: string) => Promise<PulledFile>;
}

export interface Pulled {
  readonly digest: string;
  readonly files: readonly PulledFile[];
}

export interface PullTools {
  readonly signal: AbortSignal;
  readonly tell: (done: number, size: number) => void;
  /**
   * Waits before a layer is downloaded again. `count` is the number of its failures. Throws `why` if it must not be
   * downloaded again.
   */
  readonly again: (count: number, why: unknown) => Promise<void>;
}

type Layer = ReturnType<typeof layersOf>[number];

const atOnce = 4;

/**
 * Pulls a revision into `shelf`. Throws `bad_response` for content that does not match its digest, is too large or must
 * not be unpacked.
 */
export async function pull(
  registry: Registry,
  reference: string,
  shelf: LayerStorage,
  { signal, tell, again }: PullTools,
): Promise<Pulled> {
  const { bytes, named } = await registry.manifest(reference);
  const digest = checkManifest(bytes, reference, named);
  const layers = layersOf(bytes);
  const distinct = [...new Map(layers.map((layer) => [layer.digest, layer])).values()];
  const size = distinct.reduce((sum, layer) => sum + (layer.size ?? 0), 0);
  if (size > limits.bytes || layers.length > limits.files)
    throw badResponse(`the manifest has ${layers.length} layers with ${size} bytes, which is too much to pull`);

  let done = 0;
  const saw = (count: number) => {
    done += count;
    if (done > limits.bytes) throw badResponse('the layers are larger than 1 GiB');
    tell(done, size);
  };
  await inParallel(distinct, signal, async (layer, until) => {
    for (let failures = 1; ; failures++) {
      let seen = 0;
      const bytes = checked(layer, registry.blob(layer.digest, layer.size ?? 0, until), (count) => {
        seen += count;
        saw(count);
      });
      try {
        return await shelf.keep(fileNameOf(layer.digest), bytes);
      } catch (error) {
        until.throwIfAborted();
        await again(failures, error);
        saw(-seen);
      }
    }
  });

  const files: PulledFile[] = [];
  for (const layer of layers) {
    signal.throwIfAborted();
    const key = fileNameOf(layer.digest);
    // A layer is an archive if its type says so, or if it has no title and starts like a ZIP file.
    if (/[/+.-]zip$/i.test(layer.type) || (layer.title === undefined && (await shelf.isZip(key))))
      for (const file of await shelf.unpack(key)) files.push(file);
    // Without its folders, because the registry must not choose a folder.
    else files.push(await shelf.rename(key, layer.title?.split(/[/\\]/).at(-1) || key));
  }
  return { digest, files };
}

/**
 * Compares the manifest with the requested digest and with the digest that the registry reported. Returns the digest of
 * the manifest.
 */
function checkManifest(bytes: Uint8Array, reference: string, named: string | undefined): string {
  const wanted = [reference, named ?? ''].filter((one) => one.includes(':'));
  for (const one of wanted) {
    if (!isDigest(one)) throw badResponse(`the registry sent an invalid digest: ${one}`);
    const found = digestOf(bytes, one);
    if (found !== one) throw badResponse(`the manifest was altered in transit: its digest is ${found}, not ${one}`);
  }
  return wanted[0] ?? digestOf(bytes);
}

function layersOf(bytes: Uint8Array) {
  const manifest = parsed(bytes);
  if (Array.isArray(manifest.manifests))
    throw badResponse('the reference is an index of several manifests', 'Pull one of them by its digest.');
  if (!Array.isArray(manifest.layers) || manifest.layers.length === 0) throw badResponse('the manifest has no layers');
  return manifest.layers.map((layer: unknown) => {
    const { digest, size, mediaType, annotations } = fieldsOf(layer);
    if (typeof digest !== 'string' || !isDigest(digest)) throw badResponse('a layer of the manifest has no digest');
    if (size !== undefined && !(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0))
      throw badResponse(`the layer ${digest} has an invalid size`);
    const title = fieldsOf(annotations)[titleAnnotation];
    return {
      digest,
      size,
      type: typeof mediaType === 'string' ? mediaType : '',
      title: typeof title === 'string' ? title : undefined,
    };
  });
}

function parsed(bytes: Uint8Array): JsonObject {
  const read = () => fieldsOf(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  return orThrow(read, () => badResponse('the manifest is not JSON'));
}

/** Yields the bytes of a layer. Throws `bad_response` if they do not have the size and digest from the manifest. */
async function* checked({ digest, size }: Layer, bytes: AsyncIterable<Uint8Array>, saw: (count: number) => void) {
  const found = openDigest(digest);
  let count = 0;
  for await (const piece of bytes) {
    count += piece.byteLength;
    saw(piece.byteLength);
    if (size !== undefined && count > size) break;
    found.update(piece);
    yield piece;
  }
  if (size !== undefined && count !== size)
    throw badResponse(`the layer ${digest} has ${count > size ? 'more' : 'fewer'} than ${size} bytes`);
  const end = found.end();
  if (end !== digest) throw badResponse(`the layer ${digest} was altered in transit: its digest is ${end}`);
}

/**
 * Runs `work` for several items at the same time. The first failure aborts the others. It is thrown after all of them
 * have ended, so that nothing is written afterwards.
 */
async function inParallel<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const rest = [...items];
  const failed = new AbortController();
  const until = AbortSignal.any([signal, failed.signal]);
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      until.throwIfAborted();
      await work(item, until);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, () => worker().catch((error: unknown) => failed.abort(error))));
  until.throwIfAborted();
}

/** Pulling a revision: its manifest, its layers in parallel, each compared with its digest, and what they hold. */
import { fieldsOf, type JsonObject } from '../json-object.ts';
import {
  bad,
  digestOf,
  fileNameOf,
  isDigest,
  limits,
  openDigest,
  type Registry,
  titleAnnotation,
} from './registry.ts';

export interface PulledFile {
  readonly name: string;
  readonly size: number;
}

/** Where layers are kept, out of sight, and what becomes of them there. */
export interface Shelf {
  readonly keep: (key: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  /** Whether what is kept begins as a ZIP does. */
  readonly isZip: (key: string) => Promise<boolean>;
  readonly unpack: (key: string) => Promise<readonly PulledFile[]>;
  readonly rename: (key: string, name: string) => Promise<PulledFile>;
}

export interface Pulled {
  readonly digest: string;
  readonly files: readonly PulledFile[];
}

export interface Tools {
  readonly signal: AbortSignal;
  readonly tell: (done: number, size: number) => void;
  /** Waits before a layer is fetched once more after failure `count` (from 1), or throws `why`. */
  readonly again: (count: number, why: unknown) => Promise<void>;
}

interface Layer {
  readonly digest: string;
  readonly size: number | undefined;
  readonly type: string;
  readonly title: string | undefined;
}

const atOnce = 4;

/** Throws `bad_response` for whatever is not what its digest says, or does not belong into a folder. */
export async function pull(
  registry: Registry,
  reference: string,
  shelf: Shelf,
  { signal, tell, again }: Tools,
): Promise<Pulled> {
  const { bytes, named } = await registry.manifest(reference);
  const digest = checkManifest(bytes, reference, named);
  const layers = layersOf(bytes);
  const distinct = [...new Map(layers.map((layer) => [layer.digest, layer])).values()];
  const size = distinct.reduce((sum, layer) => sum + (layer.size ?? 0), 0);
  if (size > limits.bytes || layers.length > limits.files)
    throw bad(`the manifest names ${layers.length} layers of ${size} bytes, more than a pull takes`);

  let done = 0;
  const saw = (count: number) => {
    done += count;
    if (done > limits.bytes) throw bad('the layers are larger than 1 GiB');
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
    // A layer with a name of its own is a file, whatever it holds, unless its type says otherwise.
    if (/[/+.-]zip$/i.test(layer.type) || (layer.title === undefined && (await shelf.isZip(key))))
      files.push(...(await shelf.unpack(key)));
    else files.push(await shelf.rename(key, baseName(layer.title ?? '') || key));
  }
  return { digest, files };
}

/** The digest: the one that was asked for, else the one that the registry named. */
function checkManifest(bytes: Uint8Array, reference: string, named: string | undefined): string {
  const wanted = [reference, named ?? ''].filter((one) => one.includes(':'));
  for (const one of wanted) {
    if (!isDigest(one)) throw bad(`the registry names a digest that is none: ${one}`);
    const found = digestOf(bytes, one);
    if (found !== one)
      throw bad(`the manifest has the digest ${found}, not ${one}: it was changed on its way`);
  }
  return wanted[0] ?? digestOf(bytes);
}

function layersOf(bytes: Uint8Array): readonly Layer[] {
  const manifest = parsed(bytes);
  if (Array.isArray(manifest.manifests))
    throw bad('the reference is an index of several manifests', 'Pull one of them by its digest.');
  if (!Array.isArray(manifest.layers) || manifest.layers.length === 0)
    throw bad('the manifest names no layers');
  return manifest.layers.map((layer: unknown) => {
    const { digest, size, mediaType, annotations } = fieldsOf(layer);
    if (typeof digest !== 'string' || !isDigest(digest)) throw bad('a layer of the manifest has no digest');
    if (size !== undefined && !(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0))
      throw bad(`the layer ${digest} has a size that is none`);
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
  try {
    return fieldsOf(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    throw bad('the manifest is not JSON');
  }
}

/** Never a folder of the registry's choosing. */
const baseName = (title: string) => title.split(/[/\\]/).at(-1) ?? '';

/** The bytes of a layer, ended with an error where they are not what the manifest says. */
async function* checked(
  { digest, size }: Layer,
  bytes: AsyncIterable<Uint8Array>,
  saw: (count: number) => void,
): AsyncGenerator<Uint8Array> {
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
    throw bad(`the layer ${digest} has ${count > size ? 'more' : 'fewer'} than its ${size} bytes`);
  const end = found.end();
  if (end !== digest) throw bad(`the layer ${digest} has the digest ${end}: it was changed on its way`);
}

/** Some at once. The first failure ends the others, and is thrown when they have ended: nothing is written behind it. */
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
  await Promise.all(
    Array.from({ length: atOnce }, () => worker().catch((error: unknown) => failed.abort(error))),
  );
  until.throwIfAborted();
}

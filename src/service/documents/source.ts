/** Opens a document as it was sent or pushed: a single file, or a ZIP with the files that it refers to. */
import { messageOf, orThrow } from '../../caught.ts';
import { type ArchiveEntry, openArchive } from '../../documents/archive.ts';
import { bundle } from '../../documents/bundle.ts';
import { collectFiles, isSplit, type Opened, outsideFolder } from '../../documents/files.ts';
import { mayRefer } from '../../documents/pointer.ts';
import { readTree } from '../../documents/read-tree.ts';
import { textScalar, treeValue } from '../../documents/tree.ts';
import type { Strictness } from '../../documents/yaml.ts';
import { readAll } from '../../request/http.ts';
import { DOCUMENT_LIMIT, isZip } from '../data/contents.ts';
import { fieldsOf, type JsonObject } from '../http/fields.ts';
import { Refusal } from '../refusal.ts';
import { documentText, parseObject, refuseFault } from './document.ts';

export type Source = Awaited<ReturnType<typeof openSource>>;

/** The names of a document in error messages: its name, and the digest of its layer if it was pushed. */
export interface SourceNames {
  readonly name: string;
  readonly layer?: string;
}

/**
 * Opens a document. Throws Refusal if it is not a document. `whole` throws Refusal if a reference is broken. With
 * `exact`, long integers are bigints, and what JSON cannot represent is refused.
 */
export async function openSource(bytes: Buffer, names: SourceNames, exact = false) {
  const { name } = names;
  const level = exact ? 'json' : 'any';
  const packed = isZip(bytes) ? await openBundle(bytes, names) : undefined;
  const root = packed?.root ?? name;
  const text = (await packed?.read(root)) ?? documentText(bytes, name);
  const open = async (file: string): Promise<Opened> => {
    if (file.startsWith('../')) return outsideFolder;
    if (!packed) return { fault: 'was not sent with it' };
    const content = await packed.read(file);
    return content === undefined
      ? { fault: 'is not in the bundle' }
      : { tree: treeOf(content, file, `${file} of ${name}`, level) };
  };
  const object = parseObject(text, name, exact);
  return {
    /** The main document as it was sent. */
    text,
    /** The main document, parsed. */
    object,
    /** Returns one document that includes everything it refers to in other files. */
    whole: async (): Promise<JsonObject> => {
      if (!mayRefer(text)) return object;
      try {
        const files = await collectFiles(root, readTree(text, level).tree, open);
        return isSplit(files, root) ? fieldsOf(treeValue(bundle(root, files), exact)) : object;
      } catch (error) {
        throw refuseFault(name)(error);
      }
    },
  };
}

function treeOf(text: string, file: string, name: string, level: Strictness) {
  // A file without a JSON or YAML extension is plain text, such as a description.
  if (!/\.(json|ya?ml)$/i.test(file)) return textScalar(text);
  return orThrow(() => readTree(text, level).tree, refuseFault(name));
}

/** The maximum number of entries in a bundle, because each entry takes memory. Real bundles have fewer. */
const ENTRIES_LIMIT = 65_535;

async function openBundle(zip: Buffer, { name, layer }: SourceNames) {
  const refused = (error: unknown) => {
    throw new Refusal(422, `the layer ${layer ?? name} is not a readable ZIP: ${messageOf(error)}`);
  };
  let left = DOCUMENT_LIMIT;
  const unpacked = async (entry: ArchiveEntry): Promise<Uint8Array> => {
    const bytes = await readAll(entry.pieces(), left);
    if (!bytes) throw new Error(`${entry.name} is too large`);
    left -= bytes.byteLength;
    return bytes;
  };
  const open = async () => {
    const entries = new Map<string, ArchiveEntry>();
    for await (const entry of (await openArchive(zip)).entries()) {
      entries.set(entry.name, entry);
      if (entries.size > ENTRIES_LIMIT) throw new Error(`it has more than ${ENTRIES_LIMIT} entries`);
    }
    /** Throws Refusal if the total size of all files read so far exceeds the limit for a document. */
    const read = async (file: string) => {
      const entry = entries.get(file);
      return entry && documentText(await unpacked(entry).catch(refused), file);
    };
    return { root: rootOf([...entries.values()]), read };
  };
  return open().catch(refused);
}

/**
 * Returns the name of a bundle's main document, which is the document closest to the top. A client may rename it to
 * openapi.yaml. If other files refer to the original name, the client also includes the document under that name. In
 * that case, the original name is returned.
 */
function rootOf(all: readonly ArchiveEntry[]): string {
  const depth = ({ name }: ArchiveEntry) => name.split('/').length;
  const entries = [...all].sort((a, b) => depth(a) - depth(b));
  const entry =
    entries.find(({ name }) => /(^|\/)openapi\.(ya?ml|json)$/.test(name)) ??
    entries.find(({ name }) => /\.(ya?ml|json)$/.test(name));
  if (!entry) throw new Error('it has no openapi.yaml, openapi.yml or openapi.json');
  const folderOf = (name: string) => name.replace(/[^/]*$/, '');
  const { checksum, size } = entry;
  const alike = entries.filter((one) => one !== entry && one.checksum === checksum && one.size === size);
  return (alike.find((one) => folderOf(one.name) === folderOf(entry.name)) ?? entry).name;
}

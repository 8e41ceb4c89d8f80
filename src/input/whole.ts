/** Bundles an API document and the files that it refers to into one document. */
import { mayRefer } from '../documents/pointer.ts';
import { fieldsOf } from '../json-object.ts';
import type { FileValue, Operation } from '../operations/operation.ts';
import { bodyOfBytes } from '../request/http.ts';
import type { Bundled, DocumentContext, Read } from './references.ts';

const fields = ['$ref', '$dynamicRef', 'apping', 'externalValue', 'operationRef', '#/components/securitySchemes/'];

/** Whether a document may refer to other files. This quick check avoids parsing most documents. */
const mayBeSplit = (bytes: Buffer): boolean =>
  fields.some((name) => bytes.includes(name)) && mayRefer(bytes.toString('latin1'));

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength);

/** Bundles a document with the files that it refers to. Undefined if it refers to no other file. Throws `usage`. */
export async function bundleFiles(
  context: DocumentContext,
  path: string,
  bytes: Uint8Array,
  read?: Read,
): Promise<Bundled | undefined> {
  if (!mayBeSplit(bufferOf(bytes))) return undefined;
  return (await import('./references.ts')).bundleOf(context, path, bytes, read);
}

/**
 * Throws `usage` if a document without a path needs other files. `given` names its source, such as "a string". Returns a
 * warning if the document can be used without them.
 */
export async function refuseSplitBytes(bytes: Uint8Array, label: string, given: string): Promise<string | undefined> {
  return mayBeSplit(bufferOf(bytes)) ? (await import('./references.ts')).refuseSplit(bytes, label, given) : undefined;
}

/** Calls `refuseSplit` for each API document in a string field of the body. */
export async function refuseSplitIn(operation: Operation, body: unknown, label: string): Promise<void> {
  const given = fieldsOf(body);
  for (const [name, field] of Object.entries(operation.input))
    if (field.document && field.in === 'member' && typeof given[name] === 'string')
      await refuseSplitBytes(Buffer.from(given[name]), `${label}: ${name}`, 'a string');
}

/** Returns a copy of a file value whose content is the bundle. */
export const fileWith = (file: FileValue, { bytes, holds }: Bundled): FileValue => ({
  ...file,
  holds,
  size: bytes.byteLength,
  open: () => bodyOfBytes(bytes),
});

/** Lists all bundled files, which the user must see, because the document may come from somebody else. */
export const bundledText = (path: string, { holds }: Pick<Bundled, 'holds'>): string =>
  `sending ${path} as one document, merged with the files that it refers to: ${holds.join(', ')}`;

/** API documents that are sent: as they are, or as one with the files that they refer to. */

import { mayRefer } from '../documents/pointer.ts';
import { fieldsOf } from '../json-object.ts';
import type { FileValue, Operation } from '../operations/operation.ts';
import type { Bundled, Read } from './references.ts';

/** Cheap, as most documents are in one file. */
const mayBeSplit = (bytes: Buffer): boolean =>
  (bytes.includes('$ref') || bytes.includes('mapping')) && mayRefer(bytes.toString('latin1'));

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The one document to send in place of the document at a path; undefined if that is sent as it is. Throws `usage`. */
export async function bundled(path: string, bytes: Uint8Array, read?: Read): Promise<Bundled | undefined> {
  if (!mayBeSplit(bufferOf(bytes))) return undefined;
  const { bundleOf, readWhole } = await import('./references.ts');
  return bundleOf(path, bytes, read ?? ((one) => readWhole(one, one)));
}

/** Throws `usage` for a document without a folder that refers to other files. `given` says what has none. */
export async function refuseSplit(bytes: Uint8Array, label: string, given: string): Promise<void> {
  if (mayBeSplit(bufferOf(bytes))) (await import('./references.ts')).refuseSplit(bytes, label, given);
}

/** The same for documents that stand in a body as texts. */
export async function refuseSplitIn(operation: Operation, body: unknown, label: string): Promise<void> {
  const members = fieldsOf(body);
  for (const [name, field] of Object.entries(operation.input))
    if (field.document && field.in === 'member' && typeof members[name] === 'string')
      await refuseSplit(Buffer.from(members[name]), `${label}: ${name}`, 'a text');
}

/** A file with other content. */
export const fileWith = (file: FileValue, { bytes, holds }: Bundled): FileValue => ({
  ...file,
  holds,
  size: bytes.byteLength,
  open: async function* () {
    yield bytes;
  },
});

/** All files by their names: a document may be somebody else's, and the user sees what it takes along. */
export const bundledText = (path: string, { holds }: Pick<Bundled, 'holds'>): string =>
  `${path} is sent as one document with the files that it refers to: ${holds.join(', ')}`;

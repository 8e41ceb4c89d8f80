/** What a service sent, against what it must be: the digests of the registry, one suggestion for each item. */

import { DtpError } from '../errors.ts';
import { fieldsOf } from '../json-object.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { jsonBody } from '../request/build.ts';
import { digestIn, verified } from '../request/digest.ts';
import type { Value } from '../request/read.ts';

/** The reference of getManifest and getBlob: the one is a tag or a digest, the other a digest. */
const references: Readonly<Record<string, { readonly field: string; readonly what: string }>> = {
  getManifest: { field: 'revision_reference', what: 'the manifest' },
  getBlob: { field: 'digest', what: 'the blob' },
};

/**
 * The value. Its bytes end in an error where they are not what was asked for or what the registry said they were. Throws
 * `bad_response` for suggestions that do not belong to the items that were sent.
 */
export function verifiedValue(operation: Operation, input: Input, value: Value): Value {
  if (isCheckedWhole(operation) && value.kind === 'json') checkSuggestions(operation, input, value);
  const reference = references[operation.id];
  if (value.kind !== 'bytes' || !reference) return value;
  const digests = [String(input[reference.field]), value.digest ?? ''].flatMap((one) => digestIn(one) ?? []);
  return { ...value, body: verified(value.body, digests, reference.what) };
}

/** Whether an answer has to be read to its end before a row of it can be shown. */
export const isCheckedWhole = ({ id }: Operation): boolean => id === 'suggestItems';

/** One string for each item, always (api.md, Suggest): of another number, nobody could say which belongs to which. */
function checkSuggestions(
  operation: Operation,
  input: Input,
  { status, value: answer }: Extract<Value, { readonly kind: 'json' }>,
): void {
  const { id, method, path } = operation;
  const bad = (what: string) =>
    new DtpError('bad_response', `${status} from ${method} ${path}: ${what}`, {
      ...{ status, operation: id, method, path, attempts: 1 },
    });
  if (!Array.isArray(answer) || !answer.every((one) => typeof one === 'string'))
    throw bad('the answer is not a list of strings');
  const { items } = fieldsOf(jsonBody(operation, input));
  if (Array.isArray(items) && items.length !== answer.length)
    throw bad(`sent ${items.length} items, got ${answer.length} suggestions`);
}

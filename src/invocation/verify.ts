/** Verifies responses: the digests of manifests and blobs, and the number of suggestions. */
import { DtpError } from '../errors.ts';
import { fieldsOf } from '../json-object.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { jsonBody } from '../request/build.ts';
import { digestIn, verifyDigests } from '../request/digest.ts';
import type { Value } from '../request/read.ts';

/**
 * Returns the value. Reading its bytes fails if they do not match the requested digest or the digest in the response.
 * Throws `bad_response` unless there is one suggestion for each item that was sent.
 */
export function verifiedValue(operation: Operation, input: Input, value: Value): Value {
  if (operation.isPerItem && value.kind === 'json') checkSuggestions(operation, input, value);
  const { digest } = operation;
  if (value.kind !== 'bytes' || !digest) return value;
  const digests = [String(input[digest.field]), value.digest ?? ''].flatMap((one) => digestIn(one) ?? []);
  return { ...value, body: verifyDigests(value.body, digests, digest.what) };
}

/**
 * Throws `bad_response` unless the response has one string per item (api.md, Suggest). With any other number, it is
 * unclear which suggestion belongs to which item.
 */
function checkSuggestions(
  operation: Operation,
  input: Input,
  { status, value }: Extract<Value, { readonly kind: 'json' }>,
): void {
  const answer = value ?? [];
  const { id, method, path } = operation;
  const bad = (what: string) =>
    new DtpError('bad_response', `${status} from ${method} ${path}: ${what}`, {
      ...{ status, operation: id, method, path, attempts: 1 },
    });
  if (!Array.isArray(answer) || !answer.every((one) => typeof one === 'string'))
    throw bad('the response is not a list of strings');
  const { items } = fieldsOf(jsonBody(operation, input));
  if (Array.isArray(items) && items.length !== answer.length)
    throw bad(`sent ${items.length} items, got ${answer.length} suggestions`);
}

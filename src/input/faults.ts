/** Explains the faults of documents. */
import { orThrow } from '../caught.ts';
import { DocumentFault, decodeText } from '../documents/fault.ts';
import { DtpError } from '../errors.ts';

/** Returns a function that makes the fault of the document `name` an error of kind `usage`. Other errors are kept. */
export const explainFault =
  (name: string, hint?: string) =>
  (error: unknown): unknown => {
    if (!(error instanceof DocumentFault)) return error;
    const advice = error.hint ?? hint;
    return new DtpError('usage', error.about(name), { cause: error, ...(advice && { hint: advice }) });
  };

/** Decodes UTF-8. Throws `usage`, which starts with `name`, for anything else. */
export const decodedText = (bytes: Uint8Array, name: string): string =>
  orThrow(() => decodeText(bytes), explainFault(name));

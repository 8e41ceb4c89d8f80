/** The faults of documents, and the check of their encoding. The YAML parser is not loaded for these. */

import { pointerTo } from './pointer.ts';

/** Why a document cannot be used, phrased to follow its name: `has at least two documents`. */
export class DocumentFault extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }

  /** Returns the whole sentence about the document `name`. */
  about(name: string): string {
    return `${name} ${this.message}`;
  }
}

export class BrokenReference extends DocumentFault {
  constructor(
    from: { readonly name: string; readonly keys: readonly string[] },
    reference: string,
    fault: string,
    hint?: string,
  ) {
    super(`${from.name} refers to ${reference}, which ${fault} (at ${pointerTo(from.keys)})`, hint);
  }

  /** The message already names the file with the reference. */
  override about(): string {
    return this.message;
  }
}

/** Decodes UTF-8 and removes a byte order mark. Throws DocumentFault for anything else. */
export function decodeText(bytes: Uint8Array): string {
  if (isUtf16(bytes)) throw new DocumentFault('is UTF-16 text, not UTF-8', 'Save it as UTF-8.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DocumentFault('is not UTF-8 text');
  }
}

/** UTF-16 begins with a byte order mark, or has a zero next to its first character. No UTF-8 text begins like this. */
export const isUtf16 = ([first, second]: Uint8Array): boolean =>
  second !== undefined &&
  ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || (first === 0) !== (second === 0));

/** Encodes a form as multipart/form-data (RFC 7578). Unlike FormData, its length is known, and files are streamed. */
import type { FileValue } from '../operations/operation.ts';
import type { Body } from './http.ts';

export type FormField =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly file: FileValue };

/** Returns the form as a body of known size. Each `open` reads the files again. */
export function multipart(parts: readonly FormField[], boundary: string): Body {
  const pieces: (Uint8Array | FileValue)[] = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`),
    'file' in part ? part.file : Buffer.from(part.text),
    Buffer.from('\r\n'),
  ]);
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    size: pieces.reduce((sum, piece) => sum + ('open' in piece ? piece.size : piece.byteLength), 0),
    open: async function* () {
      for (const piece of pieces) {
        if ('open' in piece) yield* piece.open();
        else yield piece;
      }
    },
  };
}

function headOf(part: FormField): string {
  const name = `content-disposition: form-data; name="${quoted(part.name)}"`;
  if ('text' in part) return name;
  return `${name}; filename="${quoted(part.file.name)}"\r\ncontent-type: application/octet-stream`;
}

/** Escapes a name as browsers do (HTML standard), so that a quote or a line break cannot end the name. */
const quoted = (name: string) => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

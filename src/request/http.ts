/** Defines HTTP requests and responses as plain values, the functions that send them, and how to read a whole body. */
import { ignoring } from '../caught.ts';
import { DtpError } from '../errors.ts';

/** The body of a request: bytes, or a source that can be opened again for each attempt. `size` is in bytes. */
export type Body = Uint8Array | { readonly size: number; readonly open: () => AsyncIterable<Uint8Array> };

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
  /** The IP address of the client. Only a server knows it. */
  readonly client?: string | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** The headers by their names in lower case. Repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** The number of attempts, if retries were allowed. */
  readonly attempts?: number;
  /** The wait that the Retry-After header asks for, in milliseconds (RFC 9110 §10.2.3). */
  readonly waitMs?: number;
}

interface Sending {
  readonly signal: AbortSignal;
  /** The service calls this when it knows that the credential is valid, which may be long before the response. */
  readonly known?: (() => void) | undefined;
}

/** Sends one request and returns the response, whatever its status. Throws a DtpError if no response arrives. */
export type Send = (request: HttpRequest, options: Sending) => Promise<HttpResponse>;

export async function* bodyOfBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength > 0) yield bytes;
}

interface Passing {
  /** Called before each piece is read. */
  readonly before?: (() => Promise<void>) | undefined;
  /** Called with each piece before it is passed on. */
  readonly see?: (piece: Uint8Array) => void;
  /** Called once: with true at the end of the body, and with false if something fails or the reader stops. */
  readonly end?: (isWhole: boolean) => void;
}

/** Passes a body on. */
export function passedOn(body: AsyncIterable<Uint8Array>, { before, see, end }: Passing): AsyncIterable<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  let isOver = false;
  const finish = async (isWhole: boolean) => {
    if (!isOver) end?.(isWhole);
    isOver = true;
    if (!isWhole) await pieces.return?.();
    return { done: true, value: undefined } as const;
  };
  const next = async () => {
    try {
      await before?.();
      const found = await pieces.next();
      if (found.done) return await finish(true);
      see?.(found.value);
      return found;
    } catch (error) {
      await finish(false);
      throw error;
    }
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => finish(false) }) };
}

/** Returns the whole body, or undefined if it is longer than `limit` bytes. */
export async function readAll(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

/** Reads a body whose content is not needed, so that an incomplete one throws. Undefined if it cannot be decoded. */
export const readUnneeded = (body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array | undefined> =>
  readAll(body, limit).catch(ignoring((error) => error instanceof DtpError && error.facts.isUndecodable === true));

/** Checks a header value (RFC 9110 §5.5): only visible ASCII characters with spaces between them. Throws `usage`. */
export function headerValue(name: string, value: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value)) return value;
  throw new DtpError('usage', `${name} must be visible ASCII characters`);
}

/** Whether a decoded body is nested deeper than `limit`. The limit also limits the recursion. */
export function isDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((child) => limit === 0 || isDeeper(child, limit - 1));
}

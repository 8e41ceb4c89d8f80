/** A request, a response and the one function type between them. Plain values: no HTTP client is known here. */
import { DtpError } from '../errors.ts';

/** Bytes, or something that opens them afresh for each attempt. `size` in bytes. */
export type Body = Uint8Array | { readonly size: number; readonly open: () => AsyncIterable<Uint8Array> };

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; several of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** How often the request was sent, where more than once was allowed. */
  readonly attempts?: number;
  /** How long the service asks to be left alone, in milliseconds: its Retry-After header (RFC 9110 §10.2.3). */
  readonly waitMs?: number;
}

/** Sends one request. Throws a DtpError where no response came; a response of any status is returned. */
export type Send = (request: HttpRequest, options: { readonly signal: AbortSignal }) => Promise<HttpResponse>;

/** The whole body, or undefined where it is longer than `limit` bytes. */
export async function readAll(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

/** A body of which nothing is needed but that it came to its end; undefined also where it cannot be decoded. */
export const readUnneeded = (
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array | undefined> =>
  readAll(body, limit).catch((error: unknown) => {
    if (error instanceof DtpError && error.facts.isUndecodable) return undefined;
    throw error;
  });

/** RFC 9110 §5.5, narrowed to visible ASCII and spaces between. Throws `usage` for anything else. */
export function headerValue(name: string, value: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value)) return value;
  throw new DtpError('usage', `${name} must be visible ASCII characters`);
}

/** Whether a decoded body is nested deeper than `limit`. The limit is what bounds the stack. */
export function isDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((child) => limit === 0 || isDeeper(child, limit - 1));
}

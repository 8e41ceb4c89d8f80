/** Downloads a signed URL to a file: without a credential, verified, and atomically. */
import type { Context } from '../../context.ts';
import { DtpError, type ErrorCode } from '../../errors.ts';
import { unneededLimit } from '../../limits.ts';
import { isRetryable } from '../../operations/retry-rules.ts';
import { withSpinner } from '../../output/progress.ts';
import { type ParsedDigest, verifyDigests } from '../../request/digest.ts';
import { type HttpResponse, passedOn, readUnneeded, type Send } from '../../request/http.ts';
import { codeOf } from '../../request/read.ts';
import { isLoopback } from '../../request/url.ts';

export interface Download {
  readonly context: Context;
  /** Carries no credential. */
  readonly send: Send;
  readonly url: string;
  /** Whether the URL belongs to the embedded service (`local:`), which has no host. */
  readonly inProcess: boolean;
  readonly digests: readonly ParsedDigest[];
  /** An absolute path. */
  readonly file: string;
  readonly replace: boolean;
  readonly signal: AbortSignal;
}

const redirects: readonly number[] = [301, 302, 303, 307, 308];
const hopLimit = 5;

/** Whether nobody on the network can read the signature of a URL or change the response. */
export function isSafe(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** For messages: the scheme and host of a URL, without its secret parts. */
export function originText(url: string): string {
  if (!URL.canParse(url)) return 'an invalid URL';
  const { protocol, host } = new URL(url);
  return host === '' ? protocol : `${protocol}//${host}`;
}

/** Returns the number of bytes written. */
export async function download(from: Download): Promise<number> {
  const { context, digests, file, replace } = from;
  const { writeNamedFile } = await import('../../files/output.ts');
  let bytes = 0;
  await withSpinner(context, 'downloading the report', async (show) => {
    const { headers, body } = await followRedirects(from);
    const length = Number(headers['content-length'] ?? Number.NaN);
    const size = Number.isNaN(length) ? undefined : length;
    const see = ({ byteLength }: Uint8Array) => {
      bytes += byteLength;
      show({ done: bytes, total: size });
    };
    await writeNamedFile(context, file, passedOn(verifyDigests(body, digests, 'the report'), { see }), { replace });
  });
  return bytes;
}

/** Follows at most five redirects and checks each URL first. */
export async function followRedirects(from: Pick<Download, 'send' | 'url' | 'inProcess' | 'signal'>) {
  const { send, inProcess, signal } = from;
  let { url } = from;
  for (let hop = 0; ; hop++) {
    if (!(inProcess ? url.startsWith('local:/') : isSafe(url))) {
      const text = `the signed URL points to ${originText(url)}, which is neither https nor loopback`;
      throw new DtpError('bad_response', text);
    }
    const response = await send({ method: 'GET', url, headers: { accept: '*/*' } }, { signal });
    if (isFile(response)) return response;
    await readUnneeded(response.body, unneededLimit.bytes);
    const { location } = response.headers;
    if (!redirects.includes(response.status) || location === undefined) throw refused(url, response);
    if (hop === hopLimit) throw new DtpError('bad_response', `the signed URL redirects more than ${hopLimit} times`);
    url = URL.canParse(location, url) ? new URL(location, url).href : location;
  }
}

/** Any 2xx status, except those without a body and except partial content, which was not requested. */
const isFile = ({ status }: HttpResponse): boolean =>
  status >= 200 && status < 300 && ![204, 205, 206].includes(status);

/** Does not quote the response body, because file stores repeat the signature in it. */
function refused(url: string, { status }: HttpResponse): DtpError {
  const isOver = [400, 401, 403, 404, 410].includes(status);
  const why = isOver ? 'the URL is invalid or has expired' : 'the response is not a report';
  return new DtpError(codeIn(status), `${status} from the signed URL at ${originText(url)}: ${why}`, {
    status,
    method: 'GET',
    path: new URL(url).pathname,
    retryable: isRetryable(status),
    ...(isOver ? { hint: 'Run the command again for a new URL.' } : {}),
  });
}

/** A 401 is not reported as `auth`, because no credential was sent. */
const codeIn = (status: number): ErrorCode =>
  status === 401 ? 'forbidden' : status < 300 ? 'bad_response' : codeOf(status);

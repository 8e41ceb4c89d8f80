/** A signed address → a file: fetched without a credential, verified, and whole or not there. */
import type { Context } from '../../context.ts';
import { DtpError, type ErrorCode } from '../../errors.ts';
import { unneededLimit } from '../../limits.ts';
import { withSpinner } from '../../output/progress.ts';
import { bytesText } from '../../render/amounts.ts';
import { type Digest, verified } from '../../request/digest.ts';
import { type HttpResponse, readUnneeded, type Send } from '../../request/http.ts';
import { codeOf, isPassing } from '../../request/read.ts';
import { isLoopback } from '../../request/url.ts';

export interface Download {
  readonly context: Context;
  /** Carries no credential. */
  readonly send: Send;
  readonly address: string;
  /** Whether the address is one of the embedded service in process, which has no host. */
  readonly inProcess: boolean;
  readonly digests: readonly Digest[];
  /** Absolute. */
  readonly file: string;
  readonly replace: boolean;
  readonly signal: AbortSignal;
}

const redirects: readonly number[] = [301, 302, 303, 307, 308];
const hopLimit = 5;

/** Whether an address may be fetched or shown: nobody on the way can read its signature, or change what comes. */
export function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** For messages: where an address leads, without what is secret in it. */
export function placeOf(address: string): string {
  if (!URL.canParse(address)) return 'an address that is none';
  const { protocol, host } = new URL(address);
  return host === '' ? protocol : `${protocol}//${host}`;
}

/** The number of bytes that were written. */
export async function download(from: Download): Promise<number> {
  const { context, digests, file, replace } = from;
  const { writeFileWhole } = await import('../../store/files.ts');
  let bytes = 0;
  await withSpinner(context, 'Fetch the report', async (show) => {
    const start = context.clock.now();
    const { headers, body } = await follow(from);
    const length = Number(headers['content-length'] ?? Number.NaN);
    const size = Number.isNaN(length) ? undefined : length;
    const told = async function* () {
      for await (const chunk of verified(body, digests, 'the report')) {
        bytes += chunk.byteLength;
        show(`Fetch the report: ${bytesText(bytes, size, context.clock.now() - start)}`);
        yield chunk;
      }
    };
    await writeFileWhole(file, told(), { replace });
  });
  return bytes;
}

/** The answer at the end of at most five redirects, each looked at before it is followed. */
async function follow({ send, address: first, inProcess, signal }: Download): Promise<HttpResponse> {
  let address = first;
  for (let hop = 0; ; hop++) {
    if (!(inProcess ? address.startsWith('local:/') : isSafe(address)))
      throw new DtpError(
        'bad_response',
        `the signed address leads to ${placeOf(address)}, which is neither https nor loopback`,
      );
    const response = await send({ method: 'GET', url: address, headers: { accept: '*/*' } }, { signal });
    if (isFile(response)) return response;
    await readUnneeded(response.body, unneededLimit.bytes);
    const { location } = response.headers;
    if (!redirects.includes(response.status) || location === undefined) throw refused(address, response);
    if (hop === hopLimit)
      throw new DtpError('bad_response', `the signed address redirects more than ${hopLimit} times`);
    address = URL.canParse(location, address) ? new URL(location, address).href : location;
  }
}

/** Any 2XX, except those without a body, and except a part of the file that was not requested. */
const isFile = ({ status }: HttpResponse): boolean =>
  status >= 200 && status < 300 && ![204, 205, 206].includes(status);

/** Its text is left out: stores of files repeat the signature in it. */
function refused(address: string, { status }: HttpResponse): DtpError {
  const isOver = [400, 401, 403, 404, 410].includes(status);
  const why = isOver ? 'it has expired, or is not valid' : 'that is no report';
  return new DtpError(codeIn(status), `${status} from the signed address at ${placeOf(address)}: ${why}`, {
    status,
    method: 'GET',
    path: new URL(address).pathname,
    retryable: isPassing(status),
    ...(isOver ? { hint: 'Run the command again for a fresh one.' } : {}),
  });
}

/** A 401 is none of the credential's, which was not sent. */
const codeIn = (status: number): ErrorCode =>
  status === 401 ? 'forbidden' : status < 300 ? 'bad_response' : codeOf(status);

/** Sends the requests of the OCI Distribution Specification to the registry, under the API's path prefix. */
import type { Context } from '../../context.ts';
import { DtpError, withFacts } from '../../errors.ts';
import { badResponse, manifestType, type Registry, type UploadProgress } from '../../flows/registry.ts';
import { deadlineIn, timeFor, withDeadline } from '../../invocation/deadline.ts';
import { operationsFor } from '../../operations/areas.ts';
import { type HttpRequest, type HttpResponse, readAll, readUnneeded, type Send } from '../../request/http.ts';
import { readResponse } from '../../request/read.ts';
import { originOf, pathOf, urlOf } from '../../request/url.ts';

export interface RemoteRepository {
  readonly organization: string;
  readonly workspace: string;
  readonly namespace: string;
}

const template = '/v1/oci/v2/{organization}/{workspace}/{namespace}';
const manifestLimit = 4 * 1024 * 1024;

/** The accepted statuses of reads: any 2xx, as for every operation. The digest shows whether the content is correct. */
const success = Array.from({ length: 100 }, (_, index) => 200 + index);

/** The accepted statuses of writes: any 2xx except 200, which a server that is not a registry may send. */
const written = success.slice(1);

/** Returns a time limit in milliseconds: one minute, plus the time to transfer this number of bytes. */
const patience = (bytes: number) => 60_000 + timeFor(bytes);

export const registryUrl = (base: string, repository: RemoteRepository, rest: string, value: string): string =>
  urlOf(base, pathOf(template + rest, { ...repository, value }), '');

export function openRegistry(
  context: Pick<Context, 'clock'>,
  { send, base, signal }: { readonly send: Send; readonly base: string; readonly signal: AbortSignal },
  repository: RemoteRepository,
): Registry {
  const endpoint = (rest: string, value = '-') => registryUrl(base, repository, rest, value);
  /** Sends a request with a separate deadline. Passes the response to `take` if its status is one of `expected`. */
  const exchange = async <T>(
    request: HttpRequest,
    expected: readonly number[],
    take: (response: HttpResponse) => Promise<T>,
  ): Promise<T> => {
    const { body } = request;
    const ms = patience(body && 'size' in body ? body.size : 0);
    return withDeadline(context, ms, signal, async (until) => {
      const response = await send(request, { signal: until });
      return take(await checked(response, request, expected));
    }).catch((error: unknown) => Promise.reject(named(error, request)));
  };
  /** Sends an upload request and returns the progress, which is `sent` bytes if the response does not report it. */
  const uploading = (request: HttpRequest, expected: readonly number[], sent: number): Promise<UploadProgress> =>
    exchange(request, expected, async (response) => {
      await readUnneeded(response.body, manifestLimit);
      return progressIn(response, request, sent);
    });
  const put = (url: string, headers: HttpRequest['headers'], body: Uint8Array) =>
    exchange({ method: 'PUT', url, headers, body }, written, (response) => readUnneeded(response.body, manifestLimit));

  return {
    manifest: async (reference) => {
      const url = endpoint('/manifests/{value}', reference);
      const request = { method: 'GET', url, headers: { accept: manifestType } };
      return exchange(request, success, async ({ headers, body }) => {
        const bytes = await readAll(body, manifestLimit);
        if (!bytes) throw badResponse('the manifest is longer than 4 MiB');
        return { bytes, named: headers['docker-content-digest'] };
      });
    },
    blob: async function* (digest, size, until) {
      const request = { method: 'GET', url: endpoint('/blobs/{value}', digest), headers: { accept: '*/*' } };
      const deadline = deadlineIn(context, patience(size), until);
      try {
        const response = await send(request, { signal: deadline.signal });
        for await (const piece of (await checked(response, request, success)).body) {
          // Check the signal, because the embedded service does not react to it.
          deadline.signal.throwIfAborted();
          yield piece;
        }
      } catch (error) {
        throw named(error, request);
      } finally {
        deadline.end();
      }
    },
    hasBlob: async (digest, size) => {
      const request = { method: 'HEAD', url: endpoint('/blobs/{value}', digest), headers: {} };
      return exchange(request, [...success, 404], async ({ status, headers, body }) => {
        await readUnneeded(body, manifestLimit);
        const length = headers['content-length'];
        if (status !== 404 && length !== undefined && Number(length) !== size)
          throw badResponse(`the registry has ${length} bytes for this digest instead of ${size}`);
        return status !== 404;
      });
    },
    startUpload: async () => {
      const url = `${endpoint('/blobs/uploads')}/`;
      const request = { method: 'POST', url, headers: {}, body: new Uint8Array() };
      return (await uploading(request, [202, ...written], 0)).location;
    },
    sendChunk: async (url, { from, size, open }) => {
      const headers = { 'content-type': 'application/octet-stream', 'content-range': `${from}-${from + size - 1}` };
      return uploading({ method: 'PATCH', url, headers, body: { size, open } }, [202, ...written], from + size);
    },
    progressOf: (url) => uploading({ method: 'GET', url, headers: { accept: '*/*' } }, success, 0),
    endUpload: async (location, digest) => {
      const url = `${location}${location.includes('?') ? '&' : '?'}digest=${encodeURIComponent(digest)}`;
      await put(url, {}, new Uint8Array());
    },
    putManifest: (reference, body) =>
      put(endpoint('/manifests/{value}', reference), { 'content-type': manifestType }, body),
  };
}

/** Returns the response if its status is expected. Else throws an operation's error, or `bad_response` for a 2xx. */
async function checked(response: HttpResponse, request: HttpRequest, expected: readonly number[]) {
  const { status } = response;
  if (expected.includes(status)) return response;
  if (status < 200 || status > 299) await readResponse(operationsFor('artifacts').getBlob, response, request);
  const text = `${status} from ${request.method} ${new URL(request.url).pathname}, expected ${expected[0]}`;
  throw new DtpError('bad_response', text, {
    status,
    hint: 'Check that the base URL leads to a service with a registry.',
  });
}

const named = (error: unknown, { method, url }: HttpRequest) =>
  withFacts(error, { method, path: new URL(url).pathname, attempts: 1 });

/** Returns where the upload continues, and the bytes that the registry has: `0-99` means 100. Throws `bad_response`. */
function progressIn({ headers }: HttpResponse, request: HttpRequest, sent: number): UploadProgress {
  const { location = request.url, range } = headers;
  if (!URL.canParse(location, request.url)) throw badResponse('the registry sent an invalid upload URL');
  const url = new URL(location, request.url).href;
  if (originOf(url) !== originOf(request.url))
    throw new DtpError('bad_response', `the registry moved the upload to ${new URL(url).origin}`, {
      hint: 'The token is only sent to the base URL.',
    });
  if (range === undefined) return { location: url, size: sent };
  const [, last] = /^(?:bytes=)?0-(\d{1,15})$/.exec(range) ?? [];
  if (last === undefined) throw badResponse(`the registry sent an invalid Range header: ${range}`);
  // `0-0` can mean zero bytes or one, so assume zero. If it is one, the registry rejects the next chunk.
  return { location: url, size: last === '0' ? 0 : Number(last) + 1 };
}

/** A registry over HTTP: the requests of the OCI Distribution Specification under the API's own prefix. */
import type { Context } from '../../context.ts';
import { DtpError, withFacts } from '../../errors.ts';
import { bad, manifestType, type Progress, type Registry } from '../../flows/registry.ts';
import { operations } from '../../operations/index.ts';
import { type HttpRequest, type HttpResponse, readAll, type Send } from '../../request/http.ts';
import { readResponse } from '../../request/read.ts';
import { originOf, pathOf, urlOf } from '../../request/url.ts';
import { deadlineIn, timeFor } from '../deadline.ts';

export interface Repository {
  readonly organization: string;
  readonly workspace: string;
  readonly namespace: string;
}

const template = '/v1/oci/v2/{organization}/{workspace}/{namespace}';
const manifestLimit = 4 * 1024 * 1024;

/** Milliseconds that a request may take: a minute, and longer the more it carries. */
const patience = (bytes: number) => 60_000 + timeFor(bytes);

export const addressOf = (base: string, repository: Repository, rest: string, value: string): string =>
  urlOf(base, pathOf(template + rest, { ...repository, value }), '');

export function openRegistry(
  context: Pick<Context, 'clock'>,
  send: Send,
  base: string,
  repository: Repository,
  signal: AbortSignal,
): Registry {
  const address = (rest: string, value = '-') => addressOf(base, repository, rest, value);
  /** Sends, and gives an answer of 2XX or of `also` to `read`. Each request has a deadline of its own. */
  const exchange = async <T>(
    request: HttpRequest,
    read: (response: HttpResponse) => Promise<T>,
    also?: number,
  ): Promise<T> => {
    const { body } = request;
    const deadline = deadlineIn(context, patience(body && 'size' in body ? body.size : 0), signal);
    try {
      const response = await send(request, { signal: deadline.signal });
      return await read(response.status === also ? response : await accepted(response, request));
    } catch (error) {
      throw named(error, request);
    } finally {
      deadline.end();
    }
  };
  const uploading = (request: HttpRequest): Promise<Progress> =>
    exchange(request, async (response) => {
      await readAll(response.body, manifestLimit);
      return progressIn(response, request);
    });

  return {
    manifest: async (reference) => {
      const request = {
        method: 'GET',
        url: address('/manifests/{value}', reference),
        headers: { accept: manifestType },
      };
      return exchange(request, async ({ headers, body }) => {
        const bytes = await readAll(body, manifestLimit);
        if (!bytes) throw bad('the manifest is longer than 4 MiB');
        return { bytes, named: headers['docker-content-digest'] };
      });
    },
    blob: async function* (digest, size, until) {
      const request = { method: 'GET', url: address('/blobs/{value}', digest), headers: { accept: '*/*' } };
      const deadline = deadlineIn(context, patience(size), until);
      try {
        const response = await send(request, { signal: deadline.signal });
        for await (const piece of (await accepted(response, request)).body) {
          // In process nothing else hears of it.
          deadline.signal.throwIfAborted();
          yield piece;
        }
      } catch (error) {
        throw named(error, request);
      } finally {
        deadline.end();
      }
    },
    hasBlob: async (digest) => {
      const request = { method: 'HEAD', url: address('/blobs/{value}', digest), headers: {} };
      const read = async ({ status, body }: HttpResponse) => {
        await readAll(body, manifestLimit);
        return status !== 404;
      };
      return exchange(request, read, 404);
    },
    startUpload: async () => {
      const url = `${address('/blobs/uploads')}/`;
      return (await uploading({ method: 'POST', url, headers: {}, body: new Uint8Array() })).location;
    },
    sendChunk: async (url, { from, size, open }) => {
      const headers = {
        'content-type': 'application/octet-stream',
        'content-range': `${from}-${from + size - 1}`,
      };
      return uploading({ method: 'PATCH', url, headers, body: { size, open } });
    },
    progressOf: (url) => uploading({ method: 'GET', url, headers: { accept: '*/*' } }),
    endUpload: async (location, digest) => {
      const url = `${location}${location.includes('?') ? '&' : '?'}digest=${encodeURIComponent(digest)}`;
      await exchange({ method: 'PUT', url, headers: {}, body: new Uint8Array() }, ({ body }) =>
        readAll(body, manifestLimit),
      );
    },
    putManifest: async (reference, body) => {
      const url = address('/manifests/{value}', reference);
      const headers = { 'content-type': manifestType };
      await exchange({ method: 'PUT', url, headers, body }, (response) =>
        readAll(response.body, manifestLimit),
      );
    },
  };
}

/** Any other status is thrown as it is of every operation. */
async function accepted(response: HttpResponse, request: HttpRequest): Promise<HttpResponse> {
  if (response.status < 200 || response.status > 299)
    await readResponse(operations.getBlob, response, request);
  return response;
}

const named = (error: unknown, { method, url }: HttpRequest) =>
  withFacts(error, { method, path: new URL(url).pathname, attempts: 1 });

/** Where the upload goes on, and how much of it is there: `Range: 0-99` is 100 bytes. */
function progressIn({ headers }: HttpResponse, request: HttpRequest): Progress {
  const { location = request.url, range = '0-0' } = headers;
  if (!URL.canParse(location, request.url)) throw bad('the registry names an upload that is no address');
  const url = new URL(location, request.url).href;
  if (originOf(url) !== originOf(request.url))
    throw new DtpError('bad_response', `the upload would go on at ${new URL(url).origin}`, {
      hint: 'The token belongs to the base address alone, and is sent nowhere else.',
    });
  const [, last] = /^(?:bytes=)?0-(\d{1,15})$/.exec(range) ?? [];
  if (last === undefined) throw bad(`the registry names a range that is none: ${range}`);
  // Nothing and a single byte are told alike; a chunk behind that byte is refused, and the upload begun anew.
  return { location: url, size: last === '0' ? 0 : Number(last) + 1 };
}

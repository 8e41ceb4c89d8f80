/** Records the newest requests to the service for the page, with their bodies unless these are large. */
import { type HttpRequest, type HttpResponse, passedOn, type Send } from '../../request/http.ts';
import type { Caller, StoreScope } from '../handler.ts';
import { operationIdOf } from '../http/faults.ts';
import { splitUrl } from '../http/router.ts';
import { callerOf, credentialsOf } from '../tenancy/credentials.ts';
import type { Viewer } from './sessions.ts';

const REQUESTS_LIMIT = 200;

/** The largest body that is stored, in bytes. 200 requests with two bodies each take at most 6.6 MB. */
const BODY_LIMIT = 16 * 1024;

export interface KeptBody {
  /** Undefined if the body is larger than BODY_LIMIT. */
  readonly bytes: Buffer | undefined;
  /** In bytes. */
  readonly size: number;
}

export interface KeptRequest extends Pick<HttpRequest, 'method' | 'url' | 'headers'> {
  readonly number: number;
  readonly at: Date;
  readonly path: string;
  readonly operation: string | undefined;
  readonly owner: Caller;
  body: KeptBody;
  /** Undefined if there is no response yet, or the connection was dropped. */
  response?: Pick<HttpResponse, 'status' | 'headers'> & { readonly body: KeptBody; readonly ms: number };
}

const nothing: KeptBody = { bytes: Buffer.alloc(0), size: 0 };

export type RequestLog = ReturnType<typeof openRequestLog>;

/** Opens a log. `onChange` is called after each response. */
export function openRequestLog(onChange: () => void) {
  const all: KeptRequest[] = [];
  let count = 0;
  return {
    /** Returns the requests, the newest first, that the viewer's own credential could have sent. */
    visibleTo: ({ caller: { workspaceId, userId, reach } }: Viewer): readonly KeptRequest[] => {
      const isWithin = (ids: Caller['reach']) => !reach || ids?.every((id) => reach.includes(id)) === true;
      return all
        .filter(({ owner }) => owner.workspaceId === workspaceId && owner.userId === userId && isWithin(owner.reach))
        .reverse();
    },
    /** Returns a `send` that records each request of a caller. With `isForKeys`, the id of a workspace names no caller. */
    watch:
      (send: Send, scope: StoreScope, isForKeys = false): Send =>
      async (request, options) => {
        const { method, url, headers, body } = request;
        const sent = credentialsOf(headers).filter(({ scheme }) => !isForKeys || scheme !== 'WorkspaceIdentifier');
        const owner = callerOf(sent, scope);
        if (!owner) return send(request, options).finally(onChange);
        const kept: KeptRequest = {
          ...{ number: ++count, at: scope.now(), method, url, path: splitUrl(url).path },
          ...{ operation: operationIdOf(method, url), headers, body: nothing, owner },
        };
        all.push(kept);
        if (all.length > REQUESTS_LIMIT) all.shift();
        const keep = (copy: KeptBody) => Object.assign(kept, { body: copy });
        // A body from a socket is always a stream.
        const watched = body && 'open' in body ? { ...body, open: () => copied(body.open(), keep) } : body;
        const start = performance.now();
        const response = await send({ ...request, ...(watched && { body: watched }) }, options);
        const done = (copy: KeptBody) => {
          kept.response = { ...response, body: copy, ms: performance.now() - start };
          onChange();
        };
        return { ...response, body: copied(response.body, done) };
      },
  };
}

/** Passes a body on unchanged. Calls `done` with a copy when reading ends. */
function copied(body: AsyncIterable<Uint8Array>, done: (copy: KeptBody) => unknown): AsyncIterable<Uint8Array> {
  const pieces: Buffer[] = [];
  let size = 0;
  return passedOn(body, {
    see: (piece) => {
      size += piece.byteLength;
      // The memory of the piece may be reused.
      if (size <= BODY_LIMIT) pieces.push(Buffer.from(piece));
    },
    end: () => void done({ bytes: size <= BODY_LIMIT ? Buffer.concat(pieces) : undefined, size }),
  });
}
